// A stage whose join goes through every kind a thousand times while events flow at full load.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/flow_binary.hpp"

namespace penstock::app {
namespace {

using penstock::testing::FlowBinary;

struct Numbered {
  std::uint64_t number = 0;
};

constexpr std::uint64_t kLanes = 2;  // sources at once
// Which numbers the sink saw, how often and in which order. Single-threaded: plain data on purpose,
// so that a thread sanitizer sees two at a time.
struct Seen {
  std::vector<std::uint8_t> times;
  std::uint64_t next[kLanes] = {};
  std::uint64_t out_of_order = 0;
  std::uint64_t events = 0;
};
Seen g_seen;
std::atomic<std::uint64_t> g_passed{0};

// The stage that is swept: keeps the order of its events, wherever it runs.
struct Sort : Handler {
  using request_type = Numbered;
  using response_type = Numbered;
  static Numbered handle(const Numbered& event) { return event; }
};
struct Pass : Handler {
  using request_type = Numbered;
  using response_type = Numbered;
  static Numbered handle(const Numbered& event) {
    g_passed.fetch_add(1, std::memory_order_relaxed);
    return event;
  }
};
// Suspends now and then, wherever it runs.
struct Linger : Handler {
  using request_type = Numbered;
  using response_type = Numbered;
  static Task<Numbered> handle(Numbered event) {
    if (event.number % 512 == 0) co_await sleep_for(std::chrono::microseconds(50));
    co_return event;
  }
};
struct Check : Handler {
  using request_type = Numbered;
  using response_type = void;
  static void handle(const Numbered& event) {
    ++g_seen.times[event.number];
    ++g_seen.events;
    std::uint64_t& next = g_seen.next[event.number % kLanes];
    if (event.number < next) ++g_seen.out_of_order;
    next = event.number;
  }
};
struct Nothing {
  static Numbered event(std::uint64_t number) { return {number}; }
};

control::Join own(int threads, int queue = 256, const char* overflow = "block") {
  return {"", threads, queue, overflow};
}

// Every kind of join, and none. Overflow `block` only, where nothing may be lost.
const std::vector<control::Join>& kinds() {
  static const std::vector<control::Join> all{
      own(1), own(3), own(0), {"other", 1, 1, ""}, own(1, 1), own(2, 1000), {"single", 1, 1, ""}};
  return all;
}

void change(FlowBinary& binary, const std::string& stage, std::size_t round) {
  const std::size_t kind = round % (kinds().size() + 1);
  const Nanos before = now_ns();
  const auto outcome = kind == kinds().size() ? binary.host().remove_join("F", stage)
                                              : binary.host().set_join("F", stage, kinds()[kind]);
  ASSERT_TRUE(std::holds_alternative<control::Joined>(outcome))
      << std::get<control::Refusal>(outcome).message;
  EXPECT_LT(now_ns() - before, 1'000'000'000);  // in force
  // Events go on flowing through each.
  const std::uint64_t completed = binary.completed();
  ASSERT_TRUE(penstock::testing::eventually_within(
      std::chrono::seconds(30), [&] { return binary.completed() >= completed + 100; }));
}

void build(FlowBinary& binary, Kind swept) {
  if (swept == Kind::async_remote) {
    binary.service<Linger>("Swept", swept);
  } else {
    binary.service<Pass>("Swept", swept);
  }
  binary.service<Sort>("Sort", Kind::single_threaded);
  binary.service<Check>("Check", Kind::single_threaded);
  binary.pool("single", 1, 128);
  binary.pool("other", 2, 128);
  binary.place("Swept", "other");
  binary.place("Sort", "other");
  binary.place("Check", "single");
  auto builder = binary.flow<Nothing>("F");
  if (swept == Kind::single_threaded) {
    builder.map<Sort>("swept", "Sort");
  } else if (swept == Kind::async_remote) {
    builder.map<Linger>("swept", "Swept");
  } else {
    builder.map<Pass>("swept", "Swept");
  }
  builder.side_effect<Check>("check", "Check");
  binary.start();
}

// Emits as fast as the flow takes it while `sweep` runs; all events, in the end.
template <class Sweep>
std::uint64_t under_load(FlowBinary& binary, Sweep sweep) {
  std::atomic<bool> enough{false};
  constexpr std::uint64_t kMost = 40'000'000;
  g_seen = {};
  g_seen.times.resize(kMost);
  std::uint64_t emitted[kLanes] = {};
  std::vector<std::thread> sources;
  for (std::uint64_t lane = 0; lane < kLanes; ++lane) {
    sources.emplace_back([&, lane] {
      for (std::uint64_t number = lane; number < kMost && !enough.load(); number += kLanes) {
        binary.emit(Numbered{number});
        ++emitted[lane];
      }
    });
  }
  sweep();
  enough = true;
  for (std::thread& source : sources) source.join();
  EXPECT_TRUE(binary.idle());
  binary.stop();  // its threads have ended: what they saw can be read
  std::uint64_t all = 0;
  for (std::uint64_t lane = 0; lane < kLanes; ++lane) {
    all += emitted[lane];
    for (std::uint64_t at = 0; at < emitted[lane]; ++at) {
      if (g_seen.times[at * kLanes + lane] != 1) {
        ADD_FAILURE() << "event " << at * kLanes + lane << " came "
                      << int{g_seen.times[at * kLanes + lane]} << " times";
        break;
      }
    }
  }
  EXPECT_EQ(g_seen.events, all);
  return all;
}

constexpr std::size_t kRounds = 1000;

TEST(JoinsUnderLoad, AStageSweptThroughEveryKindLosesAndRepeatsNothing) {
  FlowBinary binary;
  build(binary, Kind::simple);
  const std::uint64_t events = under_load(binary, [&] {
    for (std::size_t round = 0; round < kRounds && !::testing::Test::HasFailure(); ++round) {
      change(binary, "swept", round);
    }
  });
  EXPECT_GT(events, kRounds);
  EXPECT_EQ(binary.completed(), events);
}

TEST(JoinsUnderLoad, ASingleThreadedStageKeepsTheOrderOfItsEvents) {
  FlowBinary binary;
  build(binary, Kind::single_threaded);
  const std::uint64_t events = under_load(binary, [&] {
    for (std::size_t round = 0; round < kRounds && !::testing::Test::HasFailure(); ++round) {
      change(binary, round % 3 == 2 ? "check" : "swept", round);
    }
  });
  EXPECT_EQ(binary.completed(), events);
  EXPECT_EQ(g_seen.out_of_order, 0U);
}

TEST(JoinsUnderLoad, AStageThatSuspendsGoesOnWhereItBegan) {
  FlowBinary binary;
  build(binary, Kind::async_remote);
  const std::uint64_t events = under_load(binary, [&] {
    for (std::size_t round = 0; round < kRounds && !::testing::Test::HasFailure(); ++round) {
      change(binary, round % 2 == 1 ? "check" : "swept", round * 3);
    }
  });
  EXPECT_EQ(binary.completed(), events);
}

TEST(JoinsUnderLoad, EveryEventIsCountedOnceWhereQueuesThrowSomeAway) {
  FlowBinary binary;
  build(binary, Kind::simple);
  std::atomic<bool> enough{false};
  g_seen = {};
  g_seen.times.resize(40'000'000);
  std::uint64_t emitted = 0;
  std::thread source([&] {
    for (; emitted < g_seen.times.size() && !enough.load(); ++emitted) {
      binary.emit(Numbered{emitted});
    }
  });
  const char* const policies[] = {"reject", "shed-oldest", "block"};
  for (std::size_t round = 0; round < kRounds; ++round) {
    const auto outcome = binary.host().set_join(
        "F", "swept", own(static_cast<int>(round % 4), 8, policies[round % 3]));
    ASSERT_TRUE(std::holds_alternative<control::Joined>(outcome));
  }
  enough = true;
  source.join();
  EXPECT_TRUE(binary.idle());
  binary.stop();
  EXPECT_EQ(binary.completed() + binary.dropped(), emitted);
  EXPECT_EQ(g_seen.events, binary.completed());
}

}  // namespace
}  // namespace penstock::app
