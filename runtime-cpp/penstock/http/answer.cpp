#include "penstock/http/answer.hpp"

#include <boost/beast/http/status.hpp>
#include <string_view>
#include <utility>

#include "penstock/http/twirp.hpp"

namespace penstock::http {
namespace {

// What an answer without fields of its own has, and some more.
constexpr std::size_t kUsualHead = 256;
// Which has no length, as it has no body (RFC 9110, 8.6).
constexpr int kNoContent = 204;

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  out += value;
  out += "\r\n";
}

}  // namespace

void Answer::fill(Reply content, Then then) {
  const auto reason =
      boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(content.status));
  head_.clear();
  head_.reserve(kUsualHead);
  head_ += "HTTP/1.1 ";
  head_ += std::to_string(content.status);
  head_ += ' ';
  head_.append(reason.data(), reason.size());
  head_ += "\r\n";
  const std::size_t bytes =
      content.constant.empty() ? content.body.size() : content.constant.size();
  // No bytes are a message in protobuf, and nothing in any other form.
  if (bytes != 0 || content.type == type_of(Format::protobuf)) {
    append_field(head_, "Content-Type", content.type);
  }
  head_ += "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n";
  for (const auto& [name, value] : content.fields) append_field(head_, name, value);
  if (then == Then::ends) head_ += "Connection: close\r\n";
  if (then == Then::says_it_goes_on) head_ += "Connection: keep-alive\r\n";
  if (content.status != kNoContent) append_field(head_, "Content-Length", std::to_string(bytes));
  head_ += "\r\n";
  body_ = std::move(content.body);
  constant_ = content.constant;
}

void Answer::forget() {
  // Assigned to, a text keeps its memory.
  std::string().swap(head_);
  std::string().swap(body_);
  constant_ = {};
}

}  // namespace penstock::http
