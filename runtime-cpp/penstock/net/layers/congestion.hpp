#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "penstock/base/time.hpp"

namespace penstock::net::layers {

/// How many bytes may be under way at a time: NewReno as of RFC 9002, 7, and B. Where a round trip
/// takes as long as some ticks of a timer, they leave spread over it (7.7).
class Congestion {
 public:
  explicit Congestion(std::size_t datagram) noexcept
      : datagram_(datagram),
        window_(std::min(10 * datagram, std::max(2 * datagram, std::size_t{14'720}))),
        tokens_(window_) {}

  [[nodiscard]] std::size_t window() const noexcept { return window_; }
  [[nodiscard]] std::size_t under_way() const noexcept { return under_way_; }
  [[nodiscard]] bool has_room() const noexcept {
    return under_way_ == 0 || under_way_ + datagram_ <= window_;
  }
  /// When the next packet may go, where there is room for it: now at the latest, as a rule.
  [[nodiscard]] Nanos may_go(Nanos now, Nanos round_trip) noexcept {
    if (round_trip < kPacedFrom) return now;
    const std::size_t most = std::max(10 * datagram_, window_ / 8);
    // A quarter more than the window in a round trip.
    const auto a_trip = static_cast<Nanos>(window_ + window_ / 4);
    const Nanos since = std::min(now - filled_, round_trip);
    const auto more = static_cast<std::size_t>(since * a_trip / round_trip);
    if (more != 0) {
      tokens_ = std::min(most, tokens_ + more);
      filled_ = now;
    }
    if (tokens_ >= datagram_) return now;
    return now + static_cast<Nanos>(datagram_ - tokens_) * round_trip / a_trip + 1;
  }

  void sent(std::size_t bytes) noexcept {
    under_way_ += bytes;
    tokens_ -= std::min(tokens_, bytes);
  }
  /// `number` is of a packet, and those below `next` have been sent.
  void acknowledged(std::size_t bytes, std::uint64_t number) noexcept {
    const bool was_used = 2 * under_way_ >= window_;
    under_way_ -= bytes;
    if (number < recovers_until_ || !was_used) return;
    if (window_ < threshold_) {
      window_ += bytes;
    } else {
      grown_ += bytes * datagram_;
      if (grown_ >= window_ * datagram_) {
        grown_ = 0;
        window_ += datagram_;
      }
    }
    window_ = std::min(window_, kMostWindow);
  }
  void lost(std::size_t bytes, std::uint64_t number, std::uint64_t next) noexcept {
    under_way_ -= bytes;
    if (number < recovers_until_) return;
    recovers_until_ = next;
    window_ = threshold_ = std::max(window_ / 2, least());
    grown_ = 0;
  }
  /// Nothing has come for several round trips.
  void persists(std::uint64_t next) noexcept {
    threshold_ = std::max(window_ / 2, least());
    window_ = least();
    recovers_until_ = next;
  }

 private:
  static constexpr Nanos kPacedFrom = 8'000'000;
  static constexpr std::size_t kMostWindow = std::size_t{4} << 20U;
  /// So that, as a rule, three that come after a lost one can tell.
  [[nodiscard]] std::size_t least() const noexcept { return 4 * datagram_; }

  std::size_t datagram_;
  std::size_t window_;
  std::size_t threshold_ = kMostWindow;
  std::size_t under_way_ = 0;
  std::size_t grown_ = 0;
  std::uint64_t recovers_until_ = 0;
  std::size_t tokens_;
  Nanos filled_ = 0;
};

}  // namespace penstock::net::layers
