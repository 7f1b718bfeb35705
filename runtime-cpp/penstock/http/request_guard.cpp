#include "penstock/http/request_guard.hpp"

#include <algorithm>
#include <array>

namespace penstock::http {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::ptrdiff_t count(const RequestHead& head, std::string_view name) {
  return std::count_if(head.fields.begin(), head.fields.end(),
                       [name](const auto& item) { return same_without_case(item.first, name); });
}

bool is_our_host(std::string_view host, std::uint16_t port) {
  const std::string suffix = ":" + std::to_string(port);
  return host == "127.0.0.1" + suffix || host == "[::1]" + suffix || host == "localhost" + suffix;
}

}  // namespace

bool same_without_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::optional<std::string_view> field(const RequestHead& head, std::string_view name) {
  const auto found = std::find_if(head.fields.begin(), head.fields.end(), [name](const auto& item) {
    return same_without_case(item.first, name);
  });
  if (found == head.fields.end()) return std::nullopt;
  return found->second;
}

std::optional<Denial> check_form(const RequestHead& head, std::uint16_t port) {
  if (head.version != 11) return Denial{505, "Only HTTP/1.1 is spoken here."};
  constexpr std::array<std::string_view, 6> kOnce{
      "Host", "Origin", "Authorization", "Content-Type", "Content-Length", "Transfer-Encoding"};
  for (const std::string_view name : kOnce) {
    if (count(head, name) > 1)
      return Denial{400, "The header " + std::string(name) + " is there twice."};
  }
  // The body of any other would be taken for the next request.
  if (!same_without_case(field(head, "Transfer-Encoding").value_or("chunked"), "chunked")) {
    return Denial{501, "The only Transfer-Encoding here is chunked."};
  }
  if (head.target.empty() || head.target.front() != '/') {
    return Denial{400, "The target must be a path."};
  }
  const auto host = field(head, "Host");
  if (!host || !is_our_host(*host, port)) {
    return Denial{403, "Host must be 127.0.0.1, [::1] or localhost with the port of this binary."};
  }
  if (field(head, "Origin")) {
    return Denial{403, "Requests of web pages are refused."};
  }
  // What browsers alone send, also where they send no Origin.
  const std::string_view site = field(head, "Sec-Fetch-Site").value_or("none");
  if (site != "none" && site != "same-origin") {
    return Denial{403, "Requests of web pages are refused."};
  }
  return std::nullopt;
}

}  // namespace penstock::http
