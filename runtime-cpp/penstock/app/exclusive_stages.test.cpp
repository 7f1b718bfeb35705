// One `single-threaded` service in several places of a flow, behind different joins.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/flow_binary.hpp"

namespace penstock::app::exclusive_stages_test {
namespace {

struct Order {
  int number = 0;
};

struct Pass : Handler {
  using request_type = Order;
  using response_type = Order;
  static Order handle(const Order& order) { return order; }
};
struct Alone : Handler {
  using request_type = Order;
  using response_type = Order;
  static Order handle(const Order& order) {
    ++inside;  // plain: a thread sanitizer sees two at a time
    most = std::max(most, inside);
    ++runs;
    --inside;
    return order;
  }
  static inline int inside = 0;
  static inline int most = 0;
  static inline int runs = 0;
};
struct Orders {
  static Order event(std::uint64_t number) { return {static_cast<int>(number)}; }
};

TEST(ExclusiveStages, NeverRunTwoAtOnceHoweverManyPlacesUseTheService) {
  penstock::testing::FlowBinary binary;
  binary.pool("front", 2);
  binary.pool("back", 2);
  binary.service<Pass>("Pass", Kind::simple);
  binary.service<Alone>("Alone", Kind::single_threaded);
  binary.place("Pass", "front");
  binary.place("Alone", "front");
  binary.flow<Orders>("F")
      .map<Pass>("pass", "Pass")
      .map<Alone>("one", "Alone")
      .map<Alone>("two", "Alone")
      .after({"pass"})
      .map<Alone>("again", "Alone")
      .after({"one", "two"});
  binary.join({"two", "back", 1, 1, {}});
  binary.start();
  for (int number = 0; number < 2000; ++number) binary.emit(Order{number});
  ASSERT_TRUE(binary.idle());
  EXPECT_EQ(binary.completed(), 2000U);
  binary.stop();  // its threads have ended: what they counted can be read
  EXPECT_EQ(Alone::most, 1);
  EXPECT_EQ(Alone::runs, 8000);
}

}  // namespace
}  // namespace penstock::app::exclusive_stages_test
