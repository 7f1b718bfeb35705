#include "penstock/net/layers/ordering.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "penstock/net/layers/stack.hpp"

namespace penstock::net::layers::ordering_test {
namespace {

constexpr Nanos kMs = 1'000'000;

struct Sent {
  static constexpr std::size_t kMost = 100;
  std::vector<std::string>* all;
  void send(std::string_view bytes) const { all->emplace_back(bytes); }
};

class Orders : public ::testing::Test {
 protected:
  using Made = Stack<Sent, Ordering>;
  /// `count` packets named by their numbers.
  void send(int count) {
    Made sender({&sent}, Ordering(Ordering::Settings{}));
    for (int number = 0; number < count; ++number)
      ASSERT_TRUE(sender.send(std::to_string(number), 1));
  }
  void bring(Made& to, std::size_t number, Nanos now) {
    to.receive(sent[number], now,
               [this](std::string_view bytes) { came += std::string(bytes) + ' '; });
  }
  void tell(Made& stack, Nanos now) {
    stack.timer(now, [this](std::string_view bytes) { came += std::string(bytes) + ' '; });
  }

  std::vector<std::string> sent;
  std::string came;
};

TEST_F(Orders, AreKeptAsLongAsItTakesWhereNothingIsLost) {
  send(5);
  Made stack({&sent}, Ordering(Ordering::Settings{}));
  for (const std::size_t number : {4U, 1U, 2U, 1U}) bring(stack, number, kMs);
  EXPECT_EQ(came, "");
  EXPECT_EQ(stack.next(), 0);
  bring(stack, 0, kMs);
  EXPECT_EQ(came, "0 1 2 ");
  for (const std::size_t number : {3U, 3U, 4U}) bring(stack, number, kMs);
  EXPECT_EQ(came, "0 1 2 3 4 ");
  EXPECT_EQ(stack.layer<Ordering>().figures().again, 3U);
}

TEST_F(Orders, GoOnAfterAGapThatLastsTooLong) {
  send(6);
  Made stack({&sent}, Ordering(Ordering::Settings{10 * kMs}));
  bring(stack, 2, kMs);
  bring(stack, 4, 5 * kMs);
  EXPECT_EQ(stack.next(), 11 * kMs);
  tell(stack, 11 * kMs);
  EXPECT_EQ(came, "2 ");
  EXPECT_EQ(stack.next(), 21 * kMs);
  tell(stack, 21 * kMs);
  bring(stack, 1, 22 * kMs);
  bring(stack, 5, 22 * kMs);
  EXPECT_EQ(came, "2 4 5 ");
  EXPECT_EQ(stack.next(), 0);
  EXPECT_EQ(stack.layer<Ordering>().figures().skipped, 3U);
  EXPECT_EQ(stack.layer<Ordering>().figures().late, 1U);
}

TEST_F(Orders, AreGivenOnceAlsoWhereOneComesSoEarlyThatTheFirstIsGivenUp) {
  const int window = kWindow;
  send(window + 1);
  Made stack({&sent}, Ordering(Ordering::Settings{10 * kMs}));
  bring(stack, 1, kMs);
  bring(stack, 2, kMs);
  EXPECT_EQ(came, "");
  bring(stack, kWindow, kMs);  // and so nobody waits for 0 any more
  EXPECT_EQ(came, "1 2 ");
  bring(stack, 1, kMs);
  bring(stack, 3, kMs);
  EXPECT_EQ(came, "1 2 3 ");
  tell(stack, 20 * kMs);
  EXPECT_EQ(came, "1 2 3 " + std::to_string(window) + ' ');
  EXPECT_EQ(stack.layer<Ordering>().figures().again, 1U);
}

TEST_F(Orders, AreLeftForLateOnesWhereThatIsSet) {
  send(3);
  Made stack({&sent}, Ordering(Ordering::Settings{10 * kMs, true}));
  bring(stack, 2, kMs);
  tell(stack, 20 * kMs);
  for (const std::size_t number : {0U, 0U, 2U, 1U}) bring(stack, number, 21 * kMs);
  EXPECT_EQ(came, "2 0 1 ");
  EXPECT_EQ(stack.layer<Ordering>().figures().again, 2U);
}

TEST_F(Orders, HaveAWindowThatMovesWhereSomeAreLost) {
  send(3'000);
  Made stack({&sent}, Ordering(Ordering::Settings{10 * kMs}));
  bring(stack, 0, kMs);
  bring(stack, 10, kMs);
  bring(stack, 1'024, kMs);
  EXPECT_EQ(came, "0 ");
  bring(stack, 1'040, kMs);  // 17 is the first that may still come
  EXPECT_EQ(came, "0 10 ");
  bring(stack, 17, kMs);
  bring(stack, 2'999, kMs);
  EXPECT_EQ(came, "0 10 17 1024 1040 ");
  bring(stack, 1'900, kMs);
  bring(stack, 1'976, kMs);
  EXPECT_EQ(came, "0 10 17 1024 1040 1976 ");
}

TEST_F(Orders, HaveAWindowBeyondWhichNobodySendsWhereNoneIsLost) {
  send(1'026);
  Made stack({&sent}, Ordering(Ordering::Settings{}));
  bring(stack, 1'024, kMs);
  bring(stack, 1'023, kMs);
  stack.receive("abc", kMs, [](std::string_view) { FAIL(); });
  EXPECT_EQ(stack.layer<Ordering>().figures().malformed, 2U);
}

}  // namespace
}  // namespace penstock::net::layers::ordering_test
