#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace penstock::http_client {

/// An `http://` or `https://` URL without a user.
class Url {
 public:
  /// Throws Error(invalid_argument) for anything else, std::bad_alloc.
  explicit Url(std::string_view text);

  [[nodiscard]] bool secure() const noexcept { return secure_; }
  /// Scheme, host and, where it is given, port: `https://shop:8443`.
  [[nodiscard]] std::string origin() const;
  /// As libcurl has it (a CURLU).
  [[nodiscard]] void* handle() const noexcept { return handle_.get(); }

 private:
  struct Free {
    void operator()(void* handle) const noexcept;
  };
  std::unique_ptr<void, Free> handle_;
  bool secure_ = false;
};

/// Text as one piece of a path or of a query: all but letters, digits and `-._~` as %XX, so that it
/// cannot become another path, query or host.
[[nodiscard]] std::string percent_encoded(std::string_view text);

}  // namespace penstock::http_client
