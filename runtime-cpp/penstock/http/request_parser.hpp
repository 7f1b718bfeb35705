#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "penstock/http/request_guard.hpp"

namespace penstock::http {

/// Reads one request as Beast does. Its head lies in one piece of memory; the body takes none for
/// what was only announced: it grows with what comes.
///
/// It stops behind the head; eager() lets it go on with the body.
class RequestParser final : public boost::beast::http::basic_parser<true> {
 public:
  /// Once is_header_done(); as long as the parser is there.
  [[nodiscard]] RequestHead head() const;
  [[nodiscard]] std::size_t fields() const { return fields_.size(); }
  /// Bytes that its head takes.
  [[nodiscard]] std::size_t memory_of_head() const {
    return text_.capacity() + fields_.capacity() * sizeof(Field);
  }
  /// It is HTTP/1.0, whose connections end unless both sides say otherwise.
  [[nodiscard]] bool is_old() const { return version_ < 11; }
  /// Its peer sends the body once it is told to.
  [[nodiscard]] bool expects_continue() const;
  [[nodiscard]] std::string& body() { return body_; }
  /// For Beast, which upgrades it.
  [[nodiscard]] boost::beast::http::request<boost::beast::http::empty_body> request() const;

 private:
  using Text = boost::beast::string_view;
  using Error = boost::beast::error_code;
  /// Of `text_`, which grows.
  struct Part {
    std::size_t at = 0;
    std::size_t size = 0;
  };
  struct Field {
    boost::beast::http::field known;
    Part name;
    Part value;
  };

  [[nodiscard]] Part add(Text text);
  [[nodiscard]] std::string_view at(Part part) const { return {text_.data() + part.at, part.size}; }

  void on_request_impl(boost::beast::http::verb known, Text method, Text target, int version,
                       Error& error) override;
  void on_response_impl(int, Text, int, Error&) override {}
  void on_field_impl(boost::beast::http::field known, Text name, Text value, Error& error) override;
  void on_header_impl(Error&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, Error&) override {}
  std::size_t on_body_impl(Text bytes, Error& error) override;
  void on_chunk_header_impl(std::uint64_t, Text, Error&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t left, Text bytes, Error& error) override;
  void on_finish_impl(Error&) override {}

  std::string text_;
  Part method_;
  Part target_;
  unsigned version_ = 0;
  std::vector<Field> fields_;
  std::string body_;
};

}  // namespace penstock::http
