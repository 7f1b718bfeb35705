#include "penstock/http_client/url.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <memory>
#include <new>

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

void Url::Free::operator()(void* handle) const noexcept {
  curl_url_cleanup(static_cast<CURLU*>(handle));
}

Url::Url(std::string_view text) : handle_(curl_url()), secure_(text.starts_with("https://")) {
  if (handle_ == nullptr) throw std::bad_alloc();
  if (!std::all_of(text.begin(), text.end(), is_visible)) {
    throw Error(ErrorCode::invalid_argument, "the URL has spaces or control characters in it");
  }
  if (!secure_ && !text.starts_with("http://")) {
    refuse(text, "does not begin with http:// or https://");
  }
  const CURLUcode fault =
      curl_url_set(static_cast<CURLU*>(handle()), CURLUPART_URL, std::string(text).c_str(),
                   CURLU_PATH_AS_IS | CURLU_DISALLOW_USER);
  if (fault == CURLUE_USER_NOT_ALLOWED) {
    // Which one is not said: a password may be in it.
    throw Error(ErrorCode::invalid_argument, "the URL holds a user: use a header");
  }
  if (fault != CURLUE_OK) refuse(text, std::string("is none: ") + curl_url_strerror(fault));
}

std::string Url::origin() const {
  const auto part = [this](CURLUPart which) {
    char* found = nullptr;
    if (curl_url_get(static_cast<CURLU*>(handle()), which, &found, 0) != CURLUE_OK) {
      return std::string();
    }
    const std::unique_ptr<char, decltype(&curl_free)> owner(found, &curl_free);
    return std::string(found);
  };
  std::string origin = (secure_ ? "https://" : "http://") + part(CURLUPART_HOST);
  if (const std::string port = part(CURLUPART_PORT); !port.empty()) origin += ":" + port;
  return origin;
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
