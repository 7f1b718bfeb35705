#pragma once

#include <ucontext.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

/// A deterministic scheduler: runs a few short threads under every interleaving of their atomic
/// operations with at most some preemptions (iterative context bounding: Musuvathi and Qadeer,
/// PLDI 2007). What it explores is sequentially consistent; that weaker memory orders suffice is
/// the matter of the stress tests under ThreadSanitizer.
namespace penstock::testing {

class Interleavings {
 public:
  /// What one execution runs: `threads` interleaved, then `check`. Its state is its own.
  struct Scenario {
    std::vector<std::function<void()>> threads;
    std::function<void()> check;
  };

  explicit Interleavings(int preemptions) : preemptions_(preemptions) {}

  /// Runs the scenarios that `make` gives under all schedules; returns how many there were. Throws
  /// std::runtime_error when a thread does not come to its end.
  template <class Make>
  std::size_t explore(const Make& make) {
    std::size_t runs = 0;
    do {
      const Scenario scenario = make();
      run(scenario);
      if (scenario.check) scenario.check();
      ++runs;
    } while (next_schedule());
    return runs;
  }

  /// In front of each atomic operation of a thread: another one may go on here.
  static void step() {
    if (current_ != nullptr) current_->yield();
  }

 private:
  static constexpr std::size_t kStack = 64 * 1024;
  static constexpr int kMostSteps = 20'000;
  /// A thread that runs this long while others could is waiting for one of them.
  static constexpr int kPatience = 24;

  struct Thread {
    std::function<void()> body;
    std::unique_ptr<std::array<std::byte, kStack>> stack;
    ucontext_t context{};
    bool done = false;
  };
  /// At this step: which of so many ways was taken.
  struct Choice {
    std::size_t taken;
    std::size_t ways;
    int preemptions_before;
    bool preempts;  // whether any way but the first is a preemption
  };

  void run(const Scenario& scenario) {
    threads_.clear();
    threads_.resize(scenario.threads.size());
    for (std::size_t index = 0; index < threads_.size(); ++index) {
      Thread& thread = threads_[index];
      thread.body = scenario.threads[index];
      thread.stack = std::make_unique<std::array<std::byte, kStack>>();
      getcontext(&thread.context);
      thread.context.uc_stack.ss_sp = thread.stack->data();
      thread.context.uc_stack.ss_size = kStack;
      thread.context.uc_link = &home_;
      makecontext(&thread.context, &Interleavings::enter, 0);
    }
    current_ = this;
    at_ = 0;
    preempted_ = 0;
    std::size_t running = 0;
    int steps = 0;
    int alone = 0;
    bool first = true;
    for (;;) {
      std::vector<std::size_t> ways;
      const bool goes_on = !first && !threads_[running].done && alone < kPatience;
      if (goes_on) ways.push_back(running);
      for (std::size_t index = 0; index < threads_.size(); ++index) {
        if (!threads_[index].done && !(index == running && !first)) ways.push_back(index);
      }
      if (ways.empty() && !first && !threads_[running].done) ways.push_back(running);
      if (ways.empty()) break;
      const std::size_t way = choose(ways.size(), goes_on);
      alone = !first && ways[way] == running ? alone + 1 : 0;
      first = false;
      running = ways[way];
      if (++steps > kMostSteps) {
        current_ = nullptr;
        throw std::runtime_error("a thread does not come to its end");
      }
      running_ = running;
      swapcontext(&home_, &threads_[running].context);
    }
    current_ = nullptr;
  }

  std::size_t choose(std::size_t ways, bool preempts) {
    if (at_ == schedule_.size()) schedule_.push_back({0, ways, preempted_, preempts});
    const Choice& choice = schedule_[at_++];
    if (choice.preempts && choice.taken != 0) ++preempted_;
    return choice.taken;
  }

  // Depth first: the last choice that has another way left, within the bound.
  bool next_schedule() {
    while (!schedule_.empty()) {
      Choice& last = schedule_.back();
      const bool allowed = !last.preempts || last.preemptions_before < preemptions_;
      if (last.taken + 1 < last.ways && allowed) {
        ++last.taken;
        return true;
      }
      schedule_.pop_back();
    }
    return false;
  }

  void yield() { swapcontext(&threads_[running_].context, &home_); }

  static void enter() {
    Interleavings& self = *current_;
    Thread& thread = self.threads_[self.running_];
    thread.body();
    thread.done = true;
  }

  static inline Interleavings* current_ = nullptr;

  const int preemptions_;
  std::vector<Thread> threads_;
  std::vector<Choice> schedule_;
  std::size_t at_ = 0;
  std::size_t running_ = 0;
  int preempted_ = 0;
  ucontext_t home_{};
};

/// An atomic whose every operation is a step of the schedule.
template <class T>
class SteppedAtomic {
 public:
  SteppedAtomic() = default;
  SteppedAtomic(T value) : value_(value) {}  // NOLINT: as std::atomic

  T load(std::memory_order /*order*/ = std::memory_order_seq_cst) const {
    Interleavings::step();
    return value_;
  }
  void store(T value, std::memory_order /*order*/ = std::memory_order_seq_cst) {
    Interleavings::step();
    value_ = value;
  }
  T exchange(T value, std::memory_order /*order*/ = std::memory_order_seq_cst) {
    Interleavings::step();
    return std::exchange(value_, value);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order /*success*/,
                             std::memory_order /*failure*/) {
    Interleavings::step();
    if (value_ != expected) {
      expected = value_;
      return false;
    }
    value_ = desired;
    return true;
  }

 private:
  T value_{};
};

}  // namespace penstock::testing
