#include "penstock/base/error.hpp"

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

}  // namespace

std::string_view to_string(ErrorCode code) noexcept {
  const auto index = static_cast<std::size_t>(code);
  return index < kNames.size() ? kNames[index] : "unknown";
}

Error::Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

Error::~Error() = default;

Error Error::current() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return {ErrorCode::resource_exhausted, "out of memory"};
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
