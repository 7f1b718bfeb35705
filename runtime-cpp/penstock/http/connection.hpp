#pragma once

#include <atomic>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "penstock/base/thread_rule.hpp"
#include "penstock/base/time.hpp"
#include "penstock/http/answer.hpp"
#include "penstock/http/connections.hpp"
#include "penstock/http/limits.hpp"
#include "penstock/http/line.hpp"
#include "penstock/http/reply.hpp"
#include "penstock/http/request_guard.hpp"
#include "penstock/http/request_parser.hpp"

namespace penstock::http {

/// One HTTP connection: its times, limits and answers; what a request means is for derived classes.
/// On the thread that owns its line, but where it says something else.
///
/// One request at a time: what a peer sends behind it stays in the socket, but for the piece that
/// came with it, and is not read before the answer has been written.
class Connection : public std::enable_shared_from_this<Connection>, public Line::User {
 public:
  /// `all` outlives it.
  Connection(std::unique_ptr<Line> line, const Limits& limits, Connections& all);
  ~Connection() override;

  /// It is one of all from now on. Before begin(), once; any thread.
  void enroll() { place_ = all_.add(this); }
  /// Where it is owned from now on.
  void begin() final;
  /// Ends it now.
  void drop() override;
  /// poked(), here or soon where it is owned. Any thread.
  void poke();
  /// drop() in the same way, unless an answer of ours is what is waited for by then. Any thread.
  void send_away();
  /// A request may begin, or its head is not whole yet.
  [[nodiscard]] bool awaits_request() const { return phase() == Phase::head; }

  // Any thread.

  /// Nothing but the peer is waited for, to send a head or a body or to take an answer, so that it
  /// may go when there are too many.
  [[nodiscard]] bool awaits_peer() const { return phase() != Phase::answer; }
  [[nodiscard]] Connections::Clock::time_point awaited_since() const {
    return Connections::Clock::time_point(since_.load(std::memory_order_relaxed));
  }
  /// Bytes of memory.
  [[nodiscard]] std::size_t holds() const { return held_.load(std::memory_order_relaxed); }
  /// It was sent away.
  [[nodiscard]] bool leaves() const { return leaves_.load(std::memory_order_seq_cst); }

 protected:
  /// A head was read: answer it by reply(), now or later, or read_body() first.
  virtual void on_request(const RequestHead& head) = 0;
  virtual void on_body(std::string /*body*/) {}
  /// The reply deadline set by await_answer() has passed.
  virtual void on_answer_late() {}
  /// The request could not be read; it is answered with this.
  virtual void on_unreadable(const Denial& /*denial*/) {}
  /// The longest body that a head may announce to be looked at at all; else 413. What is read is
  /// bounded by read_body().
  [[nodiscard]] virtual std::size_t most_announced() const { return limits_.body_bytes; }
  /// How a refusal is worded.
  [[nodiscard]] virtual Reply refusal(const Denial& denial) const = 0;

  /// The body of the present request, of at most `limit` bytes: on_body(), or 413 and 408.
  void read_body(std::size_t limit);
  /// Keeps itself alive until reply(), at most so long.
  void await_answer(Limits::Time time);
  /// When that is over, of what is to be answered: by the clock of now_ns(), and to the same
  /// moment, so that nothing begins for a request that was told that its time is over.
  [[nodiscard]] Nanos answer_due(Limits::Time time) const {
    return to_ns((now_ + time).time_since_epoch());
  }
  /// Or, where all connections hold too much for it already, that there is no room for it.
  void reply(Reply content, bool keep_alive);
  /// What the client asked for.
  [[nodiscard]] bool client_keeps_alive() const;

  [[nodiscard]] Line& line() { return *line_; }
  void poked() override;

  // For a connection that becomes something else.
  [[nodiscard]] bool has_unread_bytes() const { return buffer_.size() > 0; }
  /// Its line's socket is somebody else's from now on.
  void give_up_line();
  [[nodiscard]] boost::beast::http::request<boost::beast::http::empty_body> give_request() {
    return parser().request();
  }

