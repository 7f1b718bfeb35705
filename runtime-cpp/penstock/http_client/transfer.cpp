#include "penstock/http_client/transfer.hpp"

#include <boost/asio/connect.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <utility>

namespace penstock::http_client {
namespace beast = boost::beast;
namespace {

constexpr std::uint32_t kMaxHeader = 64 * 1024;

boost::beast::string_view to_beast(std::string_view text) { return {text.data(), text.size()}; }

bool is_idempotent(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "PUT" || method == "DELETE" ||
         method == "OPTIONS";
}

std::string where(const Url& url) { return "http://" + url.authority; }

}  // namespace

Transfer::Transfer(boost::asio::io_context& context, std::shared_ptr<Exchange> exchange,
                   Owner& owner, const ClientSettings& settings)
    : context_(context),
      exchange_(std::move(exchange)),
      owner_(owner),
      settings_(settings),
      timer_(context),
      resolver_(context) {
  const Request& request = exchange_->request;
  message_.method_string(to_beast(request.method));
  message_.target(to_beast(exchange_->url.target));
  message_.version(11);
  message_.set(beast::http::field::host, to_beast(exchange_->url.authority));
  message_.set(beast::http::field::user_agent, "penstock");
  for (const Header& header : request.headers) {
    message_.set(to_beast(header.first), to_beast(header.second));
  }
  message_.body() = std::move(exchange_->request.body);
  const bool bare =
      message_.body().empty() && is_idempotent(request.method) && request.method != "PUT";
  if (!bare) message_.prepare_payload();
}

void Transfer::wait_for_turn() {
  timer_.expires_at(
      std::chrono::steady_clock::time_point(std::chrono::nanoseconds(exchange_->deadline_ns)));
  timer_.async_wait([self = shared_from_this()](const SystemError& error) {
    if (error) return;
    self->end_with(
        ErrorCode::deadline_exceeded,
        self->begun_ ? "did not answer in time" : "all connections were busy until the deadline");
  });
}

void Transfer::begin(std::shared_ptr<Connection> kept) {
  begun_ = true;
  connection_ = std::move(kept);
  if (connection_) {
    write();
  } else {
    connect();
  }
}

void Transfer::connect() {
  connection_ = std::make_shared<Connection>(context_);
  const Url& url = exchange_->url;
  resolver_.async_resolve(
      url.host, url.port,
      [self = shared_from_this()](const SystemError& error, Tcp::resolver::results_type found) {
        if (self->exchange_ == nullptr) return;
        if (error) return self->on_broken(error, "its address was not found");
        self->connect_to(found);
      });
}

void Transfer::connect_to(const Tcp::resolver::results_type& found) {
  boost::asio::async_connect(
      connection_->socket, found,
      [self = shared_from_this()](const SystemError& error, const Tcp::endpoint&) {
        if (self->exchange_ == nullptr) return;
        if (error) return self->on_broken(error, "no connection");
        SystemError ignored;
        self->connection_->socket.set_option(Tcp::no_delay(true), ignored);
        self->write();
      });
}

void Transfer::write() {
  beast::http::async_write(connection_->socket, message_,
                           [self = shared_from_this()](const SystemError& error, std::size_t) {
                             if (self->exchange_ == nullptr) return;
                             if (error) return self->on_broken(error, "the connection broke");
                             self->read();
                           });
}

void Transfer::read() {
  parser_ = std::make_unique<Parser>();
  parser_->header_limit(kMaxHeader);
  parser_->body_limit(settings_.max_body);
  parser_->skip(exchange_->request.method == "HEAD");
  beast::http::async_read_header(
      connection_->socket, connection_->buffer, *parser_,
      [self = shared_from_this()](const SystemError& error, std::size_t) {
        if (self->exchange_ != nullptr) self->on_header(error);
      });
}

void Transfer::on_header(const SystemError& error) {
  if (error) return on_read(error);
  // Beast looks at the limit only where it does not know the length beforehand.
  const auto length = parser_->content_length();
  if (length && *length > settings_.max_body) return on_read(beast::http::error::body_limit);
  beast::http::async_read(connection_->socket, connection_->buffer, *parser_,
                          [self = shared_from_this()](const SystemError& failed, std::size_t) {
                            if (self->exchange_ != nullptr) self->on_read(failed);
                          });
}

void Transfer::on_read(const SystemError& error) {
  if (error == beast::http::error::body_limit || error == beast::http::error::header_limit) {
    return end_with(ErrorCode::resource_exhausted,
                    "answered with more than " + std::to_string(settings_.max_body) + " bytes");
  }
  if (error) return on_broken(error, "the connection broke");
  auto& message = parser_->get();
  const unsigned status = message.result_int();
  if (status >= 100 && status < 200 && status != 101) return read();  // the answer comes later
  Response& response = exchange_->response;
  response.status = status;
  for (const auto& field : message) {
    response.headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
  }
  response.body = std::move(message.body());
  connection_->used = true;
  // Bytes behind the answer: it cannot be told what they belong to.
  const bool reusable = parser_->keep_alive() && connection_->buffer.size() == 0 && status != 101;
  end(reusable ? std::move(connection_) : nullptr);
}

void Transfer::on_broken(const SystemError& error, const char* doing) {
  // The other side may close a kept connection at any time. If it did before it said anything, a
  // request that may be made twice is made again, over a connection of its own.
  const bool silent = !parser_ || !parser_->got_some();
  if (connection_ && connection_->used && silent && !retried_ &&
      is_idempotent(exchange_->request.method)) {
    retried_ = true;
    parser_.reset();
    return connect();
  }
  end_with(ErrorCode::unavailable, std::string(doing) + " (" + error.message() + ")");
}

void Transfer::end_with(ErrorCode code, const std::string& message) {
  if (exchange_ == nullptr) return;
  exchange_->error.emplace(code, where(exchange_->url) + ": " + message);
  end(nullptr);
}

void Transfer::end(std::shared_ptr<Connection> reusable) {
  const auto keep = shared_from_this();
  if (connection_) {
    // What still waits for it is told so, and finds no exchange any more. Until then it reads into
    // the connection's buffer: that stays as long as this does.
    SystemError ignored;
    connection_->socket.close(ignored);
  }
  resolver_.cancel();
  timer_.cancel();
  owner_.ended(*this, std::move(reusable));
  const auto exchange = std::exchange(exchange_, nullptr);
  exchange->transfer.reset();
  arrive(exchange);
}

}  // namespace penstock::http_client
