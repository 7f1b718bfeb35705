#include "penstock/http_client/message.hpp"

#include <algorithm>
#include <cctype>

#include "penstock/error.hpp"

namespace penstock::http_client {
namespace {

/// Of a body, in an error's message.
constexpr std::size_t kShown = 200;

ErrorCode code_of(unsigned status) {
  switch (status) {
    case 400:
    case 422:
      return ErrorCode::invalid_argument;
    case 401:
      return ErrorCode::unauthenticated;
    case 403:
      return ErrorCode::permission_denied;
    case 404:
    case 410:
      return ErrorCode::not_found;
    case 408:
    case 504:
      return ErrorCode::deadline_exceeded;
    case 409:
      return ErrorCode::aborted;
    case 412:
    case 428:
      return ErrorCode::failed_precondition;
    case 413:
    case 429:
      return ErrorCode::resource_exhausted;
    case 416:
      return ErrorCode::out_of_range;
    case 501:
    case 405:
      return ErrorCode::unimplemented;
    case 502:
    case 503:
      return ErrorCode::unavailable;
    default:
      return status >= 500 ? ErrorCode::internal : ErrorCode::unknown;
  }
}

}  // namespace

std::string_view Response::header(std::string_view name) const noexcept {
  const auto same = [name](const Header& header) {
    return std::equal(
        name.begin(), name.end(), header.first.begin(), header.first.end(),
        [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
  };
  const auto found = std::find_if(headers.begin(), headers.end(), same);
  return found != headers.end() ? std::string_view(found->second) : std::string_view();
}

std::string in_words(const Response& response) {
  std::string text = "the answer was " + std::to_string(response.status);
  if (!response.body.empty()) {
    std::size_t end = std::min(response.body.size(), kShown);
    // At the end of a character.
    for (int back = 0; back < 3 && end < response.body.size() &&
                       (static_cast<unsigned char>(response.body[end]) & 0xC0U) == 0x80U;
         ++back) {
      --end;
    }
    text += ": " + response.body.substr(0, end);
    if (end < response.body.size()) text += "...";
  }
  return text;
}

void check_status(const Response& response) {
  if (response.status >= 200 && response.status < 300) return;
  throw Error(code_of(response.status), in_words(response));
}

}  // namespace penstock::http_client
