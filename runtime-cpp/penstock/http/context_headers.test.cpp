#include "penstock/http/context_headers.hpp"

#include <gtest/gtest.h>

namespace penstock::http::context_headers_test {
namespace {

constexpr std::string_view kParent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

Context context_with(std::vector<std::pair<std::string_view, std::string_view>> fields) {
  RequestHead head;
  head.fields = std::move(fields);
  return context_of(head);
}
Context with_baggage(std::string_view value) { return context_with({{"Baggage", value}}); }

TEST(ContextHeaders, ReadATraceparent) {
  EXPECT_EQ(context_with({{"TraceParent", kParent}}).trace.traceparent(), kParent);
  const Context none = context_with({{"Host", "a"}});
  EXPECT_FALSE(none.trace.present());
  EXPECT_EQ(none.baggage, nullptr);
}

// https://www.w3.org/TR/trace-context/#versioning-of-traceparent
TEST(ContextHeaders, TakeALaterVersionAsFarAsTheyKnowIt) {
  const std::string later = "cc" + std::string(kParent.substr(2));
  EXPECT_EQ(context_with({{"traceparent", later}}).trace.traceparent(), kParent);
  EXPECT_EQ(context_with({{"traceparent", later + "-what-ever"}}).trace.traceparent(), kParent);
  EXPECT_FALSE(context_with({{"traceparent", later + "ab"}}).trace.present());
}

TEST(ContextHeaders, LeaveOutATraceparentThatIsNone) {
  const std::string text(kParent);
  for (const std::string& bad :
       {std::string("00"), text + "-00", "ff" + text.substr(2), "0" + text.substr(1) + "0",
        "00-" + std::string(32, '0') + text.substr(35), "00-0AF7" + text.substr(7),
        text.substr(0, 36) + std::string(16, '0') + "-01"}) {
    EXPECT_FALSE(context_with({{"traceparent", bad}}).trace.present()) << bad;
  }
  EXPECT_FALSE(context_with({{"traceparent", kParent}, {"Traceparent", kParent}}).trace.present());
}

TEST(ContextHeaders, ReadBaggageWithoutItsProperties) {
  const Context context = context_with(
      {{"baggage", "user = ann%20b%C3%A4r ;ttl=3, tier=gold,"}, {"baggage", "empty="}});
  ASSERT_NE(context.baggage, nullptr);
  EXPECT_EQ(*context.baggage,
            (Baggage{{"user", "ann b\xC3\xA4r"}, {"tier", "gold"}, {"empty", ""}}));
}

TEST(ContextHeaders, LeaveOutBaggageThatIsNone) {
  for (const std::string_view bad : {"", ",,", "novalue", "a b=1", "=1", "a=%", "a=%4", "a=%zz",
                                     "a=%00", "a=%ff", "\xC3\xA4=1"}) {
    EXPECT_EQ(with_baggage(bad).baggage, nullptr) << bad;
  }
  EXPECT_EQ(*with_baggage("a=%ff,b=2").baggage, (Baggage{{"b", "2"}}));
}

TEST(ContextHeaders, BoundBaggage) {
  EXPECT_NE(with_baggage("a=" + std::string(8190, 'x')).baggage, nullptr);
  EXPECT_EQ(with_baggage("a=" + std::string(8191, 'x')).baggage, nullptr);
  std::string many;
  for (int i = 0; i < 64; ++i) many += "a=1,";
  EXPECT_NE(with_baggage(many).baggage, nullptr);
  EXPECT_EQ(with_baggage(many + "a=1").baggage, nullptr);
}

}  // namespace
}  // namespace penstock::http::context_headers_test
