// When an answer is in its place: at once where nobody has to be told of it.
#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "support/small_binary.hpp"

namespace penstock::answers_test {
namespace {

using testing::pool_settings;
using testing::SmallBinary;

struct Number {
  int value = 0;
};

struct Echo : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) { return request; }
};

// When its handler runs, what its thread was asked before has been answered.
std::atomic<int> g_reached{0};
struct Reached : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) {
    g_reached.store(request.value);
    g_reached.notify_all();
    return request;
  }
};

struct Caller : Handler {
  using request_type = Number;
  using response_type = Number;
  struct calls_type {
    Stub<Number, Number> Echo;
    Stub<Number, Number> Reached;
  };
  calls_type calls;
};

constexpr int kMany = 8;

// Asks for many at once; how many of them were there when the first one came.
struct AsksAtOnce : Caller {
  Task<Number> handle(const Number& request) {
    g_reached.store(0);
    std::vector<Future<Number>> answers;
    for (int value = 0; value < kMany; ++value) answers.push_back(calls.Echo({value}));
    Future<Number> last;
    if (request.value != 0) {
      // On another thread: the answers are on their way together when this one looks for them.
      last = calls.Reached(request);
      g_reached.wait(0);
    }
    int wrong = (co_await answers[0]).value;
    int ready = 0;
    for (const auto& answer : answers) ready += answer.ready() ? 1 : 0;
    for (int value = 1; value < kMany; ++value) {
      wrong += (co_await answers[static_cast<std::size_t>(value)]).value == value ? 0 : 1;
    }
    if (request.value != 0) wrong += (co_await last).value - request.value;
    co_return Number{wrong == 0 ? ready : -1};
  }
};

// Drops what it asked for when the first answer came, with those that came along.
struct DropsTheRest : Caller {
  Task<Number> handle(const Number& request) {
    std::vector<Future<Number>> answers;
    g_reached.store(0);
    for (int value = 0; value < kMany; ++value) answers.push_back(calls.Echo({value}));
    auto last = calls.Reached(request);
    g_reached.wait(0);
    const Number first = co_await answers[0];
    answers.clear();
    co_return Number{first.value + (co_await last).value};
  }
};

template <class H>
int ask(bool same_thread, int value) {
  SmallBinary binary;
  auto& front = binary.pool(pool_settings("front", 1));
  auto& back = same_thread ? front : binary.pool(pool_settings("back", 1));
  auto& echo = binary.service<Echo>("Echo", Kind::simple, back);
  auto& reached = binary.service<Reached>("Reached", Kind::simple, back);
  auto& caller = binary.service<H>("Caller", Kind::async_remote, front);
  binary.connect<H>(caller, echo, &Caller::calls_type::Echo);
  binary.connect<H>(caller, reached, &Caller::calls_type::Reached);
  const Stub<Number, Number> stub(&binary.site(caller));
  binary.start();
  const int answer = stub({value}).get().value;
  binary.stop();
  EXPECT_EQ(binary.done(echo), echo.sent_count());
  return answer;
}

TEST(Answers, OfTheSameThreadAreThereOnceTheirHandlersRan) {
  EXPECT_EQ(ask<AsksAtOnce>(true, 0), kMany);
}

TEST(Answers, ThatComeTogetherFromAnotherThreadAreAllThereForTheFirstWhoWaits) {
  EXPECT_EQ(ask<AsksAtOnce>(false, 1), kMany);
}

TEST(Answers, ThatComeTogetherMayBeDropped) { EXPECT_EQ(ask<DropsTheRest>(false, 3), 3); }

}  // namespace
}  // namespace penstock::answers_test
