#include <gtest/gtest.h>

#include <coroutine>
#include <optional>
#include <vector>

#include "penstock/testing.hpp"

namespace penstock::testing::test_binary_test {
namespace {

struct Word {
  int value = 0;
};

// What is left behind on purpose stays in sight of the leak checker.
template <class T>
std::vector<T>& kept() {
  static auto* const all = new std::vector<T>;
  return *all;
}

// Goes on when somebody resumes it: nobody does.
struct Never {
  static bool await_ready() noexcept { return false; }
  static void await_suspend(std::coroutine_handle<> relay) {
    kept<std::coroutine_handle<>>().push_back(relay);
  }
  static void await_resume() noexcept {}
};
Task<void> never_ends() { co_await Never{}; }

/// Does as the request says, beside the call that it makes.
struct Asker : Handler {
  using request_type = Word;
  using response_type = Word;
  struct calls_type {
    Stub<Word, Word> Other;
  };
  static constexpr int kAsksOnly = 0;
  static constexpr int kKeepsAnswer = 1;
  static constexpr int kStartsEndless = 2;

  Task<Word> handle(const Word& word) {
    if (word.value == kKeepsAnswer) kept<Future<Word>>().push_back(calls.Other(word));
    if (word.value == kStartsEndless) {
      const auto coroutine = never_ends().release();
      kept<std::coroutine_handle<>>().push_back(coroutine);
      coroutine.resume();
    }
    co_return co_await calls.Other(word);
  }
  calls_type calls;
};

std::optional<Left> left_by(int behaviour, int calls) {
  ServiceTest<Asker> service;
  service.on(&Asker::calls_type::Other, [](const Word& word) { return word; });
  for (int call = 0; call < calls; ++call) static_cast<void>(service({behaviour}));
  return service.end();
}

TEST(TestBinary, SaysThatNothingIsLeft) {
  const std::optional<Left> left = left_by(Asker::kAsksOnly, 100);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->calls, 100U);
  EXPECT_EQ(left->unanswered, 0U);
  EXPECT_EQ(left->blocks, 0U);
}

TEST(TestBinary, CountsAnswersThatAreKeptForEver) {
  const std::optional<Left> left = left_by(Asker::kKeepsAnswer, 100);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->unanswered, 0U);
  EXPECT_EQ(left->blocks, 100U);
}

TEST(TestBinary, CountsCoroutinesThatNeverEndAndDoesNotWaitForThem) {
  const std::optional<Left> left = left_by(Asker::kStartsEndless, 10);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->calls, 10U);
  // The coroutine, and its way home.
  EXPECT_GE(left->blocks, 10U * 2);
  // The one before has left a thread behind, which does not count for the next one.
  const std::optional<Left> next = left_by(Asker::kAsksOnly, 10);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->blocks, 0U);
}

TEST(TestBinary, IsAskedNothingAfterItsEnd) {
  ServiceTest<Asker> service;
  service.on(&Asker::calls_type::Other, [](const Word& word) { return word; });
  static_cast<void>(service({Asker::kAsksOnly}));
  EXPECT_TRUE(service.end());
  EXPECT_FALSE(service.end());
  EXPECT_THROW(service({Asker::kAsksOnly}), std::logic_error);
}

TEST(TestBinary, SaysNothingWhereAnotherOneWasThere) {
  ServiceTest<Asker> other;
  EXPECT_FALSE(left_by(Asker::kAsksOnly, 1));
}

}  // namespace
}  // namespace penstock::testing::test_binary_test
