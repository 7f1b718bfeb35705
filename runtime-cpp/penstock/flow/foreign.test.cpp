// Stages whose coroutines await what other threads bring.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>

#include "support/one_flow.hpp"
#include "support/other_library.hpp"

namespace penstock::flow::foreign_test {
namespace {

using penstock::testing::eventually;
using penstock::testing::OneFlow;
using penstock::testing::OtherLibrary;
using penstock::testing::pool_settings;

struct Number {
  int value = 0;
};

OtherLibrary* g_library = nullptr;
std::atomic<int> g_sum{0};
std::atomic<int> g_misplaced{0};

struct Waits : Handler {
  using request_type = Number;
  using response_type = Number;
  static Task<Number> handle(const Number& number) {
    const exec::Worker* const worker = exec::Worker::current();
    const call::Activation* const activation = call::current_activation();
    const int first = co_await g_library->arrives(number.value);
    penstock::Completion<int> done;
    g_library->call_back([callback = done.callback(), first] {
      if (first % 5 != 0) callback(first + 1);
    });
    const auto look = [&] {
      if (worker != exec::Worker::current() || activation != call::current_activation() ||
          context().baggage_value("user") != "ada") {
        g_misplaced.fetch_add(1);
      }
    };
    look();
    const int second = co_await done;
    look();
    co_return Number{second};
  }
};
struct Adds : Handler {
  using request_type = Number;
  using response_type = void;
  static void handle(const Number& number) { g_sum.fetch_add(number.value); }
};

TEST(ForeignStage, GoesOnWhereItWasWithTheEventsContext) {
  OtherLibrary library;
  g_library = &library;
  g_sum = 0;
  g_misplaced = 0;
  OneFlow one;
  auto& pool = one.binary.pool(pool_settings("p", 2));
  auto& sink = one.binary.pool(pool_settings("q", 1));
  one.stage<Role::map, Waits>("Waits", Kind::async_remote, pool, &pool);
  one.stage<Role::map, Adds>("Adds", Kind::simple, pool, &sink);
  one.start();
  const auto baggage = std::make_shared<Baggage>(Baggage{{"user", "ada"}});
  for (int number = 1; number <= 20; ++number) {
    Event& event = one.flow.make_event();
    event.set_value(Number{number});
    Context context;
    context.baggage = baggage;
    event.set_context(context);
    one.flow.emit(event);
  }
  // Every fifth one finds nobody who could call back.
  EXPECT_TRUE(eventually([&] { return one.completed() + one.failed() == 20; }));
  EXPECT_EQ(one.failed(), 4U);
  EXPECT_EQ(g_misplaced, 0);
  one.binary.stop();
  EXPECT_EQ(g_sum, 210 - 50 + 16);
}

}  // namespace
}  // namespace penstock::flow::foreign_test
