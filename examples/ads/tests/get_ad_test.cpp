#include "services/get_ad.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

TEST(GetAd, GivesWhatTheModelOffers) {
  penstock::testing::ServiceTest<ads::GetAd> get_ad;
  get_ad.on(&ads::GetAd::calls_type::ProduceAd, [](const ads::AdRequest& request) {
    return ads::Ad{.text = "for " + request.cookie, .score = 0.5};
  });
  EXPECT_EQ(get_ad({.cookie = "me", .site = "news.example"}).text, "for me");
}

TEST(GetAd, SaysSoWhenNoModelAnswers) {
  penstock::testing::ServiceTest<ads::GetAd> get_ad;
  get_ad.on(&ads::GetAd::calls_type::ProduceAd, [](const ads::AdRequest&) -> ads::Ad {
    throw penstock::Error(penstock::ErrorCode::internal, "the model is broken");
  });
  try {
    static_cast<void>(get_ad({.cookie = "me", .site = "news.example"}));
    FAIL() << "should have thrown";
  } catch (const penstock::Error& error) {
    EXPECT_EQ(error.code(), penstock::ErrorCode::unavailable);
  }
}

}  // namespace
