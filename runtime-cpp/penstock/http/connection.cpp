#include "penstock/http/connection.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/http/write.hpp>
#include <utility>

namespace penstock::http {
namespace beast_http = boost::beast::http;
namespace {

using boost::asio::ip::tcp;

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

template <class Parser>
RequestHead head_of(const Parser& parser) {
  const auto& request = parser.get();
  RequestHead head;
  head.method = view(request.method_string());
  head.target = view(request.target());
  head.version = request.version();
  for (const auto& item : request) {
    head.fields.emplace_back(view(item.name_string()), view(item.value()));
  }
  const auto length = parser.content_length();
  head.has_body = parser.chunked() || (length && *length > 0);
  return head;
}

/// What a request that could not be read is answered; nothing where nobody is there to read it.
std::optional<Denial> denial_of(const boost::system::error_code& error) {
  if (error == beast_http::error::header_limit || error == beast_http::error::buffer_overflow) {
    return Denial{431, "The headers are too long."};
  }
  if (error == beast_http::error::body_limit) return Denial{413, "The body is too long."};
  if (error == beast_http::error::bad_version) return Denial{505, "Only HTTP/1.1 is spoken here."};
  const bool ended =
      error == beast_http::error::end_of_stream || error == beast_http::error::partial_message;
  if (!ended &&
      error.category() == beast_http::make_error_code(beast_http::error::bad_method).category()) {
    return Denial{400, "This is no HTTP request."};
  }
  return std::nullopt;
}

}  // namespace

Connection::Connection(tcp::socket socket, const Limits& limits, Connections& all)
    : limits_(limits),
      socket_(std::move(socket)),
      timer_(socket_.get_executor()),
      all_(all),
      place_(all.insert(all.end(), this)) {}

Connection::~Connection() { all_.erase(place_); }

void Connection::start() {
  set_deadline(limits_.header_time);
  read_head();
}

void Connection::drop() {
  timer_.cancel();
  const std::shared_ptr<Connection> last = std::move(self_);
  if (moved_) return;
  Error ignored;
  socket_.close(ignored);
}

tcp::socket Connection::give_socket() {
  timer_.cancel();
  moved_ = true;
  return std::move(socket_);
}

bool Connection::client_keeps_alive() const {
  return body_parser_ != nullptr ? body_parser_->get().keep_alive() : parser_->get().keep_alive();
}

void Connection::set_deadline(Limits::Time time) {
  late_ = false;
  timer_.expires_after(time);
  // Weak: a connection that ended is not kept for the rest of its time.
  timer_.async_wait([weak = weak_from_this()](const Error& error) {
    const auto self = error ? nullptr : weak.lock();
    if (self == nullptr) return;
    // It ran out, and before we came to it another deadline was set: that one counts.
    if (self->timer_.expiry() > boost::asio::steady_timer::clock_type::now()) return;
    self->on_deadline();
  });
}

void Connection::on_deadline() {
  late_ = true;
  if (phase_ == Phase::answer) return on_answer_late();
  if (phase_ != Phase::head && phase_ != Phase::body) return drop();
  Error ignored;
  socket_.cancel(ignored);  // the read ends with operation_aborted and answers 408
}

void Connection::await_next() {
  phase_ = Phase::head;
  if (buffer_.size() > 0) return start();  // it is here already
  set_deadline(limits_.keep_alive_time);
  socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](const Error& error) {
    if (error) return self->drop();  // silent for too long, or gone: nothing to say
    self->start();
  });
}

void Connection::read_head() {
  phase_ = Phase::head;
  body_parser_.reset();
  parser_ = std::make_unique<HeadParser>();
  parser_->header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
  parser_->body_limit(limits_.body_bytes);
  beast_http::async_read_header(
      socket_, buffer_, *parser_,
      [self = shared_from_this()](const Error& error, std::size_t) { self->on_head(error); });
}

void Connection::on_head(const Error& error) {
  if (error) return refuse_unreadable(error);
  phase_ = Phase::reply;
  on_request(head_of(*parser_));
}

void Connection::refuse_unreadable(const Error& error) {
  const auto denial = late_ ? Denial{408, "The request took too long."} : denial_of(error);
  if (!denial) return drop();
  on_unreadable(*denial);
  reply(refusal(*denial), false);
}

void Connection::read_body(std::size_t limit) {
  const auto announced = parser_->content_length();
  if (announced && *announced > limit) return refuse_unreadable(beast_http::error::body_limit);
  phase_ = Phase::body;
  set_deadline(limits_.request_time);
  const bool waits =
      beast_http::token_list(parser_->get()[beast_http::field::expect]).exists("100-continue");
  body_parser_ = std::make_unique<BodyParser>(std::move(*parser_));
  body_parser_->body_limit(limit);
  if (!waits) return read_rest();
  boost::asio::async_write(socket_, boost::asio::buffer(kContinue),
                           [self = shared_from_this()](const Error& error, std::size_t) {
                             if (error) return self->drop();
                             self->read_rest();
                           });
}

void Connection::read_rest() {
  beast_http::async_read(
      socket_, buffer_, *body_parser_,
      [self = shared_from_this()](const Error& error, std::size_t) { self->on_rest(error); });
}

void Connection::on_rest(const Error& error) {
  if (error) return refuse_unreadable(error);
  phase_ = Phase::reply;
  on_body(std::move(body_parser_->get().body()));
}

void Connection::await_answer(Limits::Time time) {
  phase_ = Phase::answer;
  self_ = shared_from_this();
  set_deadline(time);
}

void Connection::reply(const Reply& content, bool keep_alive) {
  const std::shared_ptr<Connection> last = std::move(self_);
  phase_ = Phase::reply;
  set_deadline(limits_.request_time);
  response_ = Response(static_cast<beast_http::status>(content.status), 11);
  if (!content.body.empty()) response_.set(beast_http::field::content_type, content.type);
  response_.set(beast_http::field::cache_control, "no-store");
  response_.set("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : content.fields) response_.set(name, value);
  response_.keep_alive(keep_alive);
  response_.body() = content.body;
  response_.prepare_payload();
  beast_http::async_write(socket_, response_,
                          [self = shared_from_this(), keep_alive](const Error& error, std::size_t) {
                            self->on_replied(error, keep_alive);
                          });
}

void Connection::on_replied(const Error& error, bool keep_alive) {
  if (error) return drop();
  if (keep_alive) return await_next();
  // Closing while unread bytes wait would reset the connection and could take the answer away from
  // the peer: say that nothing more comes, then swallow what is still on its way, within limits.
  phase_ = Phase::drain;
  set_deadline(std::min(limits_.request_time, Limits::Time(1'000)));
  Error ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
  drain();
}

void Connection::drain() {
  buffer_.clear();
  socket_.async_read_some(buffer_.prepare(4096),
                          [self = shared_from_this()](const Error& error, std::size_t bytes) {
                            self->drained_ += bytes;
                            if (error || self->drained_ > self->limits_.body_bytes) {
                              return self->drop();
                            }
                            self->drain();
                          });
}

}  // namespace penstock::http
