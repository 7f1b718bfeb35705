#include "penstock/net/wire/together.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "penstock/net/wire/frame.hpp"
#include "support/hex_of_page.hpp"

namespace penstock::net::wire::together_test {
namespace {

using penstock::testing::hex_of_page;

std::string message_of(const std::string& text) {
  std::string bytes(kTogetherHead, '\0');
  begin_message(bytes.data(), text.size());
  return bytes + text;
}
std::string messages_of(const std::vector<std::string>& texts) {
  std::string bytes;
  for (const std::string& text : texts) bytes += message_of(text);
  return bytes;
}
std::string answers_of(std::uint64_t answered, std::uint64_t filled, const std::string& messages) {
  std::string bytes(kAnswersHead, '\0');
  write_answers(bytes.data(), answered, filled);
  return bytes + messages;
}
bool is_read(const std::string& body) {
  AnswersBody answers;
  return read_answers(body, answers);
}

TEST(WireCallsTogether, AreWhatThePageSays) {
  const std::string body = messages_of({"\x08\x01", "", "\x08\x03"});
  std::string bytes(kHeadBytes, '\0');
  write_head(bytes.data(), {static_cast<std::uint32_t>(body.size()), FrameKind::calls, 0, 7, 64});
  bytes += body;
  EXPECT_EQ(bytes, hex_of_page("wire.md", "calls"));
  const FrameRead read = read_frame(bytes, 1024);
  ASSERT_EQ(read.found, FrameRead::Found::frame) << read.why;
  EXPECT_EQ(count_calls(read.body), 3U);
}

TEST(WireCallsTogether, AreReadOneByOne) {
  const std::string body = messages_of({"one", "", std::string(kLargestTogether, 'x')});
  Messages messages(body);
  std::string_view message;
  ASSERT_TRUE(messages.next(message));
  EXPECT_EQ(message, "one");
  ASSERT_TRUE(messages.next(message));
  EXPECT_EQ(message, "");
  ASSERT_TRUE(messages.next(message));
  EXPECT_EQ(message.size(), kLargestTogether);
  EXPECT_FALSE(messages.next(message));
}

TEST(WireCallsTogether, AreSomeAndNotTooMany) {
  EXPECT_EQ(count_calls(""), 0U);
  EXPECT_EQ(count_calls(messages_of(std::vector<std::string>(kMostTogether, "x"))), kMostTogether);
  EXPECT_EQ(count_calls(messages_of(std::vector<std::string>(kMostTogether + 1, ""))), 0U);
}

TEST(WireCallsTogether, AreWhole) {
  const std::string body = messages_of({"one", "two"});
  for (std::size_t size = 1; size < body.size(); ++size) {
    const std::uint32_t calls = size == message_of("one").size() ? 1 : 0;
    EXPECT_EQ(count_calls(body.substr(0, size)), calls) << size;
  }
}

TEST(WireAnswersTogether, AreWhatThePageSays) {
  const std::string body = answers_of(0b111, 0b100, messages_of({"\x08\x05"}));
  std::string bytes(kHeadBytes, '\0');
  write_head(bytes.data(), {static_cast<std::uint32_t>(body.size()), FrameKind::answers, 0, 7, 64});
  EXPECT_EQ(bytes + body, hex_of_page("wire.md", "answers"));
  AnswersBody read;
  ASSERT_TRUE(read_answers(body, read));
  EXPECT_EQ(read.answered, 0b111U);
  EXPECT_EQ(read.filled, 0b100U);
  EXPECT_EQ(read.messages, messages_of({"\x08\x05"}));
}

TEST(WireAnswersTogether, AreSomeAndWhole) {
  EXPECT_TRUE(is_read(answers_of(1, 0, "")));
  EXPECT_TRUE(is_read(answers_of(~std::uint64_t{0}, 0, "")));
  EXPECT_FALSE(is_read(answers_of(0, 0, "")));
  EXPECT_FALSE(is_read(answers_of(1, 0, "").substr(1)));
  EXPECT_FALSE(is_read(answers_of(0b01, 0b10, message_of("x")))) << "no answer of a call";
  EXPECT_FALSE(is_read(answers_of(1, 1, ""))) << "none";
  EXPECT_FALSE(is_read(answers_of(1, 1, message_of("")))) << "an empty one";
  EXPECT_FALSE(is_read(answers_of(1, 1, messages_of({"x", "y"})))) << "one too many";
  EXPECT_FALSE(is_read(answers_of(1, 1, message_of("xy").substr(0, 3)))) << "a part";
}

}  // namespace
}  // namespace penstock::net::wire::together_test
