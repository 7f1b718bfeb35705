#include "penstock/http/connection.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <utility>

#include "penstock/base/defaults.hpp"

namespace penstock::http {
namespace beast_http = boost::beast::http;
namespace {

// What one read may bring: little while a head is awaited, since idle connections keep it.
constexpr std::size_t kReadHead = 2048;
constexpr std::size_t kReadBody = std::size_t{16} * 1024;
// A connection that waits for a request keeps a buffer of this size, and gives a larger one back.
constexpr std::size_t kKeepBuffer = 4096;

// What OpenSSL keeps of a connection, about, with a record of which a part has come; and before its
// client has been heard, when it has buffers for a handshake.
constexpr std::size_t kMemoryOfSecured = std::size_t{31} * 1024;
constexpr std::size_t kMemoryOfHandshake = std::size_t{48} * 1024;

// An answer of so many bytes is given whatever else is held: what is refused has to be said.
constexpr std::size_t kSmallAnswer = 2048;

// `0\r\n\r\n`: of a chunked body Beast (1.74) must not be given less, or it asserts that more of
// the last chunk is there than came (boostorg/beast#2861). No chunked body ends with less, so
// nobody is kept waiting.
constexpr std::size_t kLastChunk = 5;

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

/// What a request that could not be read is answered; nothing where nobody is there to read it.
std::optional<Denial> denial_of(const boost::system::error_code& error) {
  if (error == beast_http::error::header_limit) return Denial{431, "The headers are too long."};
  if (error == beast_http::error::body_limit) return Denial{413, "The body is too long."};
  if (error == beast_http::error::bad_version) return Denial{505, "Only HTTP/1.1 is spoken here."};
  if (error.category() == beast_http::make_error_code(beast_http::error::bad_method).category()) {
    return Denial{400, "This is no HTTP request."};
  }
  return std::nullopt;
}

}  // namespace

Connection::Connection(std::unique_ptr<Line> line, const Limits& limits, Connections& all)
    : limits_(limits), line_(std::move(line)), all_(all) {
  line_->serve(*this);
  look_at_clock();
  wait_from_now();
}

Connection::~Connection() {
  all_.hold(now_holds(0), 0);
  forget_leaving();
  if (place_) all_.remove(*place_);
}

void Connection::begin() {
  expect_here();
  look_at_clock();
  begin_request();
}

void Connection::begin_request() {
  set_deadline(limits_.header_time);
  // From the first word of a handshake on.
  if (line_->is_secured() && !hold()) return drop();
  read_head();
}

void Connection::drop() {
  expect_here();
  const std::shared_ptr<Connection> last = std::move(self_);
  gone_ = true;
  all_.hold(now_holds(0), 0);
  forget_leaving();
  if (!moved_) line_->close();
}

void Connection::send_away() {
  if (line_->is_here()) return drop();
  if (leaves_.exchange(true, std::memory_order_seq_cst)) return;
  leaving_bytes_ = holds();
  all_.leaves(leaving_bytes_);
  told_.store(true, std::memory_order_release);
  line_->poke();
}

// Also when it is gone: who sends it away may come after it.
void Connection::forget_leaving() {
  if (told_.exchange(false, std::memory_order_acquire)) all_.left(leaving_bytes_);
}

void Connection::poke() {
  if (line_->is_here()) return poked();
  line_->poke();
}

void Connection::poked() {
  expect_here();
  if (!leaves()) return;
  if (awaits_peer()) return drop();
  // It kept us waiting, and does not any more; but whoever sends it away has to be done with that.
  if (!told_.exchange(false, std::memory_order_acquire)) return;
  all_.left(leaving_bytes_);
  leaves_.store(false, std::memory_order_seq_cst);
}

// A request is waited for no more; its peer has a moment for what has begun.
void Connection::left_alone() {
  expect_here();
  if (phase() == Phase::head) return drop();
  const Limits::Time goodbye(defaults::kGoodbyeNanos / 1'000'000);
  look_at_clock();
  ends_at_ = std::min(ends_at_, now_ + goodbye);
  if (deadline_ > ends_at_) set_deadline(goodbye);
}

void Connection::give_up_line() {
  moved_ = true;
  all_.hold(now_holds(0), 0);
}

bool Connection::client_keeps_alive() const { return parser().keep_alive(); }

void Connection::set_deadline(Limits::Time time) {
  late_ = false;
  deadline_ = now_ + time;
  if (phase() != Phase::answer) deadline_ = std::min(deadline_, ends_at_);
  // Most deadlines are moved long before they come: one wait is for many of them.
  if (!timed_ || wakes_at_ > deadline_) await_deadline();
}

void Connection::await_deadline() {
  timed_ = true;
  wakes_at_ = deadline_;
  line_->wake_at(deadline_);
}

void Connection::woken() {
  expect_here();
  timed_ = false;
  if (gone_ || moved_) return;
  look_at_clock();
  if (deadline_ > now_) return await_deadline();
  on_deadline();
}

Limits::Time Connection::body_time() const {
  const auto spent = std::chrono::duration_cast<Limits::Time>(now_ - awaited_since());
  if (limits_.body_bytes_per_second == 0) return limits_.request_time - spent;
  const Limits::Time earned(parsed_ * 1'000 / limits_.body_bytes_per_second);
  return std::min(limits_.request_time, limits_.body_grace + earned) - spent;
}

void Connection::on_deadline() {
  if (phase() != Phase::answer && ends_at_ <= now_) return drop();
  if (phase() == Phase::body) {
    // What came since the deadline was set has earned it more time.
    if (const auto left = body_time(); left > Limits::Time::zero()) return set_deadline(left);
  }
  late_ = true;
  if (phase() == Phase::answer) return on_answer_late();
  if (phase() != Phase::head && phase() != Phase::body) return drop();
  line_->cancel();  // the read ends and answers 408
}

void Connection::await_next() {
  enter(Phase::head);
  if (buffer_.size() > 0) return begin_request();  // it is here already
  wait_from_now();
  if (buffer_.capacity() > kKeepBuffer) buffer_.shrink_to_fit();
  answer_.forget();
  parser_.reset();
  parsed_ = body_ = 0;
  const auto room = buffer_.prepare(kReadHead);
  static_cast<void>(hold());  // it holds less than before
  set_deadline(limits_.keep_alive_time);
  line_->read({static_cast<char*>(room.data()), room.size()});
}

void Connection::read_head() {
  enter(Phase::head);
  wait_from_now();
  parsed_ = body_ = 0;
  in_body_ = false;
  RequestParser& parser = parser_.emplace();
  parser.header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
  parser.body_limit(most_announced());
  parse();
}

void Connection::read_body(std::size_t limit) {
  expect_here();
  const auto announced = parser().content_length();
  if (announced && *announced > limit) return refuse_unreadable(beast_http::error::body_limit);
  enter(Phase::body);
  wait_from_now();
  parsed_ = body_ = 0;
  set_deadline(std::max(body_time(), Limits::Time::zero()));
  in_body_ = true;
  parser().body_limit(limit);
  parser().eager(true);
  if (!parser().expects_continue()) return parse();
  line_->write({kContinue, {}});
}

void Connection::parse() {
  Error error;
  const std::size_t least = in_body_ && parser().chunked() ? kLastChunk : 1;
  if (buffer_.size() >= least && !parser().is_done()) {
    const std::size_t used = parser().put(boost::asio::const_buffer(buffer_.data()), error);
    buffer_.consume(used);
    parsed_ += used;
    body_ = parser().body().size();
  }
  if (error && error != beast_http::error::need_more) return refuse_unreadable(error);
  if (const auto denial = too_much()) return turn_away(*denial);
  if (!hold()) return turn_away({503, "There is no memory for more requests; try again."});
  if (in_body_ ? parser().is_done() : parser().is_header_done()) return on_whole();
  read_more();
}

void Connection::on_whole() {
  enter(Phase::reply);
  if (!in_body_) return on_request(parser().head());
  on_body(std::move(parser().body()));
}

void Connection::read_more() {
  const std::size_t most = phase() == Phase::head ? kReadHead : kReadBody;
  const auto room = buffer_.prepare(most);
  line_->read({static_cast<char*>(room.data()), room.size()});
}

void Connection::received(bool good, std::size_t bytes) {
  expect_here();
  look_at_clock();
  if (phase() == Phase::drain) {
    drained_ += bytes;
    if (!good || drained_ > limits_.body_bytes) return drop();
    return drain();
  }
  if (!parser_) {
    // Silent for too long, or gone: nothing to say.
    if (!good || late_ || gone_) return drop();
    buffer_.commit(bytes);
    return begin_request();
  }
  if (gone_) return;
  // It may have come while its time ran out.
  if (!good || late_) return refuse_unreadable({});
  buffer_.commit(bytes);
  parse();
}

void Connection::sent(bool good) {
  expect_here();
  if (!good || gone_) return drop();
  look_at_clock();
  if (phase() != Phase::body) return on_replied();
  if (late_) return refuse_unreadable({});
  parse();
}

std::optional<Denial> Connection::too_much() const {
  if (phase() == Phase::body) {
    if (!parser().chunked()) return std::nullopt;  // it has no framing, and Beast counts it
    // What waits in the buffer is of no whole chunk header or trailer yet; behind the end of the
    // body it is the next request.
    const std::size_t waits = parser().is_done() ? 0 : buffer_.size();
    if (parsed_ - body_ + waits <= limits_.framing_bytes + kFramingOfAByte * body_) {
      return std::nullopt;
    }
    return Denial{413, "The chunks' extensions or the trailers are too long."};
  }
  // Beast's own limit is for what it gets at once: lines that come one by one go through.
  const bool whole = parser().is_header_done();
  if (parsed_ + (whole ? 0 : buffer_.size()) > limits_.header_bytes) {
    return denial_of(beast_http::error::header_limit);
  }
  if (whole && parser().fields() > limits_.header_fields) {
    return Denial{431, "There are too many headers."};
  }
  return std::nullopt;
}

bool Connection::hold() {
  if (gone_) return true;
  std::size_t now = buffer_.capacity() + answer_.capacity();
  if (line_->is_secured()) now += line_->is_heard() ? kMemoryOfSecured : kMemoryOfHandshake;
  if (parser_) now += parser_->memory_of_head();
  if (in_body_) now += 2 * body_;  // a text that grows has room for twice as much, at most
  all_.hold(now_holds(now), now);
  while (all_.held_for_long() > limits_.held_bytes) {
    const auto largest = all_.largest_awaited(Connections::Clock::now() - limits_.patience);
    if (largest == nullptr || largest.get() == this) return false;
    largest->send_away();
  }
  return true;
}

void Connection::refuse_unreadable(const Error& error) {
  if (!line_->is_heard()) return drop();
  if (!late_) {
    const auto denial = denial_of(error);
    return denial ? turn_away(*denial) : drop();
  }
  const bool slow = phase() == Phase::body && now_ - awaited_since() < limits_.request_time;
  turn_away({408, slow ? "The body comes too slowly." : "The request took too long."});
}

void Connection::turn_away(const Denial& denial) {
  if (gone_) return;
  on_unreadable(denial);
  reply(refusal(denial), false);
}

void Connection::await_answer(Limits::Time time) {
  expect_here();
  enter(Phase::answer);
  self_ = shared_from_this();
  set_deadline(time);
}

void Connection::reply(Reply content, bool keep_alive) {
  expect_here();
  const std::shared_ptr<Connection> last = std::move(self_);
  keep_alive = keep_alive && line_->lasts();
  const Answer::Then then = !keep_alive         ? Answer::Then::ends
                            : parser().is_old() ? Answer::Then::says_it_goes_on
                                                : Answer::Then::goes_on;
  look_at_clock();
  enter(Phase::reply);
  wait_from_now();
  set_deadline(limits_.request_time);
  if (!keep_alive) {
    // Nothing of it is needed any more, and the peer may take its time with the answer.
    parser_.reset();
    buffer_.clear();
    buffer_.shrink_to_fit();
  }
  body_ = 0;  // used by now
  const bool is_small = content.body.size() <= kSmallAnswer;
  answer_.fill(std::move(content), then);
  // Peers that ask for long answers and take none of them would fill our memory.
  if (!hold() && !is_small) {
    answer_.fill(refusal({500, "There is no memory for the answer to what was done."}), then);
    static_cast<void>(hold());
  }
  keeps_alive_ = keep_alive;
  line_->write(answer_.pieces());
}

void Connection::on_replied() {
  if (keeps_alive_) return await_next();
  // Closing while unread bytes wait would reset the connection and could take the answer away from
  // the peer: say that nothing more comes, then swallow what is still on its way, within limits.
  enter(Phase::drain);
  wait_from_now();
  set_deadline(std::min(limits_.request_time, Limits::Time(1'000)));
  line_->end();
  drain();
}

void Connection::drain() {
  buffer_.clear();
  const auto room = buffer_.prepare(4096);
  line_->read({static_cast<char*>(room.data()), room.size()});
}

}  // namespace penstock::http
