// Events that go several ways in simulated worlds: each ends once, and came once wherever it was
// to.
#include "world/drawn_flow.hpp"

namespace penstock::flow::drawn {
namespace {

std::int64_t number_mod_four(const void* event) {
  return static_cast<const Numbered*>(event)->number % 4;
}

// What comes to a branch together goes on together where it goes one way, whatever the ways are.
TEST(WaysWorld, EndsEachEventOnceOnEachWayThatItTakes) {
  explore([](World& world) {
    Drawn drawn(world);
    auto& random = drawn.random;
    const bool gives = random.once_in(4);
    if (gives) {
      drawn.map<Gives>(Kind::simple);
    } else {
      drawn.map<Pass>(Kind::simple);
    }
    const auto add_way = [&]<std::size_t way>() {
      const auto kind = random.one_of({Kind::simple, Kind::simple, Kind::single_threaded});
      const bool longer = random.once_in(2);
      const auto branches = [&] {
        Stage& first = drawn.one.flow.stages().back();
        first.after = {0};
        first.when.of = &number_mod_four;
        for (std::int64_t rest = 0; rest < 4; ++rest) {
          if (random.once_in(2)) first.when.values.push_back(rest);
        }
        return std::set<std::int64_t>(first.when.values.begin(), first.when.values.end());
      };
      std::set<std::int64_t> takes;
      if (longer) {
        drawn.map<Pass>(Kind::simple);
        takes = branches();
      }
      drawn.one.stage<Role::side_effect, TakesOn<way>>("way" + std::to_string(way), kind,
                                                       drawn.pool(), drawn.join());
      if (!longer) takes = branches();
      return takes;
    };
    const std::array<std::set<std::int64_t>, 2> takes{add_way.operator()<0>(),
                                                      add_way.operator()<1>()};
    drawn.start();
    for (int emitter = random.between(1, 2); emitter > 0; --emitter) {
      drawn.push_as(emitter, random.between(1, 40));
    }
    Crowd crowd;
    drawn.emit_as(crowd, 3, random.between(1, 8));
    const bool moves = random.once_in(3);
    if (moves) {
      for (Stage& stage : drawn.one.flow.stages()) {
        std::this_thread::yield();
        drawn.one.flow.set_join(stage, drawn.join());
      }
    }
    crowd.join();
    const auto all = static_cast<std::uint64_t>(drawn.emitted);
    while (drawn.one.emitted() != all) std::this_thread::sleep_for(1ms);
    drawn.wait_until_ended();
    drawn.expect_stops();
    EXPECT_EQ(drawn.one.completed(), all);
    EXPECT_EQ(drawn.seen.carried, 0);
    std::array<int, 2> expected{};
    for (const auto& [emitter, events] : drawn.emitted_by) {
      for (int number = 1; number <= events; ++number) {
        for (std::size_t way = 0; way < 2; ++way) {
          if (takes[way].count(number % 4) == 0) continue;
          ++expected[way];
          EXPECT_EQ((drawn.seen.times_on[way][{emitter, number}]), 1);
        }
      }
    }
    for (std::size_t way = 0; way < 2; ++way) {
      EXPECT_EQ(static_cast<int>(drawn.seen.times_on[way].size()), expected[way]);
    }
    const bool one_thread_each = drawn.one_thread_each();
    if (one_thread_each && !moves) {
      EXPECT_EQ(drawn.seen.out_of_order, 0);
    }
  });
}

// Stages that follow each other from a stage on, and what becomes there of events by the rest of
// their numbers.
struct Branch {
  Drawn& drawn;
  std::uint32_t after = 0;
  std::set<int> comes{0, 1, 2, 3};
  std::set<int> fails{};
  bool in_order = true;
  bool begun = false;

