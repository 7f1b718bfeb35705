// Workers that sleep where something else can wake them, too: neither a job nor what comes there is
// missed.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include "penstock/base/defaults.hpp"
#include "penstock/concurrent/futex.hpp"
#include "penstock/exec/pool.hpp"
#include "world/drawn.hpp"
#include "world/pieces.hpp"

namespace penstock::exec::poller_world {
namespace {

using world::Crowd;
using world::drawn_pool;
using world::explore;
using world::linger;
using world::Piece;
using world::start;
using world::wait_until_none;
using world::World;

// As the kernel keeps sockets: what came stays until it is taken, and so does a wake-up.
class Letters final : public Worker::Poller {
 public:
  /// Seen in memory: looked for also before the worker idles.
  Letters(std::atomic<std::uint32_t>& left, bool in_memory) : left_(left), in_memory_(in_memory) {}

  /// Before it is polled: what is done with each that comes, on the worker's thread.
  void when_one_comes(std::function<void()> done) { done_ = std::move(done); }
  // Any thread.
  void bring() {
    ++come_;
    ring();
  }

  bool poll() noexcept override {
    EXPECT_TRUE(idles_ || in_memory_);
    const std::uint32_t come = come_.load();
    if (come == taken_) return false;
    const std::uint32_t some = come - std::exchange(taken_, come);
    for (std::uint32_t one = 0; done_ && one < some; ++one) done_();
    if (left_.fetch_sub(some) == some) left_.notify_all();
    return true;
  }
  [[nodiscard]] bool glances_at_memory() const noexcept override { return in_memory_; }
  void idles() noexcept override { idles_ = true; }
  void works() noexcept override { EXPECT_TRUE(std::exchange(idles_, false)); }
  void sleep(Nanos until) noexcept override {
    EXPECT_TRUE(idles_);
    const std::uint32_t rung = rung_.load();
    if (!woken_.exchange(false) && come_ == taken_) concurrent::futex_wait(rung_, rung, until);
  }
  void wake() noexcept override {
    woken_ = true;
    ring();
  }

 private:
  void ring() {
    ++rung_;
    concurrent::futex_wake(rung_);
  }

