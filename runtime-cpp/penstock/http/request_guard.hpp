#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace penstock::http {

/// The head of an HTTP request, whatever library read it.
struct RequestHead {
  std::string_view method;
  std::string_view target;
  unsigned version = 11;  ///< 11: HTTP/1.1
  std::vector<std::pair<std::string_view, std::string_view>> fields;
  bool has_body = false;  ///< announced by Content-Length above 0 or Transfer-Encoding
};

/// Why a request is not served.
struct Denial {
  int status = 400;
  std::string reason;
};

/// Value of a field, by name without case; nothing when it is missing.
[[nodiscard]] std::optional<std::string_view> field(const RequestHead& head, std::string_view name);

/// `a` and `b` are equal but for the case of ASCII letters.
[[nodiscard]] bool same_without_case(std::string_view a, std::string_view b);

/// What is wrong with a request before anybody looks at its path or its token: form, Host, Origin.
/// A web page in a browser on this machine can reach the port, so Host must be the loopback
/// address itself (DNS rebinding) and a request that carries an Origin comes from a page and is
/// refused: the clients are programs. With `pages`, those of the port's own origin and of these
/// origins are let through, too.
[[nodiscard]] std::optional<Denial> check_form(const RequestHead& head, std::uint16_t port,
                                               const std::vector<std::string>* pages = nullptr);

/// What is wrong with a request for a WebSocket that check_form() let pass.
[[nodiscard]] std::optional<Denial> check_upgrade(const RequestHead& head);

}  // namespace penstock::http
