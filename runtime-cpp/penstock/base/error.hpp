#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>

namespace penstock {

/// What went wrong, in the words and numbers of gRPC and Twirp (`deadlock` is ours).
enum class ErrorCode : std::int32_t {
  ok = 0,  ///< never thrown; the value of a Failure that was not set
  cancelled = 1,
  unknown = 2,
  invalid_argument = 3,
  deadline_exceeded = 4,
  not_found = 5,
  already_exists = 6,
  permission_denied = 7,
  resource_exhausted = 8,
  failed_precondition = 9,
  aborted = 10,
  out_of_range = 11,
  unimplemented = 12,
  internal = 13,
  unavailable = 14,
  data_loss = 15,
  unauthenticated = 16,
  deadlock = 17,
};

/// How many codes there are, for tables indexed by code.
inline constexpr std::size_t kErrorCodes = 18;

/// The name on the wire: `deadline_exceeded`.
[[nodiscard]] std::string_view to_string(ErrorCode code) noexcept;

/// The one exception that keeps its code on its way back to the caller or along the flow to its
/// `catch`; any other exception of a handler becomes `internal`. A copy never throws.
class Error : public std::exception {
 public:
  /// Without memory for the message it says "out of memory".
  Error(ErrorCode code, std::string message) noexcept;
  Error(ErrorCode code, const char* message) noexcept;
  struct NoMemory {};
  Error(ErrorCode code, NoMemory /*for_a_message*/) noexcept : code_(code) {}
  Error(const Error&) = default;
  Error(Error&&) noexcept = default;
  Error& operator=(const Error&) = default;
  Error& operator=(Error&&) noexcept = default;
  ~Error() override;

  [[nodiscard]] ErrorCode code() const noexcept { return code_; }
  [[nodiscard]] const std::string& message() const noexcept;
  [[nodiscard]] const char* what() const noexcept override { return message().c_str(); }

  /// The exception being handled right now as an Error. Call it in a catch block only.
  [[nodiscard]] static Error current() noexcept;

 private:
  ErrorCode code_;
  std::shared_ptr<const std::string> message_;  // shared by its copies; null: no memory
};

/// Ends an error that somebody kept, unless it is one of those for want of memory.
struct EndKeptError {
  void operator()(const Error* error) const noexcept;
};
/// An Error that somebody keeps.
using KeptError = std::unique_ptr<const Error, EndKeptError>;

/// Keeps a copy; without memory for it one of the same code that says "out of memory". Any thread.
[[nodiscard]] KeptError keep_error(const Error& error) noexcept;
/// keep_error() of one with the text that `message` gives, which may throw std::bad_alloc.
template <class Message>
[[nodiscard]] KeptError keep_error(ErrorCode code, const Message& message) noexcept {
  try {
    return keep_error(Error(code, message()));
  } catch (const std::bad_alloc&) {
    return keep_error(Error(code, Error::NoMemory()));
  }
}

/// What a fresh handler does until it is written: throws Error(unimplemented). The runtime counts
/// these answers, so that the canvas can show which services are still empty.
[[noreturn]] void throw_unimplemented(std::string_view service);

}  // namespace penstock
