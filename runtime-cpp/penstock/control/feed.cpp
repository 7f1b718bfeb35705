#include "penstock/control/feed.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "penstock/control/live_frames.hpp"

namespace penstock::control {

Feed::Feed(boost::asio::io_context& io, Host& host, const Limits& limits)
    : host_(host), limits_(limits), timer_(io) {}

void Feed::join(const std::shared_ptr<Subscriber>& subscriber) {
  expect_here();
  refresh_schema();
  seats_.push_back({subscriber, true, Clock::now()});
  subscriber->take_schema(schema_text(true));
  feed(Clock::now());
  if (armed_) {
    timer_.cancel();  // maybe set for later than this one is due; its handler arms again
  } else {
    arm();
  }
}

void Feed::leave(const Subscriber* subscriber) {
  expect_here();
  // Called by the subscriber itself, maybe while feed() goes over the seats: tick() sweeps.
  if (Seat* seat = find(subscriber)) seat->subscriber.reset();
  if (std::none_of(seats_.begin(), seats_.end(),
                   [](const Seat& seat) { return seat.subscriber != nullptr; })) {
    timer_.cancel();
  }
}

void Feed::watch(const Subscriber* subscriber, bool close) {
  expect_here();
  Seat* seat = find(subscriber);
  if (seat == nullptr || seat->close == close) return;
  seat->close = close;
  seat->due = Clock::now() + interval(close);
  seat->subscriber->take_schema(schema_text(close));
  timer_.cancel();  // its handler arms again, at the pace that is right now
}

const metrics::Schema& Feed::refresh_schema() {
  expect_here();
  const std::uint64_t revision = host_.schema_revision();
  if (revision_ == revision) return schema_;
  schema_ = host_.schema();
  revision_ = revision;
  close_schema_.reset();
  far_schema_.reset();
  for (Seat& seat : seats_) {
    const auto subscriber = seat.subscriber;
    if (subscriber != nullptr) subscriber->take_schema(schema_text(seat.close));
  }
  return schema_;
}

void Feed::close() {
  expect_here();
  for (Seat& seat : seats_) {
    const auto subscriber = seat.subscriber;
    if (subscriber != nullptr) subscriber->say_goodbye();
  }
}

Feed::Seat* Feed::find(const Subscriber* subscriber) {
  const auto found = std::find_if(seats_.begin(), seats_.end(), [subscriber](const Seat& seat) {
    return seat.subscriber.get() == subscriber;
  });
  return found == seats_.end() ? nullptr : &*found;
}

Text Feed::schema_text(bool close) {
  Text& text = close ? close_schema_ : far_schema_;
  if (text == nullptr) {
    text = std::make_shared<const std::string>(schema_frame(schema_, interval(close)));
  }
  return text;
}

void Feed::arm() {
  if (armed_ || seats_.empty()) return;
  Clock::time_point next = Clock::now() + limits_.far_interval;
  for (const Seat& seat : seats_) next = std::min(next, seat.due);
  armed_ = true;
  timer_.expires_at(next);
  timer_.async_wait([this](const boost::system::error_code&) {
    armed_ = false;
    try {
      tick();
    } catch (const std::exception&) {
      // Out of memory, say: this round is left out, the next one comes.
      for (Seat& seat : seats_) seat.due = Clock::now() + limits_.far_interval;
      arm();
    }
  });
}

void Feed::tick() {
  seats_.erase(std::remove_if(seats_.begin(), seats_.end(),
                              [](const Seat& seat) { return seat.subscriber == nullptr; }),
               seats_.end());
  if (seats_.empty()) return;
  const Clock::time_point now = Clock::now();
  refresh_schema();
  feed(now);
  for (Seat& seat : seats_) {
    const auto subscriber = seat.subscriber;  // kept alive: it may leave in here
    if (subscriber != nullptr) subscriber->tick(now);
  }
  arm();
}

void Feed::feed(Clock::time_point now) {
  Text text;
  for (Seat& seat : seats_) {
    if (seat.subscriber == nullptr || seat.due > now) continue;
    if (text == nullptr) {
      metrics::Sample sample = host_.sample();
      sample.seq = ++sequence_;  // /metrics takes samples too; the feed's own are numbered
      text = std::make_shared<const std::string>(sample_frame(sample));
    }
    // In step with the clock, but after a pause (a stopped process) from now on, not in a burst.
    seat.due += interval(seat.close);
    if (seat.due <= now) seat.due = now + interval(seat.close);
    const auto subscriber = seat.subscriber;
    subscriber->take_sample(text);
  }
}

}  // namespace penstock::control
