#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "penstock/base/thread_rule.hpp"
#include "penstock/control/host.hpp"
#include "penstock/control/limits.hpp"

namespace penstock::control {

/// A text shared by all who are sent it.
using Text = std::shared_ptr<const std::string>;

/// One who is fed. All calls on `ps-control`.
class Subscriber {
 public:
  using Clock = std::chrono::steady_clock;

  Subscriber() = default;
  Subscriber(const Subscriber&) = delete;
  Subscriber& operator=(const Subscriber&) = delete;
  virtual ~Subscriber() = default;

  /// Sent before any sample that follows.
  virtual void take_schema(Text frame) = 0;
  /// Replaces a sample that was not sent yet.
  virtual void take_sample(Text frame) = 0;
  /// At least once a second: time for pings and for giving up.
  virtual void tick(Clock::time_point now) = 0;
  /// The server ends.
  virtual void say_goodbye() = 0;
};

/// Takes a sample of the binary whenever somebody is due to get one, encodes it once and gives it
/// to all of them. With no subscriber nothing is taken and no timer runs. On `ps-control`.
class Feed final {
 public:
  Feed(boost::asio::io_context& io, Host& host, const Limits& limits);

  /// Gives the subscriber a schema and a first sample at once.
  void join(const std::shared_ptr<Subscriber>& subscriber);
  void leave(const Subscriber* subscriber);
  /// How closely one looks. Gives it a schema with its new interval.
  void watch(const Subscriber* subscriber, bool close);
  [[nodiscard]] std::chrono::milliseconds interval(bool close) const {
    return close ? limits_.close_interval : limits_.far_interval;
  }

  /// The schema as it is now; everybody is sent a new frame when it changed.
  const metrics::Schema& refresh_schema();

  /// Says goodbye to all.
  void close();
  [[nodiscard]] bool empty() const { return seats_.empty(); }

 private:
  using Clock = Subscriber::Clock;
  struct Seat {
    std::shared_ptr<Subscriber> subscriber;
    bool close = true;
    Clock::time_point due;  // of its next sample
  };

  void expect_here() noexcept { thread_.own("what clients are fed with is one thread's"); }
  Seat* find(const Subscriber* subscriber);
  Text schema_text(bool close);
  void arm();
  void tick();
  void feed(Clock::time_point now);

  Host& host_;
  const Limits& limits_;
  boost::asio::steady_timer timer_;
  std::vector<Seat> seats_;
  bool armed_ = false;
  std::uint64_t sequence_ = 0;

  std::optional<std::uint64_t> revision_;
  metrics::Schema schema_;
  Text close_schema_;  // encoded when first asked for, dropped when the schema changes
  Text far_schema_;
  [[no_unique_address]] OwnThread thread_;
};

}  // namespace penstock::control
