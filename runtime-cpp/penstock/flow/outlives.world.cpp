// A result of many events, which is there after the deadline of the one that carries it. In
// simulated worlds: that passes in no time, and never before the handler has begun.
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <vector>

#include "support/one_flow.hpp"
#include "world/drawn.hpp"

namespace penstock::flow::outlives_world {
namespace {

using namespace std::chrono_literals;
using testing::OneFlow;
using world::drawn_pool;
using world::explore;
using world::World;

struct Item {
  int number = 0;
};

// As a window does that is open for longer than the deadline of its first event.
struct CollectsInTime : Handler {
  using request_type = Item;
  using response_type = Item;
  static Task<std::optional<Item>> handle(const Item& item) {
    co_await sleep_for(std::chrono::nanoseconds(context().deadline_ns - now_ns()) + 1ms);
    co_return item;
  }
};
struct Collects : CollectsInTime {};

// Of this world's last stage.
std::vector<int>* g_noted = nullptr;
struct Note : Handler {
  using request_type = Item;
  using response_type = void;
  static void handle(const Item& item) { g_noted->push_back(item.number); }
};

}  // namespace
}  // namespace penstock::flow::outlives_world

template <>
inline constexpr bool penstock::outlives_deadline<penstock::flow::outlives_world::Collects> = true;

namespace penstock::flow::outlives_world {
namespace {

template <class Collects>
void collect_beyond_the_deadline(World& world, std::vector<int>& noted, std::uint64_t failed) {
  OneFlow one;
  auto& pool = one.binary.pool(drawn_pool(world.random(), "a", 1));
  g_noted = &noted;
  one.stage<Role::map, Collects>("collect", Kind::async_remote, pool, &pool);
  one.stage<Role::side_effect, Note>("note", Kind::single_threaded, pool, nullptr);
  one.start();
  Event& event = one.flow.make_event();
  event.set_value(Item{7});
  event.set_deadline(after(now_ns(), std::chrono::nanoseconds(1h).count()));
  one.flow.emit(event);
  while (!one.all_ended()) std::this_thread::sleep_for(1min);
  EXPECT_EQ(one.failed(), failed);
  one.binary.stop();
}

TEST(OutlivesWorld, AResultOfManyEventsOutlivesTheDeadlineOfTheOneThatCarriesIt) {
  explore([](World& world) {
    std::vector<int> noted;
    collect_beyond_the_deadline<Collects>(world, noted, 0);
    EXPECT_EQ(noted, std::vector<int>{7});
  });
}

TEST(OutlivesWorld, AResultOfOneEventIsTooLate) {
  explore([](World& world) {
    std::vector<int> noted;
    collect_beyond_the_deadline<CollectsInTime>(world, noted, 1);
    EXPECT_EQ(noted, std::vector<int>{});
  });
}

}  // namespace
}  // namespace penstock::flow::outlives_world
