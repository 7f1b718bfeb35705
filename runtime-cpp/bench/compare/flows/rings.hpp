#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "flows/parcels.hpp"
#include "harness/wait.hpp"

/// Stages with a queue before each, on two threads: what a source and every second stage do on one
/// of them, and the other stages on the other one.
namespace compare {

/// Items that a thread takes from one queue before it looks at the next one.
inline constexpr unsigned kParcelsInTurn = 128;

/// `Queue` has `bool push(const Parcel&)` (false: full) for one thread and `bool pop(Parcel&)`
/// (false: empty) for one; also, if it likes, begin and end of a turn for both.
template <class Queue, unsigned stages>
class TwoThreads {
 public:
  double rate() {
    std::thread other([this] {
      pin(1);
      while (!stop_.load(std::memory_order_acquire)) {
        if (!serve(1)) pause();
      }
    });
    pin(0);
    const double rate = rate_of([this](std::uint64_t count) { send(count); });
    stop_.store(true, std::memory_order_release);
    other.join();
    keep(sum_);
    return rate;
  }

 private:
  void send(std::uint64_t count) {
    const std::uint64_t until = ended_ + count;
    std::uint64_t left = count;
    while (ended_ != until) {
      begin_pushing(0);
      for (unsigned turn = 0; turn < kParcelsInTurn && left != 0; ++turn, --left) {
        if (!queues_[0].push(Parcel{})) break;
      }
      end_pushing(0);
      serve(0);
    }
  }

  /// The stages of one thread, each a few events; false when there was none.
  bool serve(unsigned thread) {
    bool some = false;
    for (unsigned stage = 0; stage < stages; ++stage) {
      if (cpu_of_stage(stage, stages) != thread) continue;
      begin_popping(stage);
      if (stage + 1 < stages) begin_pushing(stage + 1);
      for (unsigned turn = 0; turn < kParcelsInTurn; ++turn) {
        if (!run(stage)) break;
        some = true;
      }
      end_popping(stage);
      if (stage + 1 < stages) end_pushing(stage + 1);
    }
    return some;
  }

  bool run(unsigned stage) {
    Parcel& parcel = held_[stage].parcel;
    if (!held_[stage].full && !queues_[stage].pop(parcel)) return false;
    if (stage + 1 == stages) {
      sum_ += parcel.words[0];
      ++ended_;
      return true;
    }
    if (!held_[stage].full) parcel = relayed(parcel);
    // A full queue holds back the stage before it.
    held_[stage].full = !queues_[stage + 1].push(parcel);
    return !held_[stage].full;
  }

  void begin_pushing(unsigned stage) {
    if constexpr (kTurns) queues_[stage].begin_pushing();
  }
  void end_pushing(unsigned stage) {
    if constexpr (kTurns) queues_[stage].end_pushing();
  }
  void begin_popping(unsigned stage) {
    if constexpr (kTurns) queues_[stage].begin_popping();
  }
  void end_popping(unsigned stage) {
    if constexpr (kTurns) queues_[stage].end_popping();
  }
  static constexpr bool kTurns = requires(Queue& queue) { queue.begin_pushing(); };

  struct alignas(128) Held {
    Parcel parcel;
    bool full = false;
  };

  std::array<Queue, stages> queues_;
  std::array<Held, stages> held_;
  alignas(128) std::atomic<bool> stop_{false};
  alignas(128) std::uint64_t ended_ = 0;
  std::uint64_t sum_ = 0;
};

}  // namespace compare
