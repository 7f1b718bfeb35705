#include "penstock/base/error.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace penstock {

namespace {

constexpr std::array<std::string_view, kErrorCodes> kNames{
    "ok",
    "cancelled",
    "unknown",
    "invalid_argument",
    "deadline_exceeded",
    "not_found",
    "already_exists",
    "permission_denied",
    "resource_exhausted",
    "failed_precondition",
    "aborted",
    "out_of_range",
    "unimplemented",
    "internal",
    "unavailable",
    "data_loss",
    "unauthenticated",
    "deadlock",
};

// Short enough to need no memory.
const std::string kOutOfMemory = "out of memory";

// One of each code, for who has no memory for an error.
const std::array<Error, kErrorCodes>& spare_errors() noexcept {
  static const auto all = []<std::size_t... code>(std::index_sequence<code...> /*codes*/) noexcept {
    return std::array<Error, kErrorCodes>{
        Error(static_cast<ErrorCode>(code), Error::NoMemory())...};
  }(std::make_index_sequence<kErrorCodes>());
  return all;
}

}  // namespace

void EndKeptError::operator()(const Error* error) const noexcept {
  const auto& spare = spare_errors();
  const bool is_spare = std::any_of(spare.begin(), spare.end(),
                                    [error](const Error& each) { return &each == error; });
  if (!is_spare) delete error;
}

KeptError keep_error(const Error& error) noexcept {
  if (const auto* const kept = new (std::nothrow) Error(error)) return KeptError(kept);
  const auto code = static_cast<std::size_t>(error.code());
  return KeptError(
      &spare_errors()[code < kErrorCodes ? code : static_cast<std::size_t>(ErrorCode::unknown)]);
}

std::string_view to_string(ErrorCode code) noexcept {
  const auto index = static_cast<std::size_t>(code);
  return index < kNames.size() ? kNames[index] : "unknown";
}

Error::Error(ErrorCode code, std::string message) noexcept : code_(code) {
  try {
    message_ = std::make_shared<const std::string>(std::move(message));
  } catch (const std::bad_alloc&) {
    // message() says so.
  }
}

Error::Error(ErrorCode code, const char* message) noexcept : code_(code) {
  try {
    message_ = std::make_shared<const std::string>(message);
  } catch (const std::bad_alloc&) {
    // message() says so.
  }
}

Error::~Error() = default;

const std::string& Error::message() const noexcept {
  return message_ != nullptr ? *message_ : kOutOfMemory;
}

Error Error::current() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return {ErrorCode::resource_exhausted, NoMemory()};
  } catch (const std::exception& exception) {
    return {ErrorCode::internal, exception.what()};
  } catch (...) {
    return {ErrorCode::internal, "an exception that is no std::exception"};
  }
}

void throw_unimplemented(std::string_view service) {
  throw Error(ErrorCode::unimplemented, std::string(service) + " is not written yet");
}

}  // namespace penstock
