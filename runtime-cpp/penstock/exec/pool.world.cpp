// Requests and pools alone, in simulated worlds: whatever threads do and however long they are kept
// away, a request runs or is refused, once.
#include "penstock/exec/pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <thread>

#include "world/drawn.hpp"
#include "world/pieces.hpp"

namespace penstock::exec {
namespace {

using world::Crowd;
using world::drawn_overflow;
using world::drawn_pool;
using world::explore;
using world::Meets;
using world::Piece;
using world::start;
using world::submit;
using world::wait_for_all;
using world::wait_until_none;
using world::World;

TEST(PoolWorld, RunsOrRefusesEveryRequestOnceWhileItChangesSize) {
  explore([](World& world) {
    auto& random = world.random();
    auto settings = drawn_pool(random, "p");
    settings.overflow = drawn_overflow(random);
    Pool pool(settings);
    ASSERT_EQ(start(pool), "");
    std::deque<Piece> pieces(static_cast<std::size_t>(random.between(1, 24)));
    std::atomic<std::size_t> next{0};
    Crowd crowd;
    for (int poster = random.between(1, 3); poster > 0; --poster) {
      crowd.add([&] {
        for (std::size_t at = next++; at < pieces.size(); at = next++) {
          world::linger(random, 50);
          submit(pool, pieces[at]);
        }
      });
    }
    int change = random.between(0, 4);
    const bool changes = change != 0;
    for (; change > 0; --change) {
      world::linger(random, 100);
      const auto threads = static_cast<unsigned>(random.between(1, 4));
      EXPECT_EQ(pool.resize(threads), threads);
    }
    crowd.join();
    // What is on its way from a thread that left to another one as the pool stops is refused.
    const bool all_run = settings.overflow == Overflow::block && random.once_in(2);
    if (all_run) wait_for_all(pieces);
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
    for (const Piece& piece : pieces) EXPECT_EQ(piece.ran.load() + piece.refused, 1);
    if (all_run || (settings.overflow == Overflow::block && !changes)) {
      for (const Piece& piece : pieces) EXPECT_EQ(piece.ran, 1);
    }
  });
}

// Tells who waits for them when the last one has run. Nobody comes afterwards, so that a wake-up
// that was lost shows as a world in which all wait.
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

TEST(PoolWorld, WakesSomebodyForEveryRequest) {
  explore([](World& world) {
    auto& random = world.random();
    Pool pool(drawn_pool(random, "p"));
    if (random.once_in(3)) pool.expect_blocking();
    ASSERT_EQ(start(pool), "");
    for (int round = random.between(1, 4); round > 0; --round) {
      world::linger(random, 200);
      std::atomic<std::uint32_t> left{static_cast<std::uint32_t>(random.between(1, 4))};
      std::deque<Counted> pieces(left.load());
      for (Counted& piece : pieces) {
        piece.left = &left;
        ASSERT_EQ(pool.submit(piece), Admission::accepted);
      }
      wait_until_none(left);
      while (pool.busy() != 0 && random.once_in(2)) std::this_thread::yield();
    }
  });
}

TEST(PoolWorld, LeavesNothingToThreadsThatLeave) {
  explore([](World& world) {
    auto& random = world.random();
    auto settings = drawn_pool(random, "p");
    settings.threads.resize(static_cast<std::size_t>(random.between(2, 4)));
    Pool pool(settings);
    if (random.once_in(2)) pool.expect_blocking();
    ASSERT_EQ(start(pool), "");
    for (int round = random.between(1, 3); round > 0; --round) {
      std::atomic<std::uint32_t> left{static_cast<std::uint32_t>(random.between(1, 6))};
      std::deque<Counted> pieces(left.load());
      for (Counted& piece : pieces) piece.left = &left;
      std::atomic<std::size_t> next{0};
      Crowd crowd;
      for (int poster = random.between(1, 2); poster > 0; --poster) {
        crowd.add([&] {
          for (std::size_t at = next++; at < pieces.size(); at = next++) {
            world::linger(random, 20);
            EXPECT_EQ(pool.submit(pieces[at]), Admission::accepted);
          }
        });
      }
      world::linger(random, 50);
      const unsigned before = pool.size();
      const auto fewer = static_cast<unsigned>(random.between(1, static_cast<int>(before)));
      EXPECT_EQ(pool.resize(fewer), fewer);
      crowd.join();
      wait_until_none(left);
      if (random.once_in(2)) {
        EXPECT_EQ(pool.resize(before), before);
      }
    }
  });
}

TEST(PoolWorld, SpreadsABurstOverAsManyThreads) {
  explore([](World& world) {
    auto& random = world.random();
    auto settings = drawn_pool(random, "p");
    settings.threads.resize(static_cast<std::size_t>(random.between(2, 4)));
    Pool pool(settings);
    if (random.once_in(2)) pool.expect_blocking();
    ASSERT_EQ(start(pool), "");
    for (int round = random.between(4, 16); round > 0; --round) {
      std::atomic<std::uint32_t> missing{static_cast<std::uint32_t>(settings.threads.size())};
      std::deque<Meets> pieces(settings.threads.size());
      for (Meets& piece : pieces) {
        piece.missing = &missing;
        submit(pool, piece);
      }
      for (const Meets& piece : pieces) {
        // The next burst finds them on their way to sleep.
        while (piece.ran == 0) std::this_thread::yield();
      }
    }
  });
}

// As long as one thread has nothing to do, nothing waits for those that stand still. Here they
// stand still until the last request has run.
TEST(PoolWorld, GivesARequestToAThreadThatSleepsWhileAllOthersStandStill) {
  explore([](World& world) {
    auto& random = world.random();
    auto settings = drawn_pool(random, "p");
    settings.threads.resize(static_cast<std::size_t>(random.between(2, 4)));
    Pool pool(settings);
    if (random.once_in(2)) pool.expect_blocking();
    ASSERT_EQ(start(pool), "");
    struct Stands : Piece {
      std::atomic<bool>* over = nullptr;
      std::atomic<int>* done = nullptr;
      Stands() {
        run = [](Job& job) noexcept {
          auto& self = static_cast<Stands&>(job);
          Pool::took_room(self);
          self.over->wait(false);
          ++*self.done;
        };
      }
    };
    for (int round = random.between(1, 3); round > 0; --round) {
      std::deque<Piece> before(static_cast<std::size_t>(random.between(0, 3)));
      for (Piece& piece : before) submit(pool, piece);
      world::linger(random, 50);
      std::atomic<bool> over{false};
      std::atomic<int> done{0};
      std::deque<Stands> standing(settings.threads.size() - 1);
      for (Stands& one : standing) {
        one.over = &over;
        one.done = &done;
        ASSERT_EQ(pool.submit(one), Admission::accepted);
        world::linger(random, 50);
      }
      Piece last;
      submit(pool, last);
      const Nanos long_after = now_ns() + 60'000'000'000;
      while (last.ran == 0 && now_ns() < long_after) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      EXPECT_EQ(last.ran, 1);
      over.store(true);
      over.notify_all();
      while (done != static_cast<int>(standing.size())) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      wait_for_all(before);
    }
  });
}

// A handler gives its own pool something and goes on for long: what it gave itself is taken from
// it, as long as there is a thread that has nothing to do, also one that becomes idle only then.
TEST(PoolWorld, TakesWhatWaitsNearAThreadThatStandsStill) {
  explore([](World& world) {
    auto& random = world.random();
    auto settings = drawn_pool(random, "p");
    const int threads = random.between(2, 4);
    settings.threads.resize(static_cast<std::size_t>(threads));
    Pool pool(settings);
    ASSERT_EQ(start(pool), "");
    struct Stands : Piece {
      std::atomic<bool>* until = nullptr;
      Stands() {
        run = [](Job& job) noexcept {
          auto& self = static_cast<Stands&>(job);
          Pool::took_room(self);
          self.until->wait(false);
          ++self.ran;
        };
      }
    };
    struct Gives : Piece {
      Pool* to = nullptr;
      std::deque<Piece> pieces;
      std::atomic<bool> done{false};
      Gives() {
        run = [](Job& job) noexcept {
          auto& self = static_cast<Gives&>(job);
          Pool::took_room(self);
          for (Piece& piece : self.pieces) self.to->submit_admitted(piece);
          wait_for_all(self.pieces);
          self.done.store(true);
          self.done.notify_all();
        };
      }
    };
    std::deque<Gives> given;  // who waits for one may be gone before its last step
    for (int round = random.between(1, 3); round > 0; --round) {
      std::deque<Piece> before(static_cast<std::size_t>(random.between(0, 3)));
      for (Piece& piece : before) submit(pool, piece);
      if (random.once_in(2)) world::linger(random, 2'000);
      Gives& gives = given.emplace_back();
      gives.to = &pool;
      gives.pieces.resize(static_cast<std::size_t>(random.between(1, 12)));
      // As often as not another one stands still as well, at something that is its own to do.
      Stands stands;
      stands.until = &gives.done;
      if (threads > 2 && random.once_in(2)) {
        stands.only = &pool.worker(static_cast<unsigned>(random.between(0, threads - 1)));
        gives.only = &pool.worker((stands.only->index() + 1) % static_cast<unsigned>(threads));
        if (random.once_in(2)) {
          submit(pool, stands);
          world::linger(random, 50);
          submit(pool, gives);
        } else {
          submit(pool, gives);
          world::linger(random, 50);
          submit(pool, stands);
        }
        while (stands.ran == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      } else {
        ASSERT_EQ(pool.submit(gives), Admission::accepted);
      }
      gives.done.wait(false);
      for (const Piece& piece : gives.pieces) EXPECT_EQ(piece.ran, 1);
      wait_for_all(before);
    }
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
  });
}

// Each request asks its own pool for more, while threads come and go.
TEST(PoolWorld, RunsOnceWhatItsOwnThreadsAskForWhileItChangesSize) {
  explore([](World& world) {
    auto& random = world.random();
    Pool pool(drawn_pool(random, "p", 4));
    if (random.once_in(4)) pool.expect_blocking();
    ASSERT_EQ(start(pool), "");
    struct Tree : Piece {
      Pool* in = nullptr;
      std::deque<Tree> below;
      Tree() {
        run = [](Job& job) noexcept {
          auto& self = static_cast<Tree&>(job);
          Pool::took_room(self);
          for (Tree& tree : self.below) self.in->submit_admitted(tree);
          ++self.ran;
        };
      }
      void grow(world::Random& random, Pool& home, int deep) {
        in = &home;
        if (deep == 0) return;
        below.resize(static_cast<std::size_t>(random.between(0, 4)));
        for (Tree& tree : below) tree.grow(random, home, deep - 1);
      }
      [[nodiscard]] bool all_ran() const {
        return ran == 1 &&
               std::ranges::all_of(below, [](const Tree& tree) { return tree.all_ran(); });
      }
    };
    std::deque<Tree> trees(static_cast<std::size_t>(random.between(1, 3)));
    for (Tree& tree : trees) tree.grow(random, pool, 2);
    for (Tree& tree : trees) pool.submit_admitted(tree);
    for (int change = random.between(0, 4); change > 0; --change) {
      world::linger(random, 100);
      static_cast<void>(pool.resize(static_cast<unsigned>(random.between(1, 4))));
    }
    for (const Tree& tree : trees) {
      while (!tree.all_ran()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
    for (const Tree& tree : trees) EXPECT_TRUE(tree.all_ran());
  });
}

TEST(PoolWorld, HandsWhatComesToARetiredPoolToItsHeir) {
  explore([](World& world) {
    auto& random = world.random();
    Pool heir(drawn_pool(random, "heir"));
    Pool pool(drawn_pool(random, "p"));
    if (random.once_in(2)) pool.set_cached(true);
    ASSERT_EQ(start(heir), "");
    ASSERT_EQ(start(pool), "");
    std::deque<Piece> pieces(static_cast<std::size_t>(random.between(1, 16)));
    std::atomic<std::size_t> next{0};
    Crowd crowd;
    for (int poster = random.between(1, 2); poster > 0; --poster) {
      crowd.add([&] {
        for (std::size_t at = next++; at < pieces.size(); at = next++) submit(pool, pieces[at]);
      });
    }
    for (int change = random.between(1, 3); change > 0; --change) {
      world::linger(random, 20);
      pool.retire(heir);
      world::linger(random, 20);
      if (random.once_in(2)) pool.unretire(static_cast<unsigned>(random.between(1, 3)));
    }
    crowd.join();
    wait_for_all(pieces);
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
    EXPECT_TRUE(heir.stop(now_ns() + 10'000'000'000));
    for (const Piece& piece : pieces) EXPECT_EQ(piece.ran, 1);
  });
}

// Before its first job a thread makes what belongs to it. Here each waits there for all others.
struct Making {
  std::atomic<std::uint32_t> missing{0};
  void hook(Pool& pool) {
    missing += static_cast<std::uint32_t>(pool.settings().threads.size());
    pool.set_hooks({.started =
                        [this](Worker&) {
                          if (missing.fetch_sub(1) == 1) missing.notify_all();
                          wait_until_none(missing);
                        },
                    .stopping = {}});
  }
};

TEST(PoolWorld, StartsAllThreadsOfAPoolAtOnce) {
  explore([](World& world) {
    Pool pool(drawn_pool(world.random(), "p", 4));
    Making making;
    making.hook(pool);
    EXPECT_EQ(start(pool), "");
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
  });
}

// A request that keeps its thread for longer than a drain takes, while its pool is destroyed.
struct Slow : Piece {
  bool ended = false;
  static void on_slow_run(Job& job) noexcept {
    on_run(job);
    std::this_thread::sleep_for(std::chrono::nanoseconds(defaults::kDrainNanos) +
                                std::chrono::milliseconds(1));
    static_cast<Slow&>(job).ended = true;
  }
  Slow() { run = &on_slow_run; }
};

TEST(PoolWorld, EndsOnceItsThreadsHaveLeft) {
  explore([](World& world) {
    Slow slow;
    std::deque<Piece> pieces(static_cast<std::size_t>(world.random().between(0, 3)));
    {
      Pool pool(drawn_pool(world.random(), "p", 4));
      // All of it is still there for them.
      pool.set_hooks({.started = {}, .stopping = [&pool](Worker& worker) {
                        EXPECT_EQ(&pool.worker(worker.index()), &worker);
                      }});
      ASSERT_EQ(start(pool), "");
      submit(pool, slow);
      for (Piece& piece : pieces) submit(pool, piece);
      while (slow.ran == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(slow.ended);
    for (const Piece& piece : pieces) EXPECT_EQ(piece.ran + piece.refused, 1);
  });
}

TEST(PoolWorld, RunsEveryRequestInPoolsThatAreStartedAtOnce) {
  explore([](World& world) {
    auto& random = world.random();
    std::deque<Pool> pools;
    Making making;
    for (int pool = random.between(1, 3); pool > 0; --pool) {
      making.hook(pools.emplace_back(drawn_pool(random, "p")));
    }
    for (Pool& pool : pools) pool.begin_start();
    std::vector<std::string> warnings;
    for (Pool& pool : pools) {
      pool.end_start(warnings);
      world::linger(random, 100);
    }
    std::deque<Piece> pieces(static_cast<std::size_t>(random.between(1, 8)));
    for (Piece& piece : pieces) submit(pools[random.below(pools.size())], piece);
    wait_for_all(pieces);
    for (Pool& pool : pools) EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
  });
}

}  // namespace
}  // namespace penstock::exec
