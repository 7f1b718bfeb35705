#include "penstock/app/running/asking.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <variant>
#include <vector>

#include "support/flow_binary.hpp"
#include "support/json_word.hpp"

namespace penstock::app::asking_test {
namespace {

using penstock::testing::FlowBinary;
using penstock::testing::JsonWord;

struct Echo : Handler {
  using request_type = JsonWord;
  using response_type = JsonWord;
  static JsonWord handle(const JsonWord& word) {
    if (word.text == "fail") throw Error(ErrorCode::not_found, "no such word");
    return {word.text + "!", word.number + 1};
  }
};
struct Asks : Handler {
  using request_type = JsonWord;
  using response_type = JsonWord;
  struct calls_type {
    Stub<JsonWord, JsonWord> Echo;
  };
  Task<JsonWord> handle(const JsonWord& word) {
    JsonWord answer = co_await calls.Echo(word);
    answer.text += "?";
    co_return answer;
  }
  calls_type calls;
};
struct Silent : Handler {
  using request_type = JsonWord;
  using response_type = void;
  static void handle(const JsonWord& /*word*/) {}
};
struct Divided : Handler {
  using request_type = JsonWord;
  using response_type = JsonWord;
  static constexpr auto partition_by = &JsonWord::number;
  static JsonWord handle(const JsonWord& word) { return word; }
};
struct OnFailure : Handler {
  using request_type = Failure;
  using response_type = Failure;
  static Failure handle(const Failure& failure) { return failure; }
};
std::atomic<bool> g_hold{false};
struct Slow : Handler {
  using request_type = JsonWord;
  using response_type = JsonWord;
  static JsonWord handle(const JsonWord& word) {
    while (g_hold.load()) std::this_thread::yield();
    return word;
  }
};
struct Plain {};
struct WithoutJson : Handler {
  using request_type = Plain;
  using response_type = void;
  static void handle(const Plain& /*plain*/) {}
};

class AskingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    binary.service<Echo>("Echo", Kind::sync_remote);
    binary.service<Asks>("Asks", Kind::async_remote);
    binary.service<Silent>("Silent", Kind::single_threaded);
    binary.service<Divided>("Divided", Kind::single_threaded);
    binary.service<OnFailure>("OnFailure", Kind::simple);
    binary.service<Slow>("Slow", Kind::simple);
    binary.service<WithoutJson>("WithoutJson", Kind::simple);
    binary.model().add_call(bind_call("Asks", "Echo", &Asks::calls_type::Echo));
    binary.pool("default", 2);
    binary.start();
  }
  void TearDown() override { g_hold = false; }
  control::Asked ask(const std::string& service, const std::string& request,
                     int deadline_ms = 300'000) {
    return std::get<control::Asked>(binary.host().ask({service, request, deadline_ms}));
  }
  control::Refusal refused(const std::string& service, const std::string& request) {
    return std::get<control::Refusal>(binary.host().ask({service, request}));
  }

  FlowBinary binary;
};

TEST_F(AskingTest, AsksServicesOfEveryKind) {
  EXPECT_EQ(ask("Echo", R"({"text":"a","number":1})").answer, R"({"text":"a!","number":2})");
  EXPECT_EQ(ask("Asks", R"({"text":"a"})").answer, R"({"text":"a!?","number":1})");
  EXPECT_EQ(ask("Silent", "{}").answer, "{}");
  EXPECT_EQ(ask("Divided", R"({"number":7})").answer, R"({"number":7})");
  const std::string failure = R"({"code":5,"message":"x"})";
  EXPECT_EQ(ask("OnFailure", failure).answer, failure);
}

TEST_F(AskingTest, CountsAsAnyOtherCall) {
  static_cast<void>(ask("Echo", "{}"));
  static_cast<void>(ask("Echo", R"({"text":"fail"})"));
  const metrics::Sample sample = binary.host().sample();
  EXPECT_EQ(sample.services[0].requests, 2U);
  EXPECT_EQ(sample.services[0].errors, 1U);
}

TEST_F(AskingTest, CountsForTheServiceThatIsAsked) {
  for (const char* const service : {"Echo", "Silent", "Silent", "Asks"})
    static_cast<void>(ask(service, "{}"));
  const metrics::Sample sample = binary.host().sample();
  const auto requests = [&sample](std::size_t service) {
    return sample.services[service].requests;
  };
  EXPECT_EQ(requests(0), 2U) << "Echo, by hand and by Asks";
  EXPECT_EQ(requests(1), 1U) << "Asks";
  EXPECT_EQ(requests(2), 2U) << "Silent";
  EXPECT_EQ(requests(3), 0U) << "Divided";
  EXPECT_TRUE(binary.idle());
  EXPECT_EQ(binary.model().left(), "");
}

