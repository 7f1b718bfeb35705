#include "penstock/http/request_parser.hpp"

#include <algorithm>
#include <boost/beast/http/rfc7230.hpp>

namespace penstock::http {
namespace {

// What a usual head has, or less.
constexpr std::size_t kUsualText = 480;
constexpr std::size_t kUsualFields = 8;

boost::beast::string_view text(std::string_view view) { return {view.data(), view.size()}; }

}  // namespace

RequestHead RequestParser::head() const {
  RequestHead head;
  head.method = at(method_);
  head.target = at(target_);
  head.version = version_;
  head.fields.reserve(fields_.size());
  for (const Field& field : fields_) head.fields.emplace_back(at(field.name), at(field.value));
  const auto length = content_length();
  head.has_body = chunked() || (length && *length > 0);
  return head;
}

bool RequestParser::expects_continue() const {
  const auto expect = std::find_if(fields_.begin(), fields_.end(), [](const Field& field) {
    return field.known == boost::beast::http::field::expect;
  });
  return !is_old() && expect != fields_.end() &&
         boost::beast::http::token_list(text(at(expect->value))).exists("100-continue");
}

boost::beast::http::request<boost::beast::http::empty_body> RequestParser::request() const {
  boost::beast::http::request<boost::beast::http::empty_body> request;
  request.method_string(text(at(method_)));
  request.target(text(at(target_)));
  request.version(version_);
  for (const Field& field : fields_) {
    request.insert(field.known, text(at(field.name)), text(at(field.value)));
  }
  return request;
}

RequestParser::Part RequestParser::add(Text text) {
  const Part part{text_.size(), text.size()};
  text_.append(text.data(), text.size());
  return part;
}

void RequestParser::on_request_impl(boost::beast::http::verb /*known*/, Text method, Text target,
                                    int version, Error& error) {
  text_.reserve(kUsualText);
  fields_.reserve(kUsualFields);
  method_ = add(method);
  target_ = add(target);
  version_ = static_cast<unsigned>(version);
  error = {};
}

void RequestParser::on_field_impl(boost::beast::http::field known, Text name, Text value,
                                  Error& error) {
  error = {};
  // Behind the last chunk, where nobody reads them.
  if (is_header_done()) return;
  const Part named = add(name);
  fields_.push_back({known, named, add(value)});
}

std::size_t RequestParser::on_body_impl(Text bytes, Error& error) {
  body_.append(bytes.data(), bytes.size());
  error = {};
  return bytes.size();
}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t /*left*/, Text bytes, Error& error) {
  return on_body_impl(bytes, error);
}

}  // namespace penstock::http
