#include "penstock/http/request_guard.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace penstock::http {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_base64(char c) {
  const char small = lower(c);
  return (small >= 'a' && small <= 'z') || is_digit(c) || c == '+' || c == '/';
}

std::ptrdiff_t count(const RequestHead& head, std::string_view name) {
  return std::count_if(head.fields.begin(), head.fields.end(),
                       [name](const auto& item) { return same_without_case(item.first, name); });
}

bool is_our_host(std::string_view host, const Door& door) {
  // Behind the name, which has colons of its own; that of the scheme goes without saying.
  const std::size_t colon = host.find(':', host.rfind(']') + 1);
  std::uint16_t port = door.secured ? 443 : 80;
  if (colon != std::string_view::npos) {
    const std::string_view digits = host.substr(colon + 1);
    const char* const last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, port);
    if (error != std::errc() || end != last || digits.front() == '0') return false;
  }
  const std::string_view name = host.substr(0, colon);
  return port == door.port && (name == "127.0.0.1" || name == "[::1]" || name == "localhost");
}

/// A person follows a link to it or types its address: the answer is shown, and read by no page.
bool is_opened(const RequestHead& head) {
  return head.method == "GET" && field(head, "Sec-Fetch-Mode").value_or("") == "navigate" &&
         field(head, "Sec-Fetch-Dest").value_or("") == "document";
}

/// What is wrong with it as that of a web page.
std::optional<Denial> check_page(const RequestHead& head, std::string_view host, const Door& door) {
  const auto refused = [] { return Denial{403, "Requests of web pages are refused."}; };
  if (const auto origin = field(head, "Origin")) {
    if (door.pages == nullptr) return refused();
    const std::string own = (door.secured ? "https://" : "http://") + std::string(host);
    const bool known =
        (!door.beyond && *origin == own) ||
        std::find(door.pages->begin(), door.pages->end(), *origin) != door.pages->end();
    return known ? std::nullopt : std::optional(refused());
  }
  // What browsers alone send, also where they send no Origin.
  const std::string_view site = field(head, "Sec-Fetch-Site").value_or("none");
  if (site == "none") return std::nullopt;
  const bool is_own = site == "same-origin" || (door.pages != nullptr && is_opened(head));
  return is_own && !door.beyond ? std::nullopt : std::optional(refused());
}

}  // namespace

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(),
                    [](char x, char y) { return x == y || lower(x) == lower(y); });
}

std::optional<std::string_view> field(const RequestHead& head, std::string_view name) {
  const auto found = std::find_if(head.fields.begin(), head.fields.end(), [name](const auto& item) {
    return same_without_case(item.first, name);
  });
  if (found == head.fields.end()) return std::nullopt;
  return found->second;
}

bool is_of_page(const RequestHead& head) {
  return field(head, "Origin") || field(head, "Sec-Fetch-Site").value_or("none") != "none";
}

std::optional<Denial> check_form(const RequestHead& head, const Door& door) {
  const bool is_old = door.old && head.version == 10;
  if (head.version != 11 && !is_old) return Denial{505, "Only HTTP/1.1 is spoken here."};
  if (is_old && field(head, "Transfer-Encoding")) {
    return Denial{400, "HTTP/1.0 has no Transfer-Encoding."};
  }
  constexpr std::array<std::string_view, 10> kOnce{"Host",
                                                   "Origin",
                                                   "Authorization",
                                                   "Content-Type",
                                                   "Content-Length",
                                                   "Upgrade",
                                                   "Transfer-Encoding",
                                                   "Sec-Fetch-Site",
                                                   "Sec-WebSocket-Key",
                                                   "Sec-WebSocket-Version"};
  for (const std::string_view name : kOnce) {
    if (count(head, name) > 1)
      return Denial{400, "The header " + std::string(name) + " is there twice."};
  }
  // The body of any other would be taken for the next request.
  if (!same_without_case(field(head, "Transfer-Encoding").value_or("chunked"), "chunked")) {
    return Denial{501, "The only Transfer-Encoding here is chunked."};
  }
  // `2,2`: who else reads this connection may take another number of the list.
  const std::string_view length = field(head, "Content-Length").value_or("0");
  if (length.empty() || !std::all_of(length.begin(), length.end(), is_digit)) {
    return Denial{400, "The Content-Length must be one number."};
  }
  if (head.target.empty() || head.target.front() != '/') {
    return Denial{400, "The target must be a path."};
  }
  const std::string_view host = field(head, "Host").value_or("");
  if (door.beyond && host.empty()) return Denial{400, "The Host is missing."};
  if (!door.beyond && !is_our_host(host, door)) {
    return Denial{403, "Host must be 127.0.0.1, [::1] or localhost with the port of this binary."};
  }
  return check_page(head, host, door);
}

std::optional<Denial> check_upgrade(const RequestHead& head) {
  if (!same_without_case(field(head, "Upgrade").value_or(""), "websocket")) {
    return Denial{400, "The only protocol to upgrade to is websocket."};
  }
  if (field(head, "Sec-WebSocket-Version").value_or("") != "13") {
    return Denial{426, "The only Sec-WebSocket-Version here is 13."};
  }
  const std::string_view key = field(head, "Sec-WebSocket-Key").value_or("");
  if (key.size() != 24 || key.substr(22) != "==" ||
      !std::all_of(key.begin(), key.begin() + 22, is_base64)) {
    return Denial{400, "The Sec-WebSocket-Key must be 16 bytes in base64."};
  }
  return std::nullopt;
}

}  // namespace penstock::http
