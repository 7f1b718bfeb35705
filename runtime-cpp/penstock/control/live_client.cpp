#include "penstock/control/live_client.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <utility>

#include "penstock/control/problem_codes.hpp"

namespace penstock::control {
namespace websocket = boost::beast::websocket;

LiveClient::LiveClient(boost::asio::ip::tcp::socket socket, LiveShared& shared)
    : shared_(shared),
      stream_(std::move(socket)),
      allowance_(shared.limits.messages_per_second),
      allowance_at_(Clock::now()),
      last_ping_(allowance_at_),
      last_pong_(allowance_at_) {
  shared_.clients.push_back(this);
  thread_.note();
}

LiveClient::~LiveClient() {
  let_go(answer_bytes_);
  auto& all = shared_.clients;
  all.erase(std::find(all.begin(), all.end(), this));
}

void LiveClient::start(Request request) {
  expect_here();
  websocket::stream_base::timeout never{};
  never.handshake_timeout = shared_.limits.header_time;
  never.idle_timeout = websocket::stream_base::none();  // tick() pings and gives up instead
  never.keep_alive_pings = false;
  stream_.set_option(never);
  stream_.read_message_max(shared_.limits.message_bytes);
  stream_.auto_fragment(false);
  stream_.control_callback([this](websocket::frame_type type, boost::beast::string_view) {
    if (type == websocket::frame_type::pong) {
      last_pong_ = Clock::now();
    } else if (type == websocket::frame_type::ping && !within_rate()) {
      send_away(CloseCode::policy_error, "more than the messages allowed in a second");
    }
  });
  stream_.text(true);
  const auto kept = std::make_shared<Request>(std::move(request));
  stream_.async_accept(
      *kept, [self = shared_from_this(), kept](const Error& error) { self->on_upgraded(error); });
}

void LiveClient::on_upgraded(const Error& error) {
  if (error) return drop();
  joined_ = true;
  last_ping_ = last_pong_ = Clock::now();
  shared_.feed.join(shared_from_this());
  read();
}

void LiveClient::read() {
  stream_.async_read(incoming_, [self = shared_from_this()](const Error& error, std::size_t) {
    if (error) return self->drop();
    if (self->closing_) {
      self->incoming_.clear();
      return self->read();  // only the closing handshake is awaited
    }
    if (self->stream_.got_binary()) {
      self->send_away(CloseCode::unknown_data, "only text messages are taken");
    } else {
      const auto data = self->incoming_.cdata();
      self->on_message({static_cast<const char*>(data.data()), data.size()});
    }
    self->incoming_.clear();
    self->read_next();
  });
}

void LiveClient::read_next() {
  paused_ = !closing_ && answers_.size() >= shared_.limits.waiting_answers;
  if (!paused_) read();
}

bool LiveClient::within_rate() {
  const double per_second = shared_.limits.messages_per_second;
  const Clock::time_point now = Clock::now();
  const std::chrono::duration<double> passed = now - allowance_at_;
  allowance_ = std::min(per_second, allowance_ + passed.count() * per_second);
  allowance_at_ = now;
  allowance_ -= 1;
  return allowance_ >= 0;
}

void LiveClient::on_message(std::string_view text) {
  if (!within_rate()) {
    return send_away(CloseCode::policy_error, "more than the messages allowed in a second");
  }
  const auto decoded = decode_rpc(text);
  if (const auto* failure = std::get_if<RpcFailure>(&decoded)) {
    if (!failure->is_request()) return send_away(CloseCode::policy_error, failure->message);
    shared_.audit.command("(refused)",
                          failure->problem.empty() ? "no such method" : failure->problem);
    return answer(encode_failure(*failure));
  }
  on_command(std::get<RpcCall>(decoded));
}

void LiveClient::on_command(const RpcCall& call) {
  if (const auto* watch = std::get_if<Watch>(&call.command)) {
    answer(encode_watch(call.id, shared_.feed.interval(watch->close).count()));
    return shared_.feed.watch(this, watch->close);
  }
  if (const auto unknown = check_names(call, shared_.feed.refresh_schema())) {
    shared_.audit.command(call.method, unknown->problem);
    return answer(encode_failure(*unknown));
  }
  const bool taken = shared_.command(call, [weak = weak_from_this()](std::string text) {
    if (const auto self = weak.lock()) self->answer(std::move(text));
  });
  if (!taken) {
    answer(encode_failure({call.id, RpcCode::busy, call.method + ": too many wait already",
                           problem::kTooManyCommands, "Ask again when the others are answered."}));
  }
}

void LiveClient::answer(std::string text) {
  expect_here();
  if (dropped_) return;
  hold(text.size());
  answers_.push_back(std::make_shared<const std::string>(std::move(text)));
  if (unsent() > shared_.limits.close_above) return drop();
  while (shared_.answer_bytes > shared_.limits.answer_bytes) {
    LiveClient* const largest = *std::max_element(
        shared_.clients.begin(), shared_.clients.end(),
        [](const auto* a, const auto* b) { return a->answer_bytes_ < b->answer_bytes_; });
    largest->drop();
    if (largest == this) return;
  }
  pump();
}

void LiveClient::hold(std::size_t bytes) {
  answer_bytes_ += bytes;
  shared_.answer_bytes += bytes;
  auto& most = shared_.most_answer_bytes;
  most.store(std::max(most.load(std::memory_order_relaxed), shared_.answer_bytes),
             std::memory_order_relaxed);
}

void LiveClient::let_go(std::size_t bytes) {
  answer_bytes_ -= bytes;
  shared_.answer_bytes -= bytes;
}

void LiveClient::take_schema(Text frame) {
  expect_here();
  schema_ = std::move(frame);
  sample_.reset();  // its ids are of the schema before
  if (unsent() > shared_.limits.close_above) return drop();
  pump();
}

void LiveClient::take_sample(Text frame) {
  expect_here();
  sample_.reset();
  if (unsent() + frame->size() > shared_.limits.skip_above && writing_ != nullptr) return;
  sample_ = std::move(frame);
  pump();
}

std::size_t LiveClient::unsent() const {
  std::size_t bytes = 0;
  for (const Text& text : answers_) bytes += text->size();
  for (const Text& text : {writing_, schema_, sample_}) bytes += text == nullptr ? 0 : text->size();
  return bytes;
}

void LiveClient::pump() {
  if (writing_ != nullptr || closing_ || dropped_) return;
  if (!answers_.empty()) {
    writing_ = std::move(answers_.front());
    answers_.pop_front();
    writing_answer_ = writing_->size();
  } else if (schema_ != nullptr) {
    writing_ = std::move(schema_);
  } else if (sample_ != nullptr) {
    writing_ = std::move(sample_);
  } else {
    return;
  }
  write_started_ = Clock::now();
  stream_.async_write(
      boost::asio::buffer(*writing_),
      [self = shared_from_this()](const Error& error, std::size_t) { self->on_written(error); });
}

void LiveClient::on_written(const Error& error) {
  writing_.reset();
  if (error || dropped_) return drop();
  let_go(std::exchange(writing_answer_, 0));
  if (closing_) return finish_closing();
  pump();
  if (paused_) read_next();
}

void LiveClient::tick(Clock::time_point now) {
  expect_here();
  const Limits& limits = shared_.limits;
  const bool stalled = writing_ != nullptr && now - write_started_ > limits.stall_limit;
  const bool silent = now - last_pong_ > limits.pong_limit;
  if (stalled || silent || (closing_ && now > close_deadline_)) return drop();
  if (closing_ || pinging_ || now - last_ping_ < limits.ping_interval) return;
  last_ping_ = now;
  pinging_ = true;
  stream_.async_ping({}, [self = shared_from_this()](const Error& error) {
    self->pinging_ = false;
    if (error) self->drop();
  });
}

void LiveClient::say_goodbye() { send_away(CloseCode::going_away, "the binary stops"); }

void LiveClient::send_away(CloseCode code, std::string_view reason) {
  expect_here();
  if (closing_ || dropped_) return;
  if (code != CloseCode::going_away) shared_.audit.refusal(static_cast<int>(code), reason);
  closing_ = true;
  close_deadline_ = Clock::now() + shared_.limits.goodbye_time;
  close_reason_.code = code;
  // A close frame holds 123 bytes of reason; cut it at a character, not inside one.
  reason = reason.substr(0, 120);
  while (!reason.empty() && (static_cast<unsigned char>(reason.back()) & 0xC0U) == 0x80U) {
    reason.remove_suffix(1);
  }
  if (!reason.empty() && static_cast<unsigned char>(reason.back()) >= 0xC0U)
    reason.remove_suffix(1);
  close_reason_.reason.assign(reason.data(), reason.size());
  if (writing_ == nullptr) finish_closing();
}

void LiveClient::finish_closing() {
  stream_.async_close(close_reason_, [self = shared_from_this()](const Error&) { self->drop(); });
}

void LiveClient::drop() {
  expect_here();
  if (dropped_) return;
  dropped_ = true;
  closing_ = true;
  answers_.clear();
  schema_.reset();
  sample_.reset();
  let_go(answer_bytes_);
  writing_answer_ = 0;
  if (joined_) shared_.feed.leave(this);
  Error ignored;
  auto& socket = stream_.next_layer();
  socket.shutdown(boost::asio::ip::tcp::socket::shutdown_both, ignored);
  socket.close(ignored);
}

}  // namespace penstock::control
