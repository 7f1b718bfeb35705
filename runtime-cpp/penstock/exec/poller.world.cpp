// Workers that sleep where something else can wake them, too: neither a job nor what comes there is
// missed.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <memory>
#include <utility>

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

}  // namespace
}  // namespace penstock::exec::poller_world
