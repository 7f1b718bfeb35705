#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace penstock::http_client {

using Header = std::pair<std::string, std::string>;

struct Request {
  Request(std::string verb, std::string address)
      : method(std::move(verb)), url(std::move(address)) {}

  std::string method;
  /// `http://host:port/path?query`; what comes from a message goes through percent_encoded().
  std::string url;
  std::vector<Header> headers;
  std::string body;
};

struct Response {
  unsigned status = 0;
  std::vector<Header> headers;
  std::string body;

  /// The first header of this name, in any case; empty when there is none.
  [[nodiscard]] std::string_view header(std::string_view name) const noexcept;
};

/// `the answer was 502: <html>...`, with the beginning of its body.
[[nodiscard]] std::string in_words(const Response& response);

/// Throws Error unless the status is 2xx, with the code that says the same: 404 is `not_found`, 429
/// `resource_exhausted`, 503 `unavailable`.
void check_status(const Response& response);

}  // namespace penstock::http_client
