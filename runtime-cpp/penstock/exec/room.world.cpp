// Who waits for room in a pool, and what keeps it, in simulated worlds.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>

#include "penstock/exec/pool.hpp"
#include "world/drawn.hpp"
#include "world/pieces.hpp"

namespace penstock::exec {
namespace {

using world::Crowd;
using world::drawn_pool;
using world::explore;
using world::Meets;
using world::Piece;
using world::start;
using world::submit;
using world::World;

// No request runs any more, so that nobody but who makes room can wake them.
TEST(RoomWorld, LetsThoseInWhoWaitForRoomThatAChangeMakes) {
  explore([](World& world) {
    auto& random = world.random();
    auto settings = drawn_pool(random, "p");
    settings.queue = 2;
    Pool pool(settings);
    const bool blocking = random.once_in(3);
    if (blocking) pool.expect_blocking();
    ASSERT_EQ(start(pool), "");
    std::atomic<bool> over{false};
    struct Stands : Piece {
      std::atomic<bool>* over = nullptr;
      Stands() {
        run = [](Job& job) noexcept {
          auto& self = static_cast<Stands&>(job);
          Pool::took_room(self);
          self.over->wait(false);
          ++self.ran;
        };
      }
    };
    std::deque<Stands> pieces(settings.threads.size() + 4);
    for (Stands& piece : pieces) {
      piece.over = &over;
      submit(pool, piece);
    }
    Crowd crowd;
    for (int waiter = random.between(1, 3); waiter > 0; --waiter) {
      crowd.add([&] { pool.wait_for_room(0); });
    }
    world::linger(random, 50);
    Pool heir(drawn_pool(random, "heir"));
    ASSERT_EQ(start(heir), "");
    switch (random.below(5)) {
      case 0:
        EXPECT_EQ(pool.resize(8), 8U);
        pool.set_limits(64, Overflow::block);
        break;
      case 1:
        pool.set_limits(64, Overflow::block);
        break;
      case 2:
        pool.set_limits(2, Overflow::reject);
        break;
      case 3:
        pool.set_cached(true);  // one queue for all, which is empty
        if (blocking) pool.set_limits(64, Overflow::block);
        break;
      default:
        pool.retire(heir);
        break;
    }
    crowd.join();
    over = true;
    over.notify_all();
    for (const Stands& piece : pieces) {
      while (piece.ran == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
    EXPECT_TRUE(heir.stop(now_ns() + 10'000'000'000));
  });
}

TEST(RoomWorld, LetsThoseInWhoWaitForRoom) {
  explore([](World& world) {
    auto& random = world.random();
    auto settings = drawn_pool(random, "p");
    settings.queue = random.one_of<std::uint32_t>({1, 2, 3});
    Pool pool(settings);
    if (random.once_in(3)) pool.expect_blocking();
    ASSERT_EQ(start(pool), "");
    std::deque<Piece> pieces(12);
    std::atomic<std::size_t> next{0};
    Crowd crowd;
    for (int poster = random.between(1, 3); poster > 0; --poster) {
      crowd.add([&] {
        for (std::size_t at = next++; at < pieces.size(); at = next++) {
          while (!pool.has_room()) pool.wait_for_room(0);
          submit(pool, pieces[at]);
        }
      });
    }
    crowd.join();
    wait_for_all(pieces);
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
    for (const Piece& piece : pieces) EXPECT_EQ(piece.ran, 1);
  });
}

// What waits in one queue for all, and what waits elsewhere and keeps its room, are within one
// limit. Its threads stand still, so that nothing leaves the queue but what is shed.
TEST(RoomWorld, SharesItsLimitBetweenItsQueueAndTheRoomThatIsKept) {
  explore([](World& world) {
    auto& random = world.random();
    auto settings = drawn_pool(random, "p");
    settings.queue = random.one_of<std::uint32_t>({1, 2, 4, 8});
    settings.overflow = random.one_of({Overflow::reject, Overflow::shed_oldest});
    Pool pool(settings);
    pool.expect_blocking();
    ASSERT_EQ(start(pool), "");
    std::atomic<std::uint32_t> missing{static_cast<std::uint32_t>(settings.threads.size()) + 1};
    std::deque<Meets> standing(settings.threads.size());
    for (Meets& piece : standing) {
      piece.missing = &missing;
      pool.submit_admitted(piece);
    }
    while (missing != 1) std::this_thread::yield();

    std::deque<Piece> keepers(static_cast<std::size_t>(random.between(0, 9)));
    std::uint64_t kept = keepers.size();
    std::atomic<std::size_t> next_keeper{0};
    std::deque<Piece> pieces(24);
    std::atomic<std::size_t> next_piece{0};
    const auto keep = [&] {
      for (std::size_t at = next_keeper++; at < keepers.size(); at = next_keeper++) {
        keepers[at].keeps_room_of = &pool;
        Pool::keep_room(keepers[at]);
      }
    };
    const auto post = [&] {
      for (int count = 4; count > 0; --count) {
        world::linger(random, 20);
        submit(pool, pieces[next_piece++]);
      }
    };
    const auto left = [&] { return settings.queue > kept ? settings.queue - kept : 0; };
    Crowd crowd;
    for (int keeper = random.between(1, 2); keeper > 0; --keeper) crowd.add(keep);
    crowd.join();
    for (int poster = random.between(1, 3); poster > 0; --poster) crowd.add(post);
    crowd.join();
    EXPECT_EQ(pool.waiting_for_any(), std::min(left(), next_piece.load()));
    // Others come while room is given back, which is theirs then.
    for (int poster = random.between(1, 2); poster > 0; --poster) crowd.add(post);
    for (Piece& keeper : keepers) {
      if (random.once_in(2)) continue;
      Pool::took_room(keeper);
      --kept;
    }
    crowd.join();
    const std::uint64_t waiting = pool.waiting_for_any();
    EXPECT_LE(waiting, left());
    post();
    EXPECT_EQ(pool.waiting_for_any(), std::min(left(), waiting + 4));

    missing.fetch_sub(1);
    missing.notify_all();
    for (Piece& keeper : keepers) Pool::took_room(keeper);
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
    for (std::size_t at = 0; at < next_piece; ++at) {
      EXPECT_EQ(pieces[at].ran.load() + pieces[at].refused, 1);
    }
  });
}

// Whose room is all kept takes nothing, however quickly its threads come for it.
TEST(RoomWorld, RunsNothingThatFindsItsRoomKept) {
  explore([](World& world) {
    auto& random = world.random();
    auto settings = drawn_pool(random, "p");
    settings.queue = random.one_of<std::uint32_t>({1, 2, 4});
    settings.overflow = random.one_of({Overflow::reject, Overflow::shed_oldest});
    Pool pool(settings);
    pool.expect_blocking();
    ASSERT_EQ(start(pool), "");
    std::deque<Piece> keepers(settings.queue);
    for (Piece& keeper : keepers) {
      keeper.keeps_room_of = &pool;
      Pool::keep_room(keeper);
    }
    std::deque<Piece> pieces(8);
    for (Piece& piece : pieces) {
      world::linger(random, 20);
      submit(pool, piece);
      EXPECT_EQ(piece.refused, 1);
    }
    for (Piece& keeper : keepers) Pool::took_room(keeper);
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
    for (const Piece& piece : pieces) EXPECT_EQ(piece.ran, 0);
  });
}

}  // namespace
}  // namespace penstock::exec