 private:
  enum class Phase { head, body, answer, reply, drain };
  using Error = boost::system::error_code;

  void received(bool good, std::size_t bytes) final;
  void sent(bool good) final;
  void woken() final;
  [[nodiscard]] bool may_move() const final { return awaits_peer(); }
  void left_alone() final;
  [[nodiscard]] std::shared_ptr<Line::User> keep() final { return shared_from_this(); }

  void expect_here() const noexcept {
    if constexpr (kChecksRules)
      expect_rule(line_->is_here(), "an HTTP connection is used by the thread that owns its line");
  }
  // Written by its thread alone. Relaxed: by what others see of it they choose, no more.
  [[nodiscard]] Phase phase() const { return phase_.load(std::memory_order_relaxed); }
  void enter(Phase phase) { phase_.store(phase, std::memory_order_relaxed); }
  void wait_from_now() { since_.store(now_.time_since_epoch(), std::memory_order_relaxed); }
  void look_at_clock() { now_ = Connections::Clock::now(); }
  std::size_t now_holds(std::size_t bytes) {
    const std::size_t before = holds();
    held_.store(bytes, std::memory_order_relaxed);
    return before;
  }

  // Of the request that is read or answered: there is one.
  // NOLINTBEGIN(bugprone-unchecked-optional-access)
  [[nodiscard]] RequestParser& parser() { return *parser_; }
  [[nodiscard]] const RequestParser& parser() const { return *parser_; }
  // NOLINTEND(bugprone-unchecked-optional-access)
  void begin_request();
  void forget_leaving();
  void set_deadline(Limits::Time time);
  void await_deadline();
  void on_deadline();
  /// What of its time a body has left, by what has come of it; 0 or less: it is late.
  [[nodiscard]] Limits::Time body_time() const;
  void await_next();
  void read_head();
  /// Gives the parser what is here; goes on reading, or with what is whole.
  void parse();
  void on_whole();
  void read_more();
  /// What there is too much of, counted over all pieces.
  [[nodiscard]] std::optional<Denial> too_much() const;
  /// Counts what it holds. False: there is no room for it, nor anybody who should go instead.
  [[nodiscard]] bool hold();
  void refuse_unreadable(const Error& error);
  void turn_away(const Denial& denial);
  void on_replied();
  void drain();

  const Limits& limits_;
  const std::unique_ptr<Line> line_;
  boost::beast::flat_buffer buffer_;
  std::optional<RequestParser> parser_;  // one for each request; none: it has not begun
  Answer answer_;
  Connections& all_;
  std::optional<Connections::Place> place_;
  std::shared_ptr<Connection> self_;  // while only an answer is waited for
  std::atomic<Phase> phase_{Phase::head};
  Connections::Clock::time_point now_;       // when it was last told something
  Connections::Clock::time_point deadline_;  // of this phase
  Connections::Clock::time_point wakes_at_;
  Connections::Clock::time_point ends_at_ = Connections::Clock::time_point::max();
  bool timed_ = false;  // something waits for the deadline, or for an earlier one
  bool late_ = false;   // it has passed
  bool moved_ = false;  // the socket is somebody else's now
  bool gone_ = false;
  bool keeps_alive_ = true;  // after this answer
  bool in_body_ = false;     // the parser is behind the head
  // When we began to wait for the peer in this phase.
  std::atomic<Connections::Clock::duration> since_{};
  std::size_t parsed_ = 0;            // bytes of this head or body
  std::size_t body_ = 0;              // of them, what the body itself takes
  std::atomic<std::size_t> held_{0};  // bytes, as `all_` knows
  std::atomic<bool> leaves_{false};
  std::atomic<bool> told_{false};  // all_, that it leaves
  std::size_t leaving_bytes_ = 0;  // that all_ was told
  std::size_t drained_ = 0;
};

}  // namespace penstock::http
