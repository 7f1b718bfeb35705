// Requests that wait for room in the queues of flows.
#include "penstock/edge/flow_requests.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "support/gate.hpp"
#include "support/json_word.hpp"
#include "support/small_binary.hpp"

namespace penstock::edge::flow_requests_test {
namespace {

using penstock::testing::eventually;
using penstock::testing::Gate;
using penstock::testing::JsonWord;
using penstock::testing::pool_settings;

enum Which { kOne, kOther };

template <Which which>
struct Held : Handler {
  using request_type = JsonWord;
  using response_type = void;
  static void handle(const JsonWord& word) {
    gate.pass();
    const std::lock_guard hold(mutex);
    came.push_back(word.number);
  }
  static inline Gate gate;
  static inline std::mutex mutex;
  static inline std::vector<int> came;  // under the mutex
};

/// Two flows, each of which has one worker and room for one event.
struct FlowRequestsTest : ::testing::Test {
  static constexpr int kMakesRoom = 1000;

  penstock::testing::SmallBinary binary;
  std::deque<flow::Flow> flows;
  std::deque<flow::HttpSource> sources;
  int looks = 0;
  FlowRequests requests{[this] { ++looks; }};
  static inline flow::HttpSource* first = nullptr;

  void SetUp() override {
    add<kOne>();
    add<kOther>();
    first = &sources.front();
    binary.start();
    binary.registry().enter();
  }
  void TearDown() override {
    Held<kOne>::gate.open();
    Held<kOther>::gate.open();
    binary.stop();
    binary.registry().leave();
  }
  template <Which which>
  void add() {
    using H = Held<which>;
    H::came.clear();
    H::gate.close();
    const std::string name = which == kOne ? "one" : "other";
    exec::Pool& pool = binary.pool(pool_settings(name, 1, 1));
    flow::Flow& flow = flows.emplace_back(name);
    flow.fit(sizeof(JsonWord));
    flow::Stage& stage = flow.add_stage();
    app::set_up(stage, binary.service<H>(name, Kind::simple, pool),
                app::bind_stage<flow::Role::side_effect, H>(name, name));
    stage.join = &pool;
    binary.enroll(flow);
    sources.emplace_back(flow, flow::HttpSource::Settings{&read, "/" + name, true, 1000, 1000});
  }
  /// With one of them the first flow gets room.
  static bool read(std::string_view text, flow::Event& event, JsonError& error) {
    if (!flow::read_json<JsonWord>(text, event, error)) return false;
    if (event.value<JsonWord>().number == kMakesRoom) {
      Held<kOne>::gate.open();
      EXPECT_TRUE(eventually([] { return first->has_room(); }));
    }
    return true;
  }
  std::optional<flow::HttpAnswer> take(Which which, int number) {
    return requests.take(
        std::make_shared<FlowRequest>(sources[which], "{\"number\":" + std::to_string(number) + "}",
                                      Context{}, [](const flow::HttpAnswer& /*answer*/) {}));
  }
  /// With events from 1 on, of which the worker holds the first one; gives the last one.
  template <Which which>
  int fill() {
    int number = 0;
    while (sources[which].has_room()) {
      EXPECT_EQ(take(which, ++number).value().status, 202);
      if (number == 1) Held<which>::gate.wait_for_one();
    }
    return number;
  }
};

TEST_F(FlowRequestsTest, DoNotWaitForRoomInAnotherFlow) {
  const int last = fill<kOne>();
  EXPECT_EQ(take(kOne, last + 1), std::nullopt);
  EXPECT_EQ(looks, 1);
  const auto answer = take(kOther, 1);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 202);
}

TEST_F(FlowRequestsTest, AreNotOvertakenByALaterOneThatFindsRoom) {
  const int last = fill<kOne>();
  fill<kOther>();
  EXPECT_EQ(take(kOne, last + 1), std::nullopt);
  EXPECT_EQ(take(kOther, kMakesRoom), std::nullopt);
  EXPECT_EQ(take(kOne, last + 2), std::nullopt);
  Held<kOther>::gate.open();
  ASSERT_TRUE(eventually([this] { return sources[kOther].has_room(); }));
  requests.look();
  // Room came behind the look at the first one. Neither does who comes now overtake it.
  EXPECT_TRUE(sources[kOne].has_room());
  EXPECT_EQ(take(kOne, last + 3), std::nullopt);
  std::vector<int> all;
  for (int number = 1; number <= last + 3; ++number) all.push_back(number);
  EXPECT_TRUE(eventually([&] {
    requests.look();
    const std::lock_guard hold(Held<kOne>::mutex);
    return Held<kOne>::came.size() == all.size();
  }));
  const std::lock_guard hold(Held<kOne>::mutex);
  EXPECT_EQ(Held<kOne>::came, all);
}

}  // namespace
}  // namespace penstock::edge::flow_requests_test
