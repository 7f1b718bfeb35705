// The handlers that stand for stages of other binaries, which here a service beside them stands
// for.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "support/gate.hpp"
#include "support/one_flow.hpp"

namespace penstock::app::remote_stage_test {
namespace {

using namespace std::chrono_literals;
using flow::Role;
using testing::eventually;
using testing::OneFlow;
using testing::pool_settings;

struct Item {
  int number = 0;
};

bool has_deadline() { return context().deadline_ns != 0; }

// What the other binary answers a window with, and a catch: whether it has been given a deadline.
struct There : Handler {
  using request_type = Item;
  using response_type = net::Given<Item>;
  static Task<response_type> handle(const Item& item) {
    co_return response_type{Item{has_deadline() ? 0 : item.number}};
  }
};
struct Ends : Handler {
  using request_type = Item;
  using response_type = net::Given<Item>;
  static response_type handle(const Item& /*item*/) { return {}; }
};

// Of this test's last stage.
std::vector<std::string>* g_noted = nullptr;
struct Note : Handler {
  using request_type = Item;
  using response_type = void;
  static void handle(const Item& item) {
    g_noted->push_back(std::to_string(item.number) + (has_deadline() ? " in time" : ""));
  }
};

template <class Stage, class Callee>
std::vector<std::string> noted_behind(std::uint64_t completed) {
  std::vector<std::string> noted;
  g_noted = &noted;
  OneFlow one;
  auto& pool = one.binary.pool(pool_settings("a", 1));
  one.stage<Role::map, Stage>("there", Kind::async_remote, pool, &pool);
  call::Service& callee = one.binary.service<Callee>("callee", Kind::simple, pool);
  one.binary.connect<Stage>(*one.flow.stages().back().service, callee, &Stage::calls_type::there);
  one.stage<Role::side_effect, Note>("note", Kind::single_threaded, pool, nullptr);
  one.start();
  flow::Event& event = one.flow.make_event();
  event.set_value(Item{7});
  event.set_deadline(after(now_ns(), std::chrono::nanoseconds(1h).count()));
  one.flow.emit(event);
  EXPECT_TRUE(eventually([&one] { return one.all_ended(); }));
  EXPECT_EQ(one.completed(), completed);
  one.binary.stop();
  return noted;
}

TEST(RemoteStage, IsAskedWithTheDeadlineOfItsEvent) {
  const auto noted = noted_behind<RemoteStage<Item, Item>, There>(1);
  EXPECT_EQ(noted, std::vector<std::string>{"0 in time"});
}

// It is made of many events: the one that carries it may be long over.
TEST(RemoteStage, GoesOnWithoutADeadlineAsWhatItStandsForDoes) {
  const auto noted = noted_behind<RemoteStage<Item, Item, true>, There>(1);
  EXPECT_EQ(noted, std::vector<std::string>{"7"});
}

TEST(RemoteStage, EndsItsEventWhereTheAnswerHasNoValue) {
  const auto noted = noted_behind<RemoteStage<Item, Item>, Ends>(1);
  EXPECT_EQ(noted, std::vector<std::string>{});
}

}  // namespace
}  // namespace penstock::app::remote_stage_test
