#include "penstock/net/layers/slicing.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "penstock/net/layers/stack.hpp"

namespace penstock::net::layers::slicing_test {
namespace {

constexpr Nanos kMs = 1'000'000;

struct Sent {
  static constexpr std::size_t kMost = 108;
  std::vector<std::string>* all;
  void send(std::string_view bytes) const { all->emplace_back(bytes); }
};
using Made = Stack<Sent, Slicing<>>;

class Slices : public ::testing::Test {
 protected:
  void send(const std::string& message) { ASSERT_TRUE(sender.send(message, 1)); }
  void bring(std::size_t number, Nanos now = kMs) { bring(sent[number], now); }
  void bring(const std::string& bytes, Nanos now = kMs) {
    receiver.receive(bytes, now, [this](std::string_view message) { came.emplace_back(message); });
  }
  [[nodiscard]] const Reassembly::Figures& figures() {
    return receiver.layer<Slicing<>>().figures();
  }

  std::vector<std::string> sent;
  std::vector<std::string> came;
  Made sender{Sent{&sent}, Slicing<>()};
  Made receiver{Sent{&sent}, Slicing<>({4, 8'192, 10 * kMs})};
};

std::string message_of(std::size_t bytes, char first = 'a') {
  std::string message(bytes, first);
  for (std::size_t at = 0; at < bytes; ++at) message[at] = static_cast<char>(first + at % 23);
  return message;
}

TEST_F(Slices, AreAWholeMessageInWhateverOrderTheyCome) {
  EXPECT_EQ(Made::most(), 102'400U);
  send(message_of(350));
  send("");
  send(message_of(100));
  ASSERT_EQ(sent.size(), 6U);
  for (const std::size_t number : {3U, 1U, 5U, 1U, 0U, 4U, 2U}) bring(number);
  ASSERT_EQ(came.size(), 3U);
  EXPECT_EQ(came[0], message_of(100));
  EXPECT_EQ(came[1], "");
  EXPECT_EQ(came[2], message_of(350));
  EXPECT_EQ(figures().again, 1U);
}

TEST_F(Slices, AreForgottenAfterAWhile) {
  send(message_of(150));
  bring(0, 5 * kMs);
  EXPECT_EQ(receiver.next(), 15 * kMs);
  receiver.timer(15 * kMs, [](std::string_view) { FAIL(); });
  EXPECT_EQ(receiver.next(), 0);
  bring(1, 16 * kMs);
  EXPECT_TRUE(came.empty());
  EXPECT_EQ(figures().given_up, 1U);
}

TEST_F(Slices, AreOfSoManyMessagesAtATime) {
  for (int message = 0; message < 5; ++message) send(message_of(150));
  for (const std::size_t first : {0U, 2U, 4U, 6U, 8U}) bring(first);
  for (const std::size_t last : {3U, 5U, 7U, 9U, 1U}) bring(last);
  EXPECT_EQ(came.size(), 4U);
  EXPECT_EQ(figures().given_up, 1U);
}

TEST_F(Slices, TakeSoMuchMemoryAtATime) {
  for (int message = 0; message < 3; ++message) send(message_of(4'000));
  std::size_t most = 0;
  for (std::size_t place = 0; place + 1 < 40; ++place)
    for (const std::size_t message : {0U, 1U, 2U}) {
      bring(message * 40 + place);
      most = std::max(most, receiver.memory());
    }
  EXPECT_LE(most, 8'192 + 1'024U);
  EXPECT_GE(figures().given_up, 1U);
}

TEST_F(Slices, ThatNobodySendsAreDropped) {
  const auto slice = [](std::uint16_t place, std::uint16_t count, std::size_t bytes) {
    std::string made(8, '\0');
    wire::put(wire::put(wire::put(made.data(), 1U), place), count);
    return made + std::string(bytes, 'x');
  };
  for (const std::string& bytes :
       {std::string("1234567"), slice(0, 0, 1), slice(1, 1, 1), slice(2, 2, 1), slice(0, 2, 99),
        slice(0, 2, 101), slice(1, 2, 0), slice(1, 2, 101), slice(0, 1'025, 100), slice(0, 1, 101),
        slice(0, 1'000, 100)})
    bring(bytes);
  EXPECT_EQ(figures().malformed, 11U);
  bring(slice(0, 2, 100));
  bring(slice(1, 3, 100));  // another count than before
  EXPECT_EQ(figures().malformed, 12U);
  EXPECT_TRUE(came.empty());
}

}  // namespace
}  // namespace penstock::net::layers::slicing_test
