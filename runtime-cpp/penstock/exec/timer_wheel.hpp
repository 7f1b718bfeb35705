#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "penstock/base/defaults.hpp"
#include "penstock/base/thread_rule.hpp"
#include "penstock/base/time.hpp"

namespace penstock::exec {

/// A place in the ring of a slot's timers; the slot itself is one.
struct TimerLink {
  TimerLink* next = nullptr;
  TimerLink* previous = nullptr;  ///< null: in no ring
};

/// Something that happens at a time. Lives in its user's object; cancelled by its destructor.
class Timer : TimerLink {
 public:
  using Fire = void (*)(Timer& timer) noexcept;

  Timer() = default;
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() { cancel(); }

  [[nodiscard]] bool armed() const noexcept { return previous != nullptr; }
  /// Its worker's thread only.
  void cancel() noexcept;

 private:
  friend class TimerWheel;
  Fire fire_ = nullptr;
  std::uint64_t tick_ = 0;
  std::uint32_t* armed_count_ = nullptr;
  [[no_unique_address]] OwnThread thread_;  // while it is armed
};

/// Six wheels of 64 slots (Varghese and Lauck, "Hashed and Hierarchical Timing Wheels", 1987):
/// arming and cancelling are a few instructions whatever the number of timers. A timer fires at
/// its time or up to one tick (65.5 us) later, never earlier; those of one tick fire in the order
/// in which they were armed. One thread.
class TimerWheel {
 public:
  explicit TimerWheel(Nanos now) noexcept : tick_(to_tick(now)) {
    for (auto& level : slots_) {
      for (TimerLink& slot : level) clear(slot);
    }
  }
  TimerWheel(const TimerWheel&) = delete;
  TimerWheel& operator=(const TimerWheel&) = delete;
  ~TimerWheel() = default;

  [[nodiscard]] bool empty() const noexcept { return armed_ == 0; }

  /// Arms, or arms anew.
  void arm(Timer& timer, Nanos at, Timer::Fire fire) noexcept {
    timer.cancel();
    timer.fire_ = fire;
    // Rounded up: never early. A time past is the next tick.
    timer.tick_ = (static_cast<std::uint64_t>(at < 0 ? 0 : at) >> defaults::kTickBits) + 1;
    if (timer.tick_ <= tick_) timer.tick_ = tick_ + 1;
    timer.armed_count_ = &armed_;
    timer.thread_.note();
    ++armed_;
    insert(timer);
  }

  /// Fires what is due. Firing may arm and cancel any timer.
  void advance(Nanos now) noexcept {
    const std::uint64_t target = to_tick(now);
    while (armed_ != 0) {
      const Next next = find_next();
      if (next.tick > target) break;
      if (next.tick > tick_) tick_ = next.tick;
      TimerLink& slot = slots_[next.level][next.slot];
      if (next.level == 0) {
        auto& timer = static_cast<Timer&>(*slot.next);
        const Timer::Fire fire = timer.fire_;
        timer.cancel();
        fire(timer);
      } else {
        cascade(slot);
      }
    }
    if (target > tick_) tick_ = target;
  }

  /// When to look again: at or before the next timer; 0: there is none.
  [[nodiscard]] Nanos next_look() noexcept {
    if (armed_ == 0) return 0;
    return static_cast<Nanos>(find_next().tick << defaults::kTickBits);
  }

 private:
  static constexpr unsigned kSlotBits = 6;
  static constexpr unsigned kSlots = 1U << kSlotBits;
  static constexpr unsigned kLevels = 6;
  static constexpr std::uint64_t kReach = std::uint64_t{kSlots - 1} << (kSlotBits * (kLevels - 1));

  struct Next {
    unsigned level;
    unsigned slot;
    std::uint64_t tick;
  };

  static std::uint64_t to_tick(Nanos at) noexcept {
    return static_cast<std::uint64_t>(at) >> defaults::kTickBits;
  }

  // The level is that of the highest slot digit in which the timer's tick differs from now.
  void insert(Timer& timer) noexcept {
    std::uint64_t tick = timer.tick_;
    // Farther than the wheels reach: looks again when it gets there. One slot less than all, or it
    // would meet its own slot again.
    if (tick - tick_ > kReach) tick = tick_ + kReach;
    const std::uint64_t differs = (tick ^ tick_) | (kSlots - 1);
    unsigned level = static_cast<unsigned>(std::bit_width(differs) - 1) / kSlotBits;
    if (level >= kLevels) level = kLevels - 1;
    const auto slot = static_cast<unsigned>((tick >> (level * kSlotBits)) & (kSlots - 1));
    // At the end, also when it comes from a larger wheel: they keep their order.
    TimerLink& ring = slots_[level][slot];
    timer.next = &ring;
    timer.previous = ring.previous;
    ring.previous->next = &timer;
    ring.previous = &timer;
    used_[level] |= std::uint64_t{1} << slot;
  }

  // None of them comes back into the same slot.
  void cascade(TimerLink& slot) noexcept {
    TimerLink* link = slot.next;
    clear(slot);
    while (link != &slot) {
      TimerLink* const next = link->next;
      insert(static_cast<Timer&>(*link));
      link = next;
    }
  }

  static void clear(TimerLink& slot) noexcept { slot.next = slot.previous = &slot; }

  // The first used slot from now on. Cancelling leaves a slot's bit set; it is cleared here.
  [[nodiscard]] Next find_next() noexcept {
    for (unsigned level = 0; level < kLevels; ++level) {
      const unsigned shift = level * kSlotBits;
      while (used_[level] != 0) {
        const auto now_slot = static_cast<unsigned>((tick_ >> shift) & (kSlots - 1));
        const auto ahead = static_cast<unsigned>(
            std::countr_zero(std::rotr(used_[level], static_cast<int>(now_slot))));
        const unsigned slot = (now_slot + ahead) & (kSlots - 1);
        if (const TimerLink& ring = slots_[level][slot]; ring.next == &ring) {
          used_[level] &= ~(std::uint64_t{1} << slot);
          continue;
        }
        // Slots before the current one, seen from it, belong to the next turn of the wheel.
        const std::uint64_t turn = (tick_ >> shift) + ahead;
        return {level, slot, turn << shift};
      }
    }
    return {0, 0, ~std::uint64_t{0}};
  }

  std::uint64_t tick_;
  std::uint32_t armed_ = 0;
  std::array<std::uint64_t, kLevels> used_{};
  std::array<std::array<TimerLink, kSlots>, kLevels> slots_;
};

inline void Timer::cancel() noexcept {
  if (previous == nullptr) return;
  thread_.check("a timer is cancelled on the thread that armed it");
  previous->next = next;
  next->previous = previous;
  previous = nullptr;
  next = nullptr;
  --*armed_count_;
}

}  // namespace penstock::exec
