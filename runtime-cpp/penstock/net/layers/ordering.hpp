#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "penstock/base/time.hpp"
#include "penstock/net/layers/buffers.hpp"
#include "penstock/net/layers/packet.hpp"
#include "penstock/net/wire/bytes.hpp"

namespace penstock::net::layers {

/// Packets in the order in which they were sent: one that comes too early waits for those before
/// it, over a layer that loses some no longer than set. On the wire: u32 its number.
class Ordering {
 public:
  struct Settings {
    Nanos gap = 0;      ///< how long it waits for one that is missing; 0: for ever, as none is lost
    bool late = false;  ///< one that comes after that is given nevertheless, once
    std::uint32_t first_number = 0;  ///< the same at both ends
  };
  static constexpr std::size_t kHeader = 4;

  struct Figures {
    std::uint64_t skipped = 0;    ///< were missing for too long
    std::uint64_t late = 0;       ///< came after that, given or not
    std::uint64_t again = 0;      ///< had come before, or so long ago that nobody knows
    std::uint64_t malformed = 0;  ///< no end sends them: dropped
  };

  explicit Ordering(const Settings& settings)
      : settings_(settings),
        held_(std::make_unique<Held[]>(kWindow)),
        next_to_send_(kNumbersFrom + settings.first_number),
        next_(next_to_send_),
        first_(next_) {}

  template <class At>
  bool send(Packet packet, At at) {
    wire::put(packet.prepend(kHeader), static_cast<std::uint32_t>(next_to_send_));
    if (!at.send(packet)) return false;
    ++next_to_send_;
    return true;
  }
  template <class At>
  void receive(std::string_view bytes, At at) {
    wire::Taker taker(bytes);
    std::uint32_t low = 0;
    if (!taker.take(low) || taker.left().size() > At::kMost) {
      ++figures_.malformed;
      return;
    }
    const std::uint64_t number = whole_number(low, next_);
    if (number < next_) return came_late(number, taker.left(), at);
    if (number - next_ >= kWindow) {
      if (settings_.gap == 0) {
        ++figures_.malformed;
        return;
      }
      give_until(number - kWindow + 1, at);
      give_held(at);  // the next one may be there
    }
    if (number != next_) return hold(number, taker.left(), at.now(), At::kMost);
    took_next();
    at.receive(taker.left());
    give_held(at);
  }
  template <class At>
  void timer(At at) {
    if (gap_ends_ == 0 || at.now() < gap_ends_) return;
    std::uint64_t number = next_;
    while (held_[number % kWindow].buffer == nullptr) ++number;
    give_until(number, at);
    give_held(at);
  }
  [[nodiscard]] Nanos next() const noexcept { return gap_ends_; }
  [[nodiscard]] std::size_t room(std::size_t below) const noexcept { return below; }
  [[nodiscard]] std::size_t memory() const noexcept {
    return buffers_.bytes() + kWindow * sizeof(Held);
  }

  [[nodiscard]] const Figures& figures() const noexcept { return figures_; }

 private:
  struct Held {
    char* buffer = nullptr;  ///< null: it is missing
    std::uint32_t size = 0;
  };

  void hold(std::uint64_t number, std::string_view bytes, Nanos now, std::size_t most);
  void took_next() noexcept {
    given_[next_ % kWindow] = true;
    ++next_;
  }
  /// Whether it is the first time that it comes.
  [[nodiscard]] bool is_first(std::uint64_t number) noexcept;

  template <class At>
  void came_late(std::uint64_t number, std::string_view bytes, At at) {
    if (!is_first(number)) {
      ++figures_.again;
      return;
    }
    ++figures_.late;
    if (settings_.late) at.receive(bytes);
  }
  /// The next one, which is held.
  template <class At>
  void give_next(At at) {
    Held& held = held_[next_ % kWindow];
    char* const buffer = held.buffer;
    held.buffer = nullptr;
    --count_;
    took_next();
    at.receive({buffer, held.size});
    buffers_.give(buffer);
  }
  /// Those that are held before it; others are missing for good.
  template <class At>
  void give_until(std::uint64_t number, At at) {
    while (next_ != number) {
      if (count_ == 0) return skip_to(number);
      if (held_[next_ % kWindow].buffer != nullptr) {
        give_next(at);
      } else {
        skip_to(next_ + 1);
      }
    }
  }
  /// Those that nothing is missing before any more.
  template <class At>
  void give_held(At at) {
    while (held_[next_ % kWindow].buffer != nullptr) give_next(at);
    gap_ends_ = count_ == 0 || settings_.gap == 0 ? 0 : at.now() + settings_.gap;
  }
  void skip_to(std::uint64_t number) noexcept;

  Settings settings_;
  Figures figures_;
  Buffers buffers_;
  std::unique_ptr<Held[]> held_;
  std::size_t count_ = 0;  // that are held
  std::uint64_t next_to_send_;
  std::uint64_t next_;          // that is to be given
  std::uint64_t first_;         // of all
  std::bitset<kWindow> given_;  // of the last before next_
  Nanos gap_ends_ = 0;
};

}  // namespace penstock::net::layers
