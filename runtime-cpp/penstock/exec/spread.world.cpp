// How a pool of several threads spreads what it is asked to do, in simulated worlds: nothing waits
// for long behind what goes on for long, and what has an order keeps it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>
#include <vector>

#include "penstock/base/defaults.hpp"
#include "penstock/exec/pool.hpp"
#include "world/drawn.hpp"

namespace penstock::exec::spread_test {
namespace {

using world::Crowd;
using world::drawn_pool;
using world::explore;
using world::World;

constexpr auto kLong = std::chrono::milliseconds(1);
/// Until the second look of who searches, and half as long again for what lies between: it reads
/// the clock after some turns of its spinning only, and others run meanwhile.
constexpr Nanos kHeldUpAtMost = 5 * defaults::kSearchNanos / 2;

struct Piece : Request {
  static constexpr Owner kOwner{[](Request& request) noexcept { Pool::took_room(request); }};
  Piece() { owner = &kOwner; }
};

// Notes how long it waited.
struct Quick : Piece {
  Nanos posted = 0;
  std::atomic<Nanos> waited{-1};
  Quick() {
    run = [](Job& job) noexcept {
      auto& self = static_cast<Quick&>(job);
      Pool::took_room(self);
      self.waited = now_ns() - self.posted;
    };
  }
};

/// In one of the ways in which requests come to a pool that may go to any thread.
void post(Pool& pool, Quick& quick, world::Random& random) {
  quick.posted = now_ns();
  switch (random.below(3)) {
    case 0:
      ASSERT_EQ(pool.submit(quick), Admission::accepted);
      break;
    case 1:
      pool.submit_admitted(quick);
      break;
    default:
      pool.submit_near(quick, static_cast<unsigned>(random.below(8)));
      break;
  }
}

// Asks its own pool for some, and goes on for long.
struct Long : Piece {
  Pool* to = nullptr;
  world::Random* random = nullptr;
  std::deque<Quick> given;
  std::atomic<bool> done{false};
  Long() {
    run = [](Job& job) noexcept {
      auto& self = static_cast<Long&>(job);
      Pool::took_room(self);
      for (Quick& quick : self.given) post(*self.to, quick, *self.random);
      std::this_thread::sleep_for(kLong);
      self.done = true;
    };
  }
};

TEST(SpreadWorld, HoldsUpNothingForLongWhileAThreadHasNothingToDo) {
  explore([](World& world) {
    world.keep_nobody_waiting();
    auto& random = world.random();
    auto settings = drawn_pool(random, "p");
    settings.queue = 256;
    settings.threads.resize(static_cast<std::size_t>(random.between(2, 5)));
    Pool pool(settings);
    // It had one queue for all before, or has it.
    if (random.once_in(4)) pool.set_cached(true);
    if (random.once_in(2)) pool.set_cached(false);
    std::vector<std::string> warnings;
    ASSERT_EQ(pool.start(true, warnings), "");
    for (int round = random.between(1, 4); round > 0; --round) {
      // One thread has always nothing to do.
      std::deque<Long> standing(settings.threads.size() - 1);
      std::deque<Quick> quick(static_cast<std::size_t>(random.between(1, 12)));
      for (Long& one : standing) {
        one.to = &pool;
        one.random = &random;
        one.given.resize(static_cast<std::size_t>(random.between(0, 8)));
        pool.submit_admitted(one);
        world::linger(random, 300);
      }
      for (Quick& one : quick) {
        post(pool, one, random);
        world::linger(random, 300);
      }
      const auto hold = [](const Quick& one) {
        while (one.waited < 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
        EXPECT_LE(one.waited, kHeldUpAtMost);
      };
      for (Long& one : standing) {
        while (!one.done) std::this_thread::sleep_for(std::chrono::microseconds(50));
        for (const Quick& given : one.given) hold(given);
      }
      for (const Quick& one : quick) hold(one);
    }
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
  });
}

// --- what has an order ---

// Numbers of each poster, as they come.
struct Order {
  std::atomic<int> inside{0};
  std::vector<int> last = std::vector<int>(4, 0);

  void note(std::size_t poster, int number) noexcept {
    EXPECT_EQ(inside.fetch_add(1), 0);
    EXPECT_GT(number, last[poster]);
    last[poster] = number;
    std::this_thread::yield();
    inside.fetch_sub(1);
  }
};

struct Numbered : Piece {
  Order* order = nullptr;
  Strand* strand = nullptr;  // null: it needs no right
  unsigned home = 0;
  std::size_t poster = 0;
  int number = 0;
  std::atomic<std::uint32_t>* left = nullptr;
  Numbered() {
    run = [](Job& job) noexcept {
      auto& self = static_cast<Numbered&>(job);
      Pool::took_room(self);
      self.order->note(self.poster, self.number);
      std::atomic<std::uint32_t>& missing = *self.left;
      if (self.strand != nullptr) {
        Pool& its_pool = *self.pool;
        const unsigned its_home = self.home;
        // As call::pass_on and call::give_back do.
        if (Request* const follower = self.strand->leave()) {
          if (its_home % 2 != 0 || !its_pool.submit_to_idle(*follower)) {
            its_pool.submit_near(*follower, its_home);
          }
        }
      }
      if (missing.fetch_sub(1) == 1) missing.notify_all();
    };
  }
};

/// Posters that each bring their own in order, beside what stands still and is in nobody's order.
struct Posters {
  explicit Posters(world::Random& drawn) : random(drawn) {}

  template <class Post>
  void bring(Pool& pool, const Post& one_more) {
    const auto posters = static_cast<std::size_t>(random.between(1, 3));
    std::vector<std::deque<Numbered>> all(posters);
    std::deque<Long> standing(static_cast<std::size_t>(random.between(0, 2)));
    std::uint32_t sum = 0;
    for (std::deque<Numbered>& mine : all) {
      mine.resize(static_cast<std::size_t>(random.between(1, 10)));
      sum += static_cast<std::uint32_t>(mine.size());
    }
    std::atomic<std::uint32_t> left{sum};
    for (Long& one : standing) pool.submit_admitted(one);
    Crowd crowd;
    for (std::size_t poster = 0; poster < posters; ++poster) {
      crowd.add([&, poster] {
        int number = 0;
        for (Numbered& one : all[poster]) {
          one.poster = poster;
          one.number = ++number;
          one.left = &left;
          one.pool = &pool;
          world::linger(random, 20);
          one_more(one);
        }
      });
    }
    crowd.join();
    for (std::uint32_t now = left; now != 0; now = left) left.wait(now);
    for (const Long& one : standing) {
      while (!one.done) std::this_thread::sleep_for(kLong);
    }
  }

  world::Random& random;
};

/// Without a limit, or within one.
void submit_some_way(Pool& pool, Request& request, world::Random& random) {
  if (random.once_in(2)) {
    pool.submit_admitted(request);
  } else {
    ASSERT_EQ(pool.submit(request), Admission::accepted);
  }
}

TEST(SpreadWorld, KeepsTheOrderOfWhatBelongsToAThread) {
  explore([](World& world) {
    auto& random = world.random();
    auto settings = drawn_pool(random, "p", 4);
    Pool pool(settings);
    std::vector<std::string> warnings;
    ASSERT_EQ(pool.start(true, warnings), "");
    Worker& owner = pool.worker(static_cast<unsigned>(random.below(settings.threads.size())));
    Order order;
    Posters(random).bring(pool, [&](Numbered& one) {
      one.order = &order;
      one.only = &owner;
      submit_some_way(pool, one, random);
    });
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
  });
}

// Also of one that had several before.
TEST(SpreadWorld, KeepsTheOrderOfWhatComesToAPoolOfOneThread) {
  explore([](World& world) {
    auto& random = world.random();
    Pool pool(drawn_pool(random, "p"));
    std::vector<std::string> warnings;
    ASSERT_EQ(pool.start(true, warnings), "");
    std::deque<Quick> before(static_cast<std::size_t>(random.between(0, 4)));
    for (Quick& one : before) pool.submit_admitted(one);
    EXPECT_EQ(pool.resize(1), 1U);
    Order order;
    Posters(random).bring(pool, [&](Numbered& one) {
      one.order = &order;
      if (random.once_in(3)) {
        pool.submit_near(one, static_cast<unsigned>(random.below(3)));
      } else {
        submit_some_way(pool, one, random);
      }
    });
    for (const Quick& one : before) {
      while (one.waited < 0) std::this_thread::sleep_for(kLong);
    }
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
  });
}

// Strands, as single-threaded services and the partitions of one have them, while threads come and
// go: whichever thread takes it, one at a time and in the order of arrival.
TEST(SpreadWorld, KeepsTheOrderOfStrands) {
  explore([](World& world) {
    auto& random = world.random();
    Pool pool(drawn_pool(random, "p", 4));
    std::vector<std::string> warnings;
    ASSERT_EQ(pool.start(true, warnings), "");
    std::deque<Strand> strands(static_cast<std::size_t>(random.between(1, 3)));
    std::deque<Order> orders(strands.size());
    std::atomic<bool> over{false};
    std::thread resizes([&, changes = random.between(0, 3)] {
      for (int change = 0; change < changes && !over; ++change) {
        std::this_thread::sleep_for(std::chrono::microseconds(20));
        static_cast<void>(pool.resize(1 + static_cast<unsigned>(change) % 3));
      }
    });
    Posters(random).bring(pool, [&](Numbered& one) {
      const std::size_t chosen = random.below(strands.size());
      one.order = &orders[chosen];
      one.strand = &strands[chosen];
      one.home = static_cast<unsigned>(chosen);
      if (one.strand->enter(one, Overflow::block, 0) == Strand::Entry::granted) {
        pool.submit_near(one, one.home);
      }
    });
    over = true;
    resizes.join();
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
  });
}

}  // namespace
}  // namespace penstock::exec::spread_test
