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

/// Of texts of the same length.
[[nodiscard]] bool same_letters(std::string_view a, std::string_view b);
/// `a` and `b` are equal but for the case of ASCII letters.
[[nodiscard]] inline bool same_without_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && same_letters(a, b);
}

/// A browser sent it for a page, or for a person who follows a link.
[[nodiscard]] bool is_of_page(const RequestHead& head);

/// At what address a request came, as far as it says who may send one.
struct Door {
  std::uint16_t port = 0;
  bool secured = false;  ///< by TLS
  /// Other machines reach it, under whatever name they know it by.
  bool beyond = false;
  /// Origins of web pages that may ask; null: none may.
  const std::vector<std::string>* pages = nullptr;
  /// HTTP/1.0 is taken, too: tools that measure speak it.
  bool old = false;
};

/// What is wrong with a request before anybody looks at its path or its token: form, Host, Origin.
/// A web page in a browser that reaches the port sends an Origin and is refused, unless it is one
/// of the `pages`: the clients are programs. On this machine Host must be the loopback address
/// itself (DNS rebinding), and where there are `pages`, those of the port's own origin are let
/// through, too, and what a person opens from anywhere. Beyond it any Host is taken, so a page's
/// own origin says nothing: it may have that Host from its own name server.
[[nodiscard]] std::optional<Denial> check_form(const RequestHead& head, const Door& door);

/// What is wrong with a request for a WebSocket that check_form() let pass.
[[nodiscard]] std::optional<Denial> check_upgrade(const RequestHead& head);

}  // namespace penstock::http