  template <Role role, class H>
  void add(Kind kind) {
    auto& random = drawn.random;
    auto& flow = drawn.one.flow;
    const std::string id = "stage" + std::to_string(flow.stages().size());
    drawn.one.stage<role, H>(id, kind, drawn.pool(), drawn.join());
    Stage& stage = flow.stages().back();
    if (stage.index != 0) stage.after = {after};
    after = stage.index;
    if (std::exchange(begun, true) || random.once_in(2)) return;
    stage.when.of = &number_mod_four;
    for (int rest = 0; rest < 4; ++rest) {
      if (random.once_in(4)) {
        comes.erase(rest);
      } else {
        stage.when.values.push_back(rest);
      }
    }
  }
  void pass_through(int stages) {
    for (; stages > 0; --stages) {
      switch (drawn.random.below(6)) {
        case 0:
          add<Role::map, Fails>(Kind::simple);
          if (comes.erase(0) != 0) fails.insert(0);
          break;
        case 1:
          add<Role::map, Ends>(Kind::simple);
          comes.erase(1);
          break;
        case 2:
          add<Role::map, Gives>(Kind::simple);
          break;
        case 3:
          add<Role::map, Waits>(Kind::async_remote);
          in_order = false;
          break;
        case 4:
          add<Role::map, Pass>(Kind::single_threaded);
          break;
        default:
          add<Role::map, Pass>(Kind::simple);
          break;
      }
    }
  }
  /// One of the ways on from its last stage.
  [[nodiscard]] Branch way() const {
    return {.drawn = drawn, .after = after, .comes = comes, .fails = {}, .in_order = in_order};
  }
};

TEST(WaysWorld, EndsAnEventOnceHoweverManyPiecesFanOutsMakeOfIt) {
  explore([](World& world) {
    Drawn drawn(world);
    auto& random = drawn.random;
    Branch trunk{.drawn = drawn, .begun = true};
    trunk.add<Role::map, Pass>(Kind::simple);
    trunk.pass_through(random.between(0, 1));
    std::set<int> fails = trunk.fails;
    std::array<std::set<int>, kWays> comes;
    bool in_order = true;
    const auto end_at = [&]<std::size_t at>(Branch way) {
      way.pass_through(random.between(0, 2));
      way.add<Role::side_effect, TakesOn<at>>(
          random.one_of({Kind::simple, Kind::simple, Kind::single_threaded}));
      fails.merge(way.fails);
      comes[at] = way.comes;
      in_order = in_order && way.in_order;
    };
    end_at.operator()<0>(trunk.way());
    if (random.once_in(2)) end_at.operator()<1>(trunk.way());
    // One that becomes two again.
    Branch again = trunk.way();
    again.pass_through(random.between(1, 2));
    fails.merge(again.fails);
    end_at.operator()<2>(again.way());
    end_at.operator()<3>(again.way());
    drawn.start();
    for (int emitter = random.between(1, 2); emitter > 0; --emitter) {
      drawn.push_as(emitter, random.between(1, 40));
    }
    Crowd crowd;
    drawn.emit_as(crowd, 3, random.between(1, 8));
    const bool moves = random.once_in(3);
    if (moves) {
      for (Stage& stage : drawn.one.flow.stages()) {
        std::this_thread::yield();
        drawn.one.flow.set_join(stage, drawn.join());
      }
    }
    crowd.join();
    const auto all = static_cast<std::uint64_t>(drawn.emitted);
    while (drawn.one.emitted() != all) std::this_thread::sleep_for(1ms);
    drawn.wait_until_ended();
    drawn.expect_stops();
    std::uint64_t failed = 0;
    std::array<std::size_t, kWays> came{};
    for (const auto& [emitter, events] : drawn.emitted_by) {
      for (int number = 1; number <= events; ++number) {
        const int rest = number % kUnlucky;
        if (fails.count(rest) != 0) ++failed;
        for (std::size_t way = 0; way < kWays; ++way) {
          if (comes[way].count(rest) == 0) continue;
          ++came[way];
          EXPECT_EQ((drawn.seen.times_on[way][{emitter, number}]), 1);
        }
      }
    }
    for (std::size_t way = 0; way < kWays; ++way) {
      EXPECT_EQ(drawn.seen.times_on[way].size(), came[way]);
    }
    EXPECT_EQ(drawn.one.failed(), failed);
    EXPECT_EQ(drawn.one.completed(), all - failed);
    EXPECT_EQ(drawn.one.dropped(), 0U);
    EXPECT_EQ(drawn.seen.carried, 0);
    if (drawn.one_thread_each() && in_order && !moves) {
      EXPECT_EQ(drawn.seen.out_of_order, 0);
    }
  });
}

}  // namespace
}  // namespace penstock::flow::drawn
