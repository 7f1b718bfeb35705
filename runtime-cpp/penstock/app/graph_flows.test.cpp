// Flows that are more than a line, as a generated main() registers them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "support/flow_binary.hpp"

namespace penstock::app::graph_flows_test {
namespace {

using penstock::testing::FlowBinary;

enum class Tier : std::int32_t { FREE = 0, PAID = 1, TRIAL = 2 };

struct Order {
  int number = 0;
  std::string text;
};
struct Priced {
  int number = 0;
  Tier tier = Tier::FREE;
  std::optional<Tier> second;
};

// What each sink saw, by its name.
std::mutex g_mutex;
std::map<std::string, std::vector<int>> g_seen;
std::vector<Failure> g_failures;
std::vector<Context> g_contexts;

void note(const std::string& sink, int number) {
  const std::lock_guard hold(g_mutex);
  g_seen[sink].push_back(number);
}
std::vector<int> seen(const std::string& sink) {
  const std::lock_guard hold(g_mutex);
  std::vector<int> numbers = g_seen[sink];
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

struct Price : Handler {
  using request_type = Order;
  using response_type = Priced;
  static Priced handle(const Order& order) {
    if (order.text == "bad") throw Error(ErrorCode::invalid_argument, "no price");
    const auto tier = static_cast<Tier>(order.number % 3);
    return {order.number, tier, order.number % 2 == 0 ? std::optional(tier) : std::nullopt};
  }
};
struct SlowPrice : Price {
  static Task<Priced> handle(Order order) {
    co_await sleep_for(std::chrono::microseconds(200));
    co_return Price::handle(order);
  }
};
template <char name>
struct Sink : Handler {
  using request_type = Priced;
  using response_type = void;
  static void handle(const Priced& priced) {
    {
      const std::lock_guard hold(g_mutex);
      g_contexts.push_back(context());
    }
    note({name}, priced.number);
  }
};
struct Double : Handler {
  using request_type = Priced;
  using response_type = Priced;
  static Priced handle(const Priced& priced) {
    if (priced.number == 13) throw Error(ErrorCode::out_of_range, "thirteen");
    return {priced.number * 2, priced.tier, {}};
  }
};
struct Recover : Handler {
  using request_type = Failure;
  using response_type = Priced;
  static Priced handle(const Failure& failure) {
    const std::lock_guard hold(g_mutex);
    g_failures.push_back(failure);
    return {-1, Tier::FREE, {}};
  }
};
struct Give : Handler {
  using request_type = Failure;
  using response_type = void;
  static void handle(const Failure& failure) {
    const std::lock_guard hold(g_mutex);
    g_failures.push_back(failure);
  }
};
struct Orders {
  static Order event(std::uint64_t number) { return {static_cast<int>(number), ""}; }
};

struct GraphFlows : ::testing::Test {
  FlowBinary binary;

  void SetUp() override {
    const std::lock_guard hold(g_mutex);
    g_seen.clear();
    g_failures.clear();
    g_contexts.clear();
    binary.pool("front", 2);
    binary.pool("back", 2);
    binary.service<Price>("Price", Kind::simple);
    binary.service<SlowPrice>("SlowPrice", Kind::async_remote);
    binary.service<Sink<'A'>>("A", Kind::simple);
    binary.service<Sink<'B'>>("B", Kind::simple);
    binary.service<Sink<'C'>>("C", Kind::single_threaded);
    binary.service<Double>("Double", Kind::simple);
    binary.service<Recover>("Recover", Kind::simple);
    binary.service<Give>("Give", Kind::simple);
    for (const char* service : {"Price", "SlowPrice", "A", "B", "C", "Double", "Recover", "Give"}) {
      binary.place(service, "front");
    }
  }
  void run(int events, const std::string& text = "") {
    binary.start();
    for (int number = 0; number < events; ++number) binary.emit(Order{number, text});
    ASSERT_TRUE(idle());
  }
  // Counters order nothing: the lock makes what the handlers noted visible to the test.
  bool idle() {
    const bool all = binary.idle();
    const std::lock_guard noted(g_mutex);
    return all;
  }
  static std::vector<int> numbers(int events, int factor = 1) {
    std::vector<int> all(static_cast<std::size_t>(events));
    std::iota(all.begin(), all.end(), 0);
    for (int& number : all) number *= factor;
    return all;
  }
  std::uint64_t runs(std::size_t stage) {
    return binary.first_flow().runs(binary.first_flow().stages()[stage]);
  }
};

// May be made and moved at any time, and copied until it is told not to.
struct Single {
  static inline std::atomic<bool> refuses{false};
  Single() = default;
  Single(const Single& /*other*/) {
    if (refuses) throw std::bad_alloc();
  }
  Single(Single&&) noexcept = default;
  Single& operator=(const Single&) = default;
  Single& operator=(Single&&) noexcept = default;
  ~Single() = default;
};
struct Pass : Handler {
  using request_type = Single;
  using response_type = Single;
  static Single handle(const Single& /*single*/) { return {}; }
};
struct See : Handler {
  using request_type = Single;
  using response_type = void;
  static void handle(const Single& /*single*/) {}
};
struct Singles {
  static Single event(std::uint64_t /*number*/) { return {}; }
};
struct Told : flow::Completion {
  Told() : Completion(&note_end) {}
  static void note_end(Completion& self, flow::Event& /*event*/, flow::End how) noexcept {
    static_cast<Told&>(self).how = how;
  }
  std::atomic<flow::End> how{flow::End::completed};
};

TEST_F(GraphFlows, WhoWaitsIsToldOfABranchThatWasLost) {
  binary.service<Pass>("Pass", Kind::simple);
  binary.service<See>("See", Kind::simple);
  for (const char* service : {"Pass", "See"}) binary.place(service, "front");
  binary.flow<Singles>("F")
      .map<Pass>("pass", "Pass")
      .side_effect<See>("a", "See")
      .side_effect<See>("b", "See")
      .after({"pass"});
  binary.start();
  Told told;
  flow::Flow& flow = *binary.model().flows().front();
  flow::Event& event = flow.make_event();
  event.set_value(Single());
  event.tell(told);
  Single::refuses = true;
  flow.emit(event);
  ASSERT_TRUE(idle());
  Single::refuses = false;
  EXPECT_EQ(told.how, flow::End::dropped);
  EXPECT_EQ(binary.dropped(), 1U);
}

TEST_F(GraphFlows, AFanOutGivesEachBranchAValueOfItsOwn) {
  binary.flow<Orders>("F")
      .map<Price>("price", "Price")
      .side_effect<Sink<'A'>>("a", "A")
      .side_effect<Sink<'B'>>("b", "B")
      .after({"price"})
      .side_effect<Sink<'C'>>("c", "C")
      .after({"price"});
  binary.join({"b", "back", 1, 1, {}});
  run(300);
  EXPECT_EQ(seen("A"), numbers(300));
  EXPECT_EQ(seen("B"), numbers(300));
  EXPECT_EQ(seen("C"), numbers(300));
  // An event that was divided is one event still.
  EXPECT_EQ(binary.completed(), 300U);
}

TEST_F(GraphFlows, AMergePassesEachEventOnAsItComes) {
  binary.flow<Orders>("F")
      .map<Price>("price", "Price")
      .map<Double>("left", "Double")
      .side_effect<Sink<'A'>>("right", "A")
      .after({"price"})
      .side_effect<Sink<'B'>>("both", "B")
      .after({"left", "right"});
  run(10);
  EXPECT_EQ(seen("A"), numbers(10));
  std::vector<int> both = numbers(10);
  const std::vector<int> doubled = numbers(10, 2);
  both.insert(both.end(), doubled.begin(), doubled.end());
  std::sort(both.begin(), both.end());
  EXPECT_EQ(seen("B"), both);
  EXPECT_EQ(binary.completed(), 10U);
  EXPECT_EQ(runs(3), 20U);
}

TEST_F(GraphFlows, ABranchIsTakenByValueAndAValueWithoutOneEndsTheEvent) {
  binary.flow<Orders>("F")
      .map<Price>("price", "Price")
      .side_effect<Sink<'A'>>("free", "A")
      .when<&Priced::tier>({Tier::FREE})
      .side_effect<Sink<'B'>>("paid", "B")
      .after({"price"})
      .when<&Priced::tier>({Tier::PAID, Tier::FREE});
  run(30);
  std::vector<int> free;
  std::vector<int> free_or_paid;
  for (int number = 0; number < 30; ++number) {
    if (number % 3 == 0) free.push_back(number);
    if (number % 3 != 2) free_or_paid.push_back(number);
  }
  EXPECT_EQ(seen("A"), free);
  EXPECT_EQ(seen("B"), free_or_paid);
  EXPECT_EQ(binary.completed(), 30U);
}

TEST_F(GraphFlows, ABranchMayBeTakenByAnOptionalField) {
  binary.flow<Orders>("F")
      .map<Price>("price", "Price")
      .side_effect<Sink<'A'>>("free", "A")
      .when<&Priced::second>({Tier::FREE});
  run(12);
  EXPECT_EQ(seen("A"), (std::vector<int>{0, 6}));  // none: the optional has no value
  EXPECT_EQ(binary.completed(), 12U);
}

TEST_F(GraphFlows, ACatchStandsForAllBeforeItAndTheRestGoesOnWithWhatItGives) {
  binary.flow<Orders>("F")
      .map<Price>("price", "Price")
      .map<Double>("double", "Double")
      .catch_failure<Recover>("oops", "Recover")
      .side_effect<Sink<'A'>>("a", "A");
  run(14);
  std::vector<int> expected = numbers(13, 2);
  expected.insert(expected.begin(), -1);  // 13 failed
  EXPECT_EQ(seen("A"), expected);
  ASSERT_EQ(g_failures.size(), 1U);
  EXPECT_EQ(g_failures[0], (Failure{ErrorCode::out_of_range, "thirteen", "F", "double"}));
  EXPECT_EQ(binary.completed(), 14U);
}

TEST_F(GraphFlows, AFailureInOneBranchLeavesTheOthersAlone) {
  binary.flow<Orders>("F")
      .map<Price>("price", "Price")
      .map<Double>("left", "Double")
      .catch_failure<Give>("oops", "Give")
      .side_effect<Sink<'A'>>("right", "A")
      .after({"price"})
      .side_effect<Sink<'B'>>("end", "B")
      .after({"left"});
  run(14);
  EXPECT_EQ(seen("A"), numbers(14));
  EXPECT_EQ(seen("B"), numbers(13, 2));
  EXPECT_EQ(g_failures.size(), 1U);
  // The event as a whole failed.
  EXPECT_EQ(binary.failed(), 1U);
  EXPECT_EQ(binary.completed(), 13U);
}

TEST_F(GraphFlows, ACatchThatNamesAStageAndOneBehindItLetsValuesPassOnce) {
  binary.flow<Orders>("F")
      .map<Price>("price", "Price")
      .map<Double>("double", "Double")
      .catch_failure<Recover>("oops", "Recover")
      .after({"price", "double"})
      .side_effect<Sink<'A'>>("a", "A")
      .after({"double", "oops"});
  run(3);
  EXPECT_EQ(seen("A"), numbers(3, 2));
}

TEST_F(GraphFlows, ACoroutineStageGoesOnThroughTheGraphWhenItIsDone) {
  binary.flow<Orders>("F")
      .map<SlowPrice>("price", "SlowPrice")
      .side_effect<Sink<'A'>>("a", "A")
      .side_effect<Sink<'B'>>("b", "B")
      .after({"price"})
      .catch_failure<Give>("oops", "Give")
      .after({"price"});
  binary.start();
  for (int number = 0; number < 50; ++number) {
    binary.emit(Order{number, number % 10 == 9 ? "bad" : ""});
  }
  ASSERT_TRUE(idle());
  EXPECT_EQ(seen("A").size(), 45U);
  EXPECT_EQ(seen("B"), seen("A"));
  EXPECT_EQ(g_failures.size(), 5U);
  EXPECT_EQ(binary.completed(), 45U);
  EXPECT_EQ(binary.failed(), 5U);
}

TEST_F(GraphFlows, CarryTraceAndBaggageThroughEveryHop) {
  binary.flow<Orders>("F")
      .map<SlowPrice>("price", "SlowPrice")
      .side_effect<Sink<'A'>>("a", "A")
      .side_effect<Sink<'B'>>("b", "B")
      .after({"price"});
  binary.join({"b", "back", 1, 1, {}});
  binary.start();
  flow::Flow& flow = *binary.model().flows().front();
  flow::Event& event = flow.make_event();
  event.set_value(Order{1, ""});
  Context given;
  given.trace = *TraceIds::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
  given.baggage = std::make_shared<const Baggage>(Baggage{{"tenant", "blue"}});
  event.set_context(given);
  const Nanos deadline = penstock::testing::far_from_now();
  event.set_deadline(deadline);
  flow.emit(event);
  ASSERT_TRUE(idle());
  ASSERT_EQ(g_contexts.size(), 2U);
  for (const Context& context : g_contexts) {
    EXPECT_EQ(context.trace.traceparent(),
              "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    EXPECT_EQ(context.baggage_value("tenant"), "blue");
    EXPECT_EQ(context.deadline_ns, deadline);
  }
}

TEST_F(GraphFlows, AnEventBeyondItsDeadlineGoesToTheCatch) {
  binary.flow<Orders>("F")
      .map<Price>("price", "Price")
      .catch_failure<Recover>("oops", "Recover")
      .side_effect<Sink<'A'>>("a", "A");
  binary.start();
  flow::Flow& flow = *binary.model().flows().front();
  flow::Event& event = flow.make_event();
  event.set_value(Order{1, ""});
  event.set_deadline(1);
  flow.emit(event);
  ASSERT_TRUE(idle());
  ASSERT_EQ(g_failures.size(), 1U);
  EXPECT_EQ(g_failures[0].code, ErrorCode::deadline_exceeded);
  EXPECT_EQ(g_failures[0].stage, "price");
  const metrics::Sample sample = binary.host().sample();
  EXPECT_EQ(sample.stages[0].count, 1U);
  EXPECT_EQ(sample.stages[0].expired, 1U);
  EXPECT_EQ(sample.stages[0].served, 0U);
  EXPECT_EQ(sample.stages[1].served, 1U);
  const metrics::ServiceRow& price =
      sample.services[binary.model().service_id(binary.first_flow().stages()[0].service)];
  EXPECT_EQ(price.requests, 1U);
  EXPECT_EQ(price.endings.expired, 1U);
  EXPECT_EQ(price.endings.served, 0U);
}

}  // namespace
}  // namespace penstock::app::graph_flows_test
