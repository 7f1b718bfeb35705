// How a stage's answers are written by those who run it, and read by those who asked.
#include "penstock/net/remote/calls/stage_type.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "support/calls_between.hpp"

namespace penstock::net::stage_type_test {
namespace {

using remote_test::Word;
using Frame = call::Frame;

struct Looks : Handler {
  using request_type = Word;
  using response_type = void;
  static Verdict handle(const Word& word) { return keep_if(!word.text.empty()); }
};
struct Changes : Handler {
  using request_type = Word;
  using response_type = void;
  static void handle(Word& word) { word.text += "!"; }
};
struct Gives : Handler {
  using request_type = Word;
  using response_type = Word;
  static Word handle(const Word& word) { return word; }
};
struct GivesNothing : Handler {
  using request_type = Word;
  using response_type = void;
  static void handle(const Word& /*word*/) {}
};

/// Of a stage that came with "hi", once its handler has left the frame like this.
template <class Response, class Leave>
std::string answer_of(const RemoteType& type, const Leave& leave) {
  std::string asked;
  codec::append(Word{"hi"}, asked);
  Frame* const frame = type.read_request(asked);
  EXPECT_EQ(frame->event, Frame::Event::goes_on);
  leave(static_cast<call::CallFrame<Word, Response>&>(*frame));
  std::string bytes(type.answer_bytes(*frame), '\0');
  type.write_answer(*frame, bytes.data(), bytes.size());
  frame->destroy(*frame);
  return bytes;
}
template <class Answer>
Answer read(const std::string& bytes) {
  Answer answer;
  EXPECT_TRUE(codec::parse(bytes, answer));
  return answer;
}

void end(Frame& frame) { frame.event = Frame::Event::ends; }

TEST(StageType, ASideEffectSaysThatItsEventEndsOrHasChanged) {
  const RemoteType& looks = kStageType<StageGives::event, Looks>;
  EXPECT_EQ(answer_of<void>(looks, [](auto&) {}), "");
  const auto ended = read<Passed<Word>>(answer_of<void>(looks, [](auto& frame) { end(frame); }));
  EXPECT_TRUE(ended.ended);
  EXPECT_FALSE(ended.changed);
  // One of its implementations changes it.
  const RemoteType& changes = kStageType<StageGives::event, GivesNothing, Changes>;
  const auto changed = read<Passed<Word>>(
      answer_of<void>(changes, [](auto& frame) { Changes::handle(frame.request); }));
  EXPECT_FALSE(changed.ended);
  EXPECT_EQ(changed.changed.value_or(Word{"none"}).text, "hi!");
}

// Also one without a byte to say.
TEST(StageType, AMapGivesAValueOrNone) {
  const RemoteType& type = kStageType<StageGives::response, Gives>;
  for (const char* const text : {"ho", ""}) {
    const auto given = read<Given<Word>>(
        answer_of<Word>(type, [text](auto& frame) { frame.response = Word{text}; }));
    EXPECT_EQ(given.value.value_or(Word{"none"}).text, text);
  }
  EXPECT_EQ(answer_of<Word>(type, [](auto& frame) { end(frame); }), "");
  EXPECT_FALSE(read<Given<Word>>("").value);
}

TEST(StageType, AMapOfNothingAnswersAsACallDoes) {
  const RemoteType& type = kStageType<StageGives::response, GivesNothing>;
  std::string asked;
  codec::append(Word{"hi"}, asked);
  Frame* const frame = type.read_request(asked);
  EXPECT_EQ(type.answer_bytes(*frame), 0U);
  frame->destroy(*frame);
}

TEST(StageType, WhatIsMalformedIsRefused) {
  EXPECT_EQ((kStageType<StageGives::response, Gives>.read_request("\x0a\x05hi")), nullptr);
  Given<Word> given;
  EXPECT_FALSE(codec::parse(std::string_view("\x0a\x03\x0a\x05x"), given));
  // What a newer one says is passed over.
  EXPECT_TRUE(read<Passed<Word>>("\x08\x01\x1a\x01x").ended);
}

}  // namespace
}  // namespace penstock::net::stage_type_test
