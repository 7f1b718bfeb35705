#pragma once

#include <string>
#include <string_view>

namespace penstock::http_client {

struct Url {
  std::string host;  ///< an IPv6 address without its brackets
  std::string port;
  std::string target;     ///< path and query
  std::string authority;  ///< as the header Host says it
};

/// Throws Error(invalid_argument) for what is no `http://` URL.
[[nodiscard]] Url parse_url(std::string_view text);

/// Text as one piece of a path or of a query: all but letters, digits and `-._~` as %XX, so that it
/// cannot become another path, query or host.
[[nodiscard]] std::string percent_encoded(std::string_view text);

}  // namespace penstock::http_client
