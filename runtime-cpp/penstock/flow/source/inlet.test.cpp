#include "penstock/flow/source/inlet.hpp"

#include <gtest/gtest.h>

#include <mutex>

#include "penstock/app/binding.hpp"
#include "penstock/testing.hpp"
#include "support/one_flow.hpp"

namespace penstock::flow::inlet_test {
namespace {

using penstock::testing::eventually;
using penstock::testing::pool_settings;

struct Number {
  int value = 0;
};
std::mutex g_mutex;
std::vector<int> g_seen;

struct Note : Handler {
  using request_type = Number;
  using response_type = void;
  static void handle(const Number& number) {
    const std::lock_guard hold(g_mutex);
    g_seen.push_back(number.value);
  }
};
struct Teller : Handler {
  using request_type = Number;
  using response_type = Number;
  struct flows_type {
    Inlet<Number> Notes;
  };
  Number handle(const Number& number) {
    for (int i = 0; i < number.value; ++i) flows.Notes.push({i});
    return number;
  }
  flows_type flows;
};

TEST(Inlet, CarriesWhatHandlersPushInTheirOrder) {
  g_seen.clear();
  penstock::testing::OneFlow one;
  auto& tellers = one.binary.pool(pool_settings("a", 1));
  auto& notes = one.binary.pool(pool_settings("b", 1, 4));
  auto& teller = one.binary.service<Teller>("Teller", Kind::simple, tellers);
  const call::CallSite& site = one.binary.site(teller);
  one.stage<Role::map, Note>("note", Kind::single_threaded, notes, &notes);
  one.flow.fit(sizeof(Number));
  ServiceSource source(one.flow);
  EXPECT_EQ(source.kind(), "service");
  EXPECT_FALSE(source.set_per_second(1));
  const app::HandlerBinding binding = app::bind_handler<Teller>();
  const app::InletBinding inlet = app::bind_inlet("Teller", "F", &Teller::flows_type::Notes);
  EXPECT_EQ(binding.flows_tag, inlet.flows_tag);
  teller.implementations.front()->give_extras().inlets.emplace_back(
      [&](void* handler) { inlet.set(binding.flows_of(handler), &source); });
  one.start();
  // More than the queue holds: a handler's push is never refused by `block`.
  EXPECT_EQ((Stub<Number, Number>(&site)(Number{100}).get().value), 100);
  // The counter says that it happened, the lock makes it visible.
  ASSERT_TRUE(eventually([&] { return one.completed() == 100; }));
  EXPECT_EQ(one.dropped(), 0U);
  const std::lock_guard hold(g_mutex);
  ASSERT_EQ(g_seen.size(), 100U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(g_seen[static_cast<std::size_t>(i)], i);
}

TEST(Inlet, GivesATestWhatItsHandlerPushed) {
  penstock::testing::ServiceTest<Teller> service;
  std::vector<int> pushed;
  service.on(&Teller::flows_type::Notes,
             [&](const Number& number) { pushed.push_back(number.value); });
  EXPECT_EQ(service({3}).value, 3);
  EXPECT_EQ(pushed, (std::vector{0, 1, 2}));
}

TEST(Inlet, SaysThatTheBinaryDoesNotServeTheFlow) {
  penstock::testing::ServiceTest<Teller> service;
  EXPECT_EQ(service({0}).value, 0);
  try {
    static_cast<void>(service({1}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unavailable);
  }
}

}  // namespace
}  // namespace penstock::flow::inlet_test
