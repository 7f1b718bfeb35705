#include "penstock/http_client/twirp.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "penstock/http/bearer.hpp"
#include "penstock/http/twirp.hpp"
#include "penstock/json/reader.hpp"

namespace penstock::http_client {
namespace {

/// Of the message of an error that somebody else made.
constexpr std::size_t kLongestMessage = 1000;
/// Of a Content-Type that is said in an error.
constexpr std::size_t kLongestType = 80;

std::string url_of(std::string_view base, std::string_view name) {
  while (base.ends_with('/')) base.remove_suffix(1);
  return std::string(base) + '/' + std::string(name);
}

/// At most so many bytes, without half a character at the end. `text` is UTF-8.
std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  text.resize(end);
  return text + "...";
}

http::Format format_of(bool json) { return json ? http::Format::json : http::Format::protobuf; }

/// What Twirp's clients make of an answer that is no Twirp server's: a proxy's, say.
ErrorCode code_by(unsigned status) {
  switch (status) {
    case 400:
      return ErrorCode::internal;
    case 401:
      return ErrorCode::unauthenticated;
    case 403:
      return ErrorCode::permission_denied;
    case 404:
      return ErrorCode::unimplemented;  // `bad_route`
    case 429:
      return ErrorCode::resource_exhausted;
    case 502:
    case 503:
    case 504:
      return ErrorCode::unavailable;
    default:
      return status >= 300 && status < 400 ? ErrorCode::internal : ErrorCode::unknown;
  }
}

std::string token_in(const std::string& variable) {
  if (variable.empty()) return {};
  const char* const value = std::getenv(variable.c_str());  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

/// The error of a Twirp service; nothing: the body is something else.
std::optional<Error> error_in(std::string_view body) {
  std::string name;
  std::string message;
  json::JsonReader in(body);
  if (!in.enter_object()) return std::nullopt;
  while (in.next_key()) {
    std::string* const wanted = in.key() == "code" ? &name : in.key() == "msg" ? &message : nullptr;
    if (wanted == nullptr) {
      in.skip();
    } else {
      in.text(*wanted);
    }
  }
  if (in.failed() || !in.end()) return std::nullopt;
  const auto code = http::error_of_twirp(name);
  if (!code) return std::nullopt;
  // Those that are none of ours are still told apart.
  const bool ours = name != "malformed" && name != "bad_route";
  return Error(*code,
               shortened(ours ? std::move(message) : name + ": " + message, kLongestMessage));
}

}  // namespace

TwirpMethod::TwirpMethod(TwirpSettings settings)
    : url_(url_of(settings.url, settings.method)),
      json_(settings.json),
      client_(std::move(settings.client)),
      token_variable_(std::move(settings.token_variable)),
      token_(token_in(token_variable_)) {}

ExchangeAwait TwirpMethod::send(std::string&& body) const {
  Request request("POST", url_);
  request.body = std::move(body);
  const std::string type(http::type_of(format_of(json_)));
  const std::int64_t left = (client_.deadline() - now_ns()) / 1'000'000;
  const std::int64_t told = std::clamp<std::int64_t>(left, 1, http::kMostTimeoutMs);
  request.headers = {{"Content-Type", type},
                     {"Accept", type},
                     {std::string(http::kTimeoutField), std::to_string(told)}};
  if (!token_variable_.empty()) {
    if (!http::is_token(token_)) {
      throw Error(ErrorCode::unauthenticated, url_ + ": the environment variable " +
                                                  token_variable_ +
                                                  " is not set, or holds what no header can");
    }
    request.headers.emplace_back("Authorization", "Bearer " + token_);
  }
  return client_.send(std::move(request));
}

void TwirpMethod::check(const Response& answer) const {
  if (answer.status == 200) {
    const std::string_view type = answer.header("Content-Type");
    if (http::format_of(type) == format_of(json_)) return;
    throw Error(
        ErrorCode::internal,
        url_ + ": answered with " +
            (type.empty() ? "no Content-Type" : shortened(std::string(type), kLongestType)) +
            ", not " + std::string(http::type_of(format_of(json_))));
  }
  if (const auto error = error_in(answer.body)) throw Error(*error);
  throw Error(code_by(answer.status), url_ + ": not an error of Twirp's: " + in_words(answer));
}

void TwirpMethod::refuse(std::string_view reason) const {
  throw Error(ErrorCode::internal,
              url_ + ": the answer is not what is wanted: " + std::string(reason));
}

}  // namespace penstock::http_client
