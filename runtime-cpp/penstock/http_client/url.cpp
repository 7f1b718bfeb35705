#include "penstock/http_client/url.hpp"

#include <algorithm>

#include "penstock/error.hpp"
#include "penstock/http_client/url_value.hpp"

namespace penstock::http_client {
namespace {

bool is_unreserved(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '-' || letter == '.' || letter == '_' ||
         letter == '~';
}

bool is_visible(char letter) { return letter > ' ' && letter < '\x7f'; }

[[noreturn]] void refuse(std::string_view text, std::string_view reason) {
  throw Error(ErrorCode::invalid_argument,
              "the URL " + std::string(text) + " " + std::string(reason));
}

}  // namespace

Url parse_url(std::string_view text) {
  constexpr std::string_view kScheme = "http://";
  if (!text.starts_with(kScheme)) refuse(text, "does not begin with http://");
  if (!std::all_of(text.begin(), text.end(), is_visible)) {
    throw Error(ErrorCode::invalid_argument, "the URL has spaces or control characters in it");
  }
  const std::string_view rest = text.substr(kScheme.size());
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  std::string_view target = rest.substr(authority.size());
  target = target.substr(0, target.find('#'));
  if (authority.find('@') != std::string_view::npos) refuse(text, "holds a user: use a header");

  Url url;
  url.authority = authority;
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos) refuse(text, "has no ] after its address");
    url.host = authority.substr(1, end - 1);
    port = authority.substr(end + 1);
  } else {
    url.host = authority.substr(0, authority.find(':'));
    port = authority.substr(url.host.size());
  }
  if (url.host.empty()) refuse(text, "has no host");
  if (!port.empty() && !port.starts_with(':')) refuse(text, "has no port after its address");
  url.port = port.size() > 1 ? port.substr(1) : "80";
  if (url.port.find_first_not_of("0123456789") != std::string::npos || url.port.size() > 5) {
    refuse(text, "has no number as its port");
  }
  if (!target.starts_with('/')) url.target = "/";
  url.target += target;
  return url;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  encoded.reserve(text.size());
  for (const char letter : text) {
    if (is_unreserved(letter)) {
      encoded += letter;
    } else {
      const auto byte = static_cast<unsigned char>(letter);
      encoded += '%';
      encoded += kHex[byte >> 4U];
      encoded += kHex[byte & 15U];
    }
  }
  return encoded;
}

void append_url_value(std::string& url, std::string_view text) {
  url += percent_encoded(text);
  const std::string_view piece = std::string_view(url).substr(url.rfind('/') + 1);
  if ((piece == "." || piece == "..") && url.find('?') == std::string::npos) {
    throw Error(ErrorCode::invalid_argument,
                "a value makes a piece of the URL's path " + std::string(piece));
  }
}

}  // namespace penstock::http_client
