#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <thread>
#include <vector>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/measure.hpp"
#include "harness/wait.hpp"

/// Items a second from one, two or four producers to one consumer, which has the first CPU for
/// itself; the producers share the others.
///
/// A queue `Q` has a `Q::Producer` (made on the producer's thread from the queue and its number)
/// with `push(value)`, and `Q::drain(sum)` on the consumer's thread: takes what is there, adds the
/// values to `sum` and returns how many there were.
namespace compare {

/// Items until the producers wait for the consumer: bounds the memory of the unbounded queues.
inline constexpr std::uint64_t kRound = 1U << 18U;

/// The index of a producer's CPU: all but the first, in turn.
inline unsigned producer_cpu(unsigned producer) {
  const auto others = static_cast<unsigned>(cpus().size()) - 1;
  return others == 0 ? 0 : 1 + producer % others;
}

template <class Q, unsigned producers>
double many_to_one() {
  constexpr std::uint64_t kShare = kRound / producers;
  Q queue;
  std::atomic<std::uint32_t> round{0};
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (unsigned producer = 0; producer < producers; ++producer) {
    threads.emplace_back([&queue, &round, &stop, producer] {
      pin(producer_cpu(producer));
      typename Q::Producer mine(queue, producer);
      for (std::uint32_t seen = 0;; ++seen) {
        while (round.load(std::memory_order_acquire) == seen) std::this_thread::yield();
        if (stop.load(std::memory_order_relaxed)) return;
        for (std::uint64_t item = 0; item < kShare; ++item) mine.push(item);
      }
    });
  }
  pin(0);
  std::uint64_t sum = 0;
  const double rate = rate_of([&](std::uint64_t& count) {
    const std::uint64_t rounds = (count + kRound - 1) / kRound;
    count = rounds * kRound;
    for (std::uint64_t done = 0; done < rounds; ++done) {
      round.fetch_add(1, std::memory_order_release);
      for (std::uint64_t taken = 0; taken < kRound;) {
        const std::uint64_t some = queue.drain(sum);
        if (some == 0) pause();
        taken += some;
      }
    }
  });
  stop.store(true, std::memory_order_relaxed);
  round.fetch_add(1, std::memory_order_release);
  for (std::thread& thread : threads) thread.join();
  keep(sum);
  return rate;
}

/// Enters a queue for one, two and four producers.
template <class Q>
struct EnterQueue {
  EnterQueue(std::string_view name, std::string_view what)
      : one({"mpsc/1", name, what, many_to_one<Q, 1>}),
        two({"mpsc/2", name, what, many_to_one<Q, 2>}),
        four({"mpsc/4", name, what, many_to_one<Q, 4>}) {}
  Enter one;
  Enter two;
  Enter four;
};

/// Messages that are nodes, of one cache line, sent again once the consumer has read them: how a
/// runtime that recycles its frames uses an intrusive queue.
template <class Node>
class RecycledNodes {
 public:
  struct alignas(64) Message : Node {
    std::uint64_t value = 0;
    std::atomic<bool> free{true};
  };

  /// The next message, as soon as it is free.
  [[nodiscard]] Message& next(std::uint64_t value) noexcept {
    Message& message = messages_[at_++ % kCount];
    while (!message.free.load(std::memory_order_acquire)) pause();
    message.free.store(false, std::memory_order_relaxed);
    message.value = value;
    return message;
  }
  void wait_until_read() const noexcept {
    for (const Message& message : messages_) {
      while (!message.free.load(std::memory_order_acquire)) pause();
    }
  }
  static std::uint64_t read(Message& message) noexcept {
    const std::uint64_t value = message.value;
    message.free.store(true, std::memory_order_release);
    return value;
  }

 private:
  static constexpr std::size_t kCount = 1024;
  std::vector<Message> messages_{kCount};
  std::size_t at_ = 0;
};

}  // namespace compare