  std::atomic<std::uint32_t>& left_;
  const bool in_memory_;
  std::function<void()> done_;
  std::atomic<std::uint32_t> come_{0};
  std::uint32_t taken_ = 0;
  std::atomic<bool> woken_{false};
  std::atomic<std::uint32_t> rung_{0};
  bool idles_ = false;
};

struct Counted : Piece {
  std::atomic<std::uint32_t>* left = nullptr;
  Counted() {
    run = [](Job& job) noexcept {
      auto& self = static_cast<Counted&>(job);
      Pool::took_room(self);
      std::atomic<std::uint32_t>& open = *self.left;  // the last one's test may be over at once
      if (open.fetch_sub(1) == 1) open.notify_all();
    };
  }
};

struct MakeLetters : Job {
  std::atomic<std::uint32_t>* of_letters = nullptr;
  bool in_memory = false;
  std::atomic<std::uint32_t>* missing = nullptr;
  std::atomic<Letters*> made{nullptr};
  MakeLetters() {
    run = [](Job& job) noexcept {
      auto& self = static_cast<MakeLetters&>(job);
      auto letters = std::make_unique<Letters>(*self.of_letters, self.in_memory);
      self.made = letters.get();
      Worker::current()->set_poller(std::move(letters));
      std::atomic<std::uint32_t>& open = *self.missing;
      if (open.fetch_sub(1) == 1) open.notify_all();
    };
  }
};

TEST(PollerWorld, MissesNeitherAJobNorWhatComesElsewhere) {
  explore([](World& world) {
    auto& random = world.random();
    Pool pool(drawn_pool(random, "p"));
    if (random.once_in(3)) pool.expect_blocking();
    ASSERT_EQ(start(pool), "");
    std::atomic<std::uint32_t> letters{0};
    std::atomic<std::uint32_t> missing{pool.size()};
    std::deque<MakeLetters> boxes(pool.size());
    for (unsigned index = 0; index < pool.size(); ++index) {
      boxes[index].of_letters = &letters;
      boxes[index].missing = &missing;
      boxes[index].in_memory = random.once_in(2);
      pool.worker(index).post(boxes[index]);
      linger(random, 20);
    }
    wait_until_none(missing);
    for (int round = random.between(1, 4); round > 0; --round) {
      linger(random, 200);
      std::atomic<std::uint32_t> left{static_cast<std::uint32_t>(random.between(1, 4))};
      std::deque<Counted> pieces(left.load());
      const int brought = random.between(0, 3);
      letters = static_cast<std::uint32_t>(brought);
      Crowd crowd;
      crowd.add([&] {
        for (int letter = 0; letter < brought; ++letter) {
          linger(random, 50);
          random.one_of({&boxes.front(), &boxes.back()})->made.load()->bring();
        }
      });
      for (Counted& piece : pieces) {
        piece.left = &left;
        linger(random, 50);
        ASSERT_EQ(pool.submit(piece), Admission::accepted);
      }
      // Nobody comes afterwards: a wake-up that was lost shows as a world in which all wait.
      wait_until_none(left);
      wait_until_none(letters);
      crowd.join();
    }
    const unsigned before = pool.size();
    if (random.once_in(2)) {
      EXPECT_EQ(pool.resize(1), 1U);
    }
    if (random.once_in(2)) {
      EXPECT_EQ(pool.resize(before), before);
    }
  });
}

// Runs for a while, so that its thread has begun what it gave itself whenever another one looks.
struct Slow : Piece {
  std::atomic<bool> done{true};
  Slow() {
    run = [](Job& job) noexcept {
      auto& self = static_cast<Slow&>(job);
      Pool::took_room(self);
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      self.done = true;
    };
  }
};

// Stays on its thread, and gives its own pool one piece after the other, until it ends.
struct Goes : Job {
  Pool* on = nullptr;
  Slow piece;
  std::atomic<bool> ends{false};
  std::atomic<std::uint32_t> left{1};
  Goes() {
    run = [](Job& job) noexcept {
      auto& self = static_cast<Goes&>(job);
      if (self.piece.done && self.ends) {
        self.left = 0;
        return self.left.notify_all();
      }
      if (self.piece.done.exchange(false)) {
        ASSERT_EQ(self.on->submit(self.piece), Admission::accepted);
      }
      Worker::current()->post_here(self);
    };
  }
};

/// As in spread.world.cpp.
constexpr Nanos kHeldUpAtMost = 5 * defaults::kSearchNanos / 2;

// Notes how long it waited.
struct Asked : Piece {
  Nanos at = 0;
  std::atomic<Nanos> waited{-1};
  Asked() {
    run = [](Job& job) noexcept {
      auto& self = static_cast<Asked&>(job);
      Pool::took_room(self);
      self.waited = now_ns() - self.at;
    };
  }
};

TEST(PollerWorld, RunsWhatAPollerAsksWhileAnotherThreadGivesItselfMore) {
  explore([](World& world) {
    world.keep_nobody_waiting();
    auto& random = world.random();
    auto settings = drawn_pool(random, "p");
    settings.queue = 256;
    settings.threads.resize(2);
    Pool pool(settings);
    ASSERT_EQ(start(pool), "");
    std::atomic<std::uint32_t> letters{0};
    std::atomic<std::uint32_t> missing{1};
    MakeLetters box;
    box.of_letters = &letters;
    box.missing = &missing;
    const auto busy = static_cast<unsigned>(random.below(2));
    pool.worker(1 - busy).post(box);
    wait_until_none(missing);
    std::deque<Asked> asked(static_cast<std::size_t>(random.between(1, 5)));
    std::size_t next = 0;
    box.made.load()->when_one_comes([&] {
      Asked& one = asked[next++];
      one.at = now_ns();
      ASSERT_EQ(pool.submit(one), Admission::accepted);
    });
    Goes goes;
    goes.on = &pool;
    pool.worker(busy).post(goes);
    for (const Asked& one : asked) {
      linger(random, 1000);
      ++letters;
      box.made.load()->bring();
      while (one.waited < 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
      EXPECT_LE(one.waited, kHeldUpAtMost);
    }
    goes.ends = true;
    wait_until_none(goes.left);
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
  });
}

}  // namespace
}  // namespace penstock::exec::poller_world
