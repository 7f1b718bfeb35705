#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "world/fiber.hpp"
#include "world/random.hpp"
#include "world/thread_locals.hpp"
#include "world/trace.hpp"

namespace penstock::world {

/// Threads on one thread of the operating system, in a time of their own: which one goes on at each
/// step, who is stalled for how long and how fast time passes are drawn from one seed, so that the
/// seed alone repeats what happened. Time jumps when all wait. One world at a time; what runs in it
/// is compiled with seam.hpp.
class World {
 public:
  struct Outcome {
    /// What went wrong with the world's own rules: all wait for ever, or nobody comes to an end, or
    /// a thread threw. Empty: nothing.
    std::string failure;
    std::uint64_t switches = 0;
    /// Of all choices: the same for the same seed.
    std::uint64_t fingerprint = 0;
    std::int64_t nanos = 0;
  };

  explicit World(std::uint64_t seed);
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World();

  /// Runs `body` as the first thread, until all threads have ended. Once.
  Outcome run(const std::function<void(World&)>& body);
  /// Who did what last, and where everybody is. Once it has run.
  [[nodiscard]] std::string report() const;

  // --- on its threads ---

  /// For what the test itself draws; apart from the world's, so that neither changes the other.
  [[nodiscard]] Random& random() noexcept { return for_tests_; }

  /// From here on nobody is kept away: each thread has a processor of its own, and time passes
  /// where threads wait or look in vain. For tests that ask how long something takes.
  void keep_nobody_waiting() noexcept;

  [[nodiscard]] static World* current() noexcept;
  /// Of the thread that runs; null in no world.
  [[nodiscard]] static ThreadLocals* own_locals() noexcept;

  // --- what thread.hpp and waiting.hpp stand for ---

  unsigned start(std::function<void()> body);
  void join(unsigned number) noexcept;
  void name(unsigned number, const char* name);
  [[nodiscard]] unsigned running() const noexcept { return running_->number; }
  [[nodiscard]] std::int64_t now() const noexcept { return now_; }
  void read_clock() noexcept { ++now_; }
  void on_step(const void* where) noexcept;
  void pause(const void* where) noexcept;
  bool wait_at(const void* address, std::int64_t until, const void* where) noexcept;
  void wake_at(const void* address, int count) noexcept;
  [[nodiscard]] bool fails_for_nothing() noexcept { return random_.once_in(nothing_in_); }

 private:
  enum class State : std::uint8_t { ready, waits, stalls, ended };
  struct Simulated {
    unsigned number = 0;
    std::string name;
    std::function<void()> body;
    std::unique_ptr<Stack> stack;
    std::unique_ptr<Fiber> fiber;
    ThreadLocals locals;
    State state = State::ready;
    const void* address = nullptr;  ///< where it waits
    std::int64_t until = 0;         ///< 0: for ever
    bool woken = false;
    std::uint64_t priority = 0;
  };

  static void enter() noexcept;
  void draw_temper() noexcept;
  void draw_gap() noexcept;
  void pass(Why why, const void* where, bool prefer_other) noexcept;
  Simulated& choose(bool prefer_other) noexcept;
  Simulated& next(bool prefer_other) noexcept;
  void sleep(Simulated& thread, State state, const void* address, std::int64_t until) noexcept;
  void make_ready(Simulated& thread) noexcept;
  void wake_due() noexcept;
  void switch_to(Simulated& thread) noexcept;
  [[noreturn]] void end_thread() noexcept;
  [[noreturn]] void fail(std::string why) noexcept;

  const std::uint64_t seed_;
  Random random_;
  Random for_tests_;

  // Its temper, drawn once.
  std::uint64_t gap_ = 1;       ///< steps from one switch to the next, on average
  std::uint64_t stall_in_ = 0;  ///< a thread is stalled at one switch of so many
  std::int64_t longest_stall_ = 0;
  std::int64_t tick_ = 0;         ///< nanoseconds a switch
  std::uint64_t nothing_in_ = 0;  ///< who waits goes on for no reason, once in so many times
  std::uint64_t demote_in_ = 0;   ///< 0: all threads are equal; else as below
  std::uint64_t lowest_ = 0;      ///< priorities count down from here
  bool keeps_nobody_waiting_ = false;

  std::int64_t now_ = 1'000'000'000'000;
  std::deque<Simulated> threads_;
  std::vector<Simulated*> ready_;
  std::int64_t next_due_ = 0;  ///< of those that wait or stall; 0: none
  Simulated* running_ = nullptr;
  std::size_t alive_ = 0;
  std::uint64_t writes_seen_ = 0;
  std::uint64_t vain_pauses_ = 0;

  Fiber home_;
  ThreadLocals home_locals_;
  Outcome outcome_;
  Trace trace_;
};

}  // namespace penstock::world
