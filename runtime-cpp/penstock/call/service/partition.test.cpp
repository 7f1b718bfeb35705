#include "penstock/call/service/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "penstock/base/defaults.hpp"
#include "penstock/testing.hpp"
#include "support/small_binary.hpp"

namespace penstock::partition_test {
namespace {

using call::key_of;
using call::Partition;
using call::Partitions;
using testing::eventually;
using testing::pool_settings;
using testing::SmallBinary;

struct Order {
  int customer = 0;
  int number = 0;
};

// Opened by the test: a handler that waits for it blocks its thread.
std::atomic<bool> g_gate_open{true};
void set_gate(bool open) {
  g_gate_open.store(open);
  g_gate_open.notify_all();
}
std::atomic<int> g_inside{0};

// Its object counts: which answers show who shares it.
struct Counts : Handler {
  using request_type = Order;
  using response_type = Order;
  static constexpr auto partition_by = &Order::customer;
  static inline std::atomic<int> alive{0};

  Counts() { ++alive; }
  Counts(const Counts&) = delete;
  Counts& operator=(const Counts&) = delete;
  ~Counts() { --alive; }
  Order handle(const Order& order) { return {order.customer, ++seen}; }

  int seen = 0;
};

struct Gated : Handler {
  using request_type = Order;
  using response_type = Order;
  static constexpr auto partition_by = &Order::customer;
  static Order handle(const Order& order) {
    ++g_inside;
    g_gate_open.wait(false);
    --g_inside;
    return order;
  }
};

// Answers once so many are inside at the same time.
struct Meets : Handler {
  using request_type = Order;
  using response_type = Order;
  static constexpr auto partition_by = &Order::customer;
  static Order handle(const Order& order) {
    ++g_inside;
    const bool met = eventually([&] { return g_inside.load() >= order.number; });
    return {order.customer, met ? 1 : 0};
  }
};

struct Slow : Handler {
  using request_type = Order;
  using response_type = Order;
  static Order handle(const Order& order) {
    if (order.number == 0) g_gate_open.wait(false);
    return order;
  }
};

// Waits for another service, and is nobody else's meanwhile.
struct Asks : Handler {
  using request_type = Order;
  using response_type = Order;
  static constexpr auto partition_by = &Order::customer;
  struct calls_type {
    Stub<Order, Order> Other;
  };
  Task<Order> handle(const Order& order) {
    if (busy.exchange(true)) throw Error(ErrorCode::aborted, "not alone");
    const Order answer = co_await calls.Other(order);
    busy.store(false);
    co_return answer;
  }
  calls_type calls;
  std::atomic<bool> busy{false};
};

struct AsksInline : Handler {
  using request_type = Order;
  using response_type = Order;
  struct calls_type {
    Stub<Order, Order> Other;
  };
  Task<Order> handle(const Order& order) { co_return calls.Other.inline_call(order); }
  calls_type calls;
};

struct PartitionTest : ::testing::Test {
  SmallBinary binary;
  Stub<Order, Order> stub(call::Service& service) {
    return Stub<Order, Order>(&binary.site(service));
  }
  // Customers whose orders do not wait for each other.
  static std::vector<int> customers(const call::Service& service, std::size_t count) {
    std::vector<int> found;
    std::set<std::uint32_t> places;
    for (int customer = 1; found.size() < count; ++customer) {
      if (places.insert(service.partitions.of(key_of(customer)).index).second)
        found.push_back(customer);
    }
    return found;
  }
  void SetUp() override {
    set_gate(true);
    g_inside = 0;
  }
  void TearDown() override { set_gate(true); }
};

ErrorCode code_of(Future<Order> future) {
  try {
    future.get();
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::ok;
}

TEST(Partitions, SpreadNeighboursAndMultiplesAlike) {
  Partitions partitions;
  partitions.make(defaults::kPartitions);
  for (const std::uint64_t step : {1ULL, 2ULL, 64ULL, 4096ULL, 1ULL << 32U, 1000ULL, 86400ULL}) {
    std::array<int, defaults::kPartitions> hits{};
    for (std::uint64_t key = 0; key < 6400; ++key) ++hits[partitions.of(key * step).index];
    EXPECT_GT(*std::min_element(hits.begin(), hits.end()), 50) << "step " << step;
    EXPECT_LT(*std::max_element(hits.begin(), hits.end()), 200) << "step " << step;
  }
}

TEST(Partitions, AreOfTheValueWhateverItsType) {
  enum class Tier : std::int32_t { FREE = 0, PAID = -1 };
  EXPECT_EQ(key_of(std::string("a customer")), key_of(std::string("a customer")));
  EXPECT_NE(key_of(std::string("a customer")), key_of(std::string("another one")));
  EXPECT_NE(key_of(Tier::FREE), key_of(Tier::PAID));
  EXPECT_NE(key_of(true), key_of(false));
  EXPECT_EQ(key_of(std::optional<int>(7)), key_of(7));
  EXPECT_EQ(key_of(std::optional<int>()), key_of(std::optional<int>()));
}

TEST_F(PartitionTest, HaveAnObjectOfTheirOwnThatDiesWithTheService) {
  {
    SmallBinary own;
    auto& service =
        own.service<Counts>("Counts", Kind::single_threaded, own.pool(pool_settings("p", 2)));
    const Stub<Order, Order> ask(&own.site(service));
    own.start();
    const std::vector<int> who = customers(service, 3);
    for (int turn = 1; turn <= 5; ++turn) {
      for (const int customer : who) EXPECT_EQ(ask({customer, 0}).get().number, turn);
    }
    EXPECT_EQ(Counts::alive.load(), 3);
  }
  EXPECT_EQ(Counts::alive.load(), 0);
}

TEST_F(PartitionTest, OfOneServiceRunAtTheSameTime) {
  auto& pool = binary.pool(pool_settings("p", 2));
  auto& service = binary.service<Meets>("Meets", Kind::single_threaded, pool);
  const auto ask = stub(service);
  binary.start();
  std::vector<Future<Order>> answers;
  for (const int customer : customers(service, 16)) answers.push_back(ask({customer, 2}));
  for (auto& answer : answers) EXPECT_EQ(answer.get().number, 1);
}

TEST_F(PartitionTest, RunOneRequestAtATime) {
  auto& pool = binary.pool(pool_settings("p", 3));
  const auto ask = stub(binary.service<Gated>("Gated", Kind::single_threaded, pool));
  binary.start();
  set_gate(false);
  std::vector<Future<Order>> answers;
  answers.reserve(4);
  for (int number = 0; number < 4; ++number) answers.push_back(ask({1, number}));
  ASSERT_TRUE(eventually([] { return g_inside.load() == 1; }));
  // They wait where the metrics look.
  EXPECT_EQ(pool.depth().queued, 3U);
  EXPECT_EQ(g_inside.load(), 1);
  set_gate(true);
  for (int number = 0; number < 4; ++number) {
    EXPECT_EQ(answers[static_cast<std::size_t>(number)].get().number, number);
  }
  EXPECT_EQ(pool.depth().queued, 0U);
}

TEST_F(PartitionTest, StayExclusiveWhileTheyAwaitAndLetOthersThrough) {
  auto& pool = binary.pool(pool_settings("p", 1));
  auto& other = binary.service<Slow>("Slow", Kind::sync_remote, binary.pool(pool_settings("q", 2)));
  auto& service = binary.service<Asks>("Asks", Kind::single_threaded, pool);
  binary.connect<Asks>(service, other, &Asks::calls_type::Other);
  const auto ask = stub(service);
  binary.start();
  const std::vector<int> who = customers(service, 2);
  set_gate(false);
  Future<Order> first = ask({who[0], 0});
  Future<Order> second = ask({who[0], 1});
  EXPECT_EQ(ask({who[1], 1}).get().customer, who[1]);
  EXPECT_FALSE(first.ready());
  EXPECT_FALSE(second.ready());
  set_gate(true);
  EXPECT_EQ(first.get().number, 0);
  EXPECT_EQ(second.get().number, 1);
}

TEST_F(PartitionTest, RefuseAnInlineCallWhenTheyAreBusyAndNoOther) {
  auto& pool = binary.pool(pool_settings("p", 1));
  auto& slow = binary.service<Slow>("Slow", Kind::sync_remote, binary.pool(pool_settings("q", 1)));
  auto& asks = binary.service<Asks>("Asks", Kind::single_threaded, pool);
  auto& counts = binary.service<Counts>("Counts", Kind::single_threaded, pool);
  auto& asks_counts = binary.service<AsksInline>("One", Kind::async_remote, pool);
  auto& asks_asks = binary.service<AsksInline>("Two", Kind::async_remote, pool);
  binary.connect<Asks>(asks, slow, &Asks::calls_type::Other);
  binary.connect<AsksInline>(asks_counts, counts, &AsksInline::calls_type::Other);
  binary.connect<AsksInline>(asks_asks, asks, &AsksInline::calls_type::Other);
  const auto ask = stub(asks);
  const auto ask_counts = stub(asks_counts);
  const auto ask_busy = stub(asks_asks);
  binary.start();
  EXPECT_EQ(ask_counts({1, 0}).get().number, 1);
  EXPECT_EQ(ask_counts({1, 0}).get().number, 2);
  set_gate(false);
  Future<Order> first = ask({1, 0});
  ASSERT_TRUE(eventually([&] { return pool.depth().queued == 0 && pool.busy() == 0; }));
  EXPECT_EQ(code_of(ask_busy({1, 1})), ErrorCode::failed_precondition);
  EXPECT_EQ(ask_counts({1, 0}).get().number, 3);
  set_gate(true);
  EXPECT_EQ(first.get().number, 0);
}

TEST_F(PartitionTest, ShareTheQueueOfTheirPool) {
  auto& pool = binary.pool(pool_settings("p", 2, 2, exec::Overflow::reject));
  auto& service = binary.service<Gated>("Gated", Kind::single_threaded, pool);
  const auto ask = stub(service);
  binary.start();
  const std::vector<int> who = customers(service, 3);
  set_gate(false);
  std::vector<Future<Order>> answers;
  answers.push_back(ask({who[0], 0}));
  ASSERT_TRUE(eventually([] { return g_inside.load() == 1; }));
  answers.push_back(ask({who[0], 1}));
  answers.push_back(ask({who[0], 2}));
  EXPECT_EQ(code_of(ask({who[0], 3})), ErrorCode::resource_exhausted);
  // Who need not wait does not care how many others do.
  answers.push_back(ask({who[1], 0}));
  EXPECT_EQ(code_of(ask({who[1], 1})), ErrorCode::resource_exhausted);
  set_gate(true);
  for (auto& answer : answers) EXPECT_NO_THROW(answer.get());
}

TEST_F(PartitionTest, ShedTheirOwnOldest) {
  auto& pool = binary.pool(pool_settings("p", 1, 2, exec::Overflow::shed_oldest));
  auto& service = binary.service<Gated>("Gated", Kind::single_threaded, pool);
  const auto ask = stub(service);
  binary.start();
  set_gate(false);
  Future<Order> running = ask({1, 0});
  ASSERT_TRUE(eventually([] { return g_inside.load() == 1; }));
  Future<Order> oldest = ask({1, 1});
  Future<Order> next = ask({1, 2});
  Future<Order> newest = ask({1, 3});
  EXPECT_EQ(code_of(std::move(oldest)), ErrorCode::resource_exhausted);
  set_gate(true);
  for (auto* future : {&running, &next, &newest}) EXPECT_NO_THROW(future->get());
}

TEST_F(PartitionTest, AreThoseOfAllImplementations) {
  auto& pool = binary.pool(pool_settings("p", 2));
  auto& other = binary.service<Slow>("Slow", Kind::sync_remote, binary.pool(pool_settings("q", 2)));
  auto& service = binary.service<Asks, Asks>("Asks", Kind::single_threaded, pool);
  binary.connect<Asks>(service, other, &Asks::calls_type::Other);
  const auto ask = stub(service);
  binary.start();
  set_gate(false);
  auto answers = ask.each({1, 0});
  ASSERT_TRUE(eventually([&] { return pool.depth().queued == 1; }));
  set_gate(true);
  for (auto& answer : answers) EXPECT_EQ(answer.get().customer, 1);
}

// A request that only takes note that it ran.
struct Note final : exec::Request {
  std::atomic<bool> ran{false};
};

TEST_F(PartitionTest, PreferTheirWorkerUnlessAnotherHasLess) {
  auto& pool = binary.pool(pool_settings("p", 2));
  const auto gated = stub(binary.service<Gated>("Gated", Kind::simple, pool));
  binary.start();
  set_gate(false);
  // Simple, so as many run as there are threads; those beyond wait behind them.
  std::vector<Future<Order>> answers;
  answers.reserve(8);
  for (int request = 0; request < 8; ++request) answers.push_back(gated({1, request}));
  ASSERT_TRUE(eventually([] { return g_inside.load() == 2; }));
  const auto depth = [&](unsigned index) { return pool.worker(index).depth(); };
  while (depth(0) != depth(1)) {
    answers.push_back(gated({1, 0}));  // the less loaded of the two takes it
  }
  std::array<Note, 4> notes;
  const std::array<unsigned, 4> expected{1, 0, 0, 1};
  // Level: to its home. Home has more now: elsewhere. Level again, and again the other way round.
  const std::array<unsigned, 4> homes{1, 1, 0, 0};
  for (std::size_t index = 0; index < notes.size(); ++index) {
    notes[index].run = [](exec::Job& job) noexcept { static_cast<Note&>(job).ran = true; };
    const std::uint64_t before = depth(expected[index]);
    pool.submit_near(notes[index], homes[index]);
    EXPECT_EQ(depth(expected[index]), before + 1) << index;
  }
  set_gate(true);
  for (auto& answer : answers) answer.get();
  for (const Note& note : notes) EXPECT_TRUE(eventually([&] { return note.ran.load(); }));
}

TEST(ServiceTest, GivesAPartitionedHandlerItsPartitions) {
  testing::ServiceTest<Counts> service;
  EXPECT_EQ(service({1, 0}).number, 1);
  EXPECT_EQ(service({1, 0}).number, 2);
  EXPECT_EQ(service.handler({1, 0}).seen, 2);
  int stranger = 2;
  while (&service.handler({stranger, 0}) == &service.handler({1, 0})) ++stranger;
  EXPECT_EQ(service({stranger, 0}).number, 1);
  EXPECT_EQ(service.handler({1, 0}).seen, 2);
}

}  // namespace
}  // namespace penstock::partition_test