TEST_F(AskingTest, SeveralMayAskAtOnce) {
  std::vector<std::thread> all;
  for (int thread = 0; thread < 4; ++thread) {
    all.emplace_back([this] {
      for (int time = 0; time < 25; ++time) {
        static_cast<void>(ask("Echo", "{}"));
        static_cast<void>(ask("Silent", "{}"));
      }
    });
  }
  for (std::thread& each : all) each.join();
  EXPECT_EQ(binary.host().sample().services[0].requests, 100U);
  EXPECT_TRUE(binary.idle());
}

TEST_F(AskingTest, GivesTheErrorOfTheService) {
  const control::Asked asked = ask("Asks", R"({"text":"fail"})");
  EXPECT_EQ(asked.answer, "");
  EXPECT_EQ(asked.error_code, "not_found");
  EXPECT_NE(asked.error_message.find("no such word"), std::string::npos);
}

TEST_F(AskingTest, TellsItsWayWhateverIsSampled) {
  static_cast<void>(binary.host().set_sampling(0));
  const control::Asked asked = ask("Asks", R"({"text":"a"})");
  ASSERT_EQ(asked.trace.size(), 2U);
  const control::AskedCall& own = asked.trace[0];
  EXPECT_FALSE(own.parent);
  EXPECT_EQ(own.service, "Asks");
  EXPECT_EQ(own.implementation, "");
  EXPECT_EQ(own.thread.substr(0, 9), "default\u00b7");
  EXPECT_EQ(own.at_us, 0);
  const control::AskedCall& inner = asked.trace[1];
  EXPECT_EQ(inner.parent, 0U);
  EXPECT_EQ(inner.service, "Echo");
  EXPECT_GE(inner.at_us, *own.wait_us);
  EXPECT_GE(*own.run_us, *inner.wait_us + *inner.run_us);
  EXPECT_LE(*own.wait_us + *own.run_us, asked.took_ms * 1e3);
  // Counted once: what is followed is a call as any other.
  EXPECT_EQ(binary.host().sample().services[0].requests, 1U);
}

TEST_F(AskingTest, TellsWhereItsWayFailed) {
  const control::Asked asked = ask("Asks", R"({"text":"fail"})");
  ASSERT_EQ(asked.trace.size(), 2U);
  EXPECT_TRUE(asked.trace[0].failed);
  EXPECT_TRUE(asked.trace[1].failed);
}

TEST_F(AskingTest, TellsOfAWayThatIsNotOver) {
  g_hold = true;
  const control::Asked asked = ask("Slow", "{}", 1);
  ASSERT_EQ(asked.trace.size(), 1U);
  // Or its time was over when it was about to run.
  EXPECT_TRUE(!asked.trace[0].run_us || asked.trace[0].failed);
  g_hold = false;
}

TEST_F(AskingTest, WaitsNoLongerThanItsDeadline) {
  g_hold = true;
  const control::Asked asked = ask("Slow", "{}", 1);
  EXPECT_EQ(asked.error_code, "deadline_exceeded");
  g_hold = false;
  // Nothing of it stays behind.
  EXPECT_TRUE(binary.idle());
}

// As it waited behind others for a thread that asks.
TEST_F(AskingTest, IsNotAskedAfterItsDeadline) {
  const auto outcome =
      binary.host().ask({"Slow", "{}", 1, now_ns() - std::chrono::nanoseconds(1'000'000).count()});
  const auto& asked = std::get<control::Asked>(outcome);
  EXPECT_EQ(asked.error_code, "deadline_exceeded");
  EXPECT_GE(asked.took_ms, 1);
  EXPECT_TRUE(asked.trace.empty());
}

TEST_F(AskingTest, SaysWhatIsWrongWithARequest) {
  const control::Refusal malformed = refused("Echo", R"({"txt":1})");
  EXPECT_EQ(malformed.code, "PS758");
  EXPECT_EQ(malformed.message,
            "The request of Echo: /txt: is no field of this message (line 1, column 2)");
  EXPECT_EQ(refused("WithoutJson", "{}").code, "PS759");
}

}  // namespace
}  // namespace penstock::app::asking_test
