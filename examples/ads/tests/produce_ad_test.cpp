#include "services/produce_ad.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <penstock/testing.hpp>

#include "model_behaviour.hpp"

namespace {

using namespace std::chrono_literals;

TEST(ProduceAd, ModelAAnswersForTheSite) {
  penstock::testing::ServiceTest<ads::ProduceAd::ModelA> model;
  EXPECT_EQ(model({.cookie = "me", .site = "news.example"}).text, "Shoes on news.example");
}

TEST(ProduceAd, EveryRunSeesTheSameBehaviour) {
  EXPECT_EQ(ads::behave("visitor-1", 3, 50ms, 200ms).latency,
            ads::behave("visitor-1", 3, 50ms, 200ms).latency);
  EXPECT_NE(ads::behave("visitor-1", 3, 50ms, 200ms).latency,
            ads::behave("visitor-2", 3, 50ms, 200ms).latency);
}

TEST(ProduceAd, TheSlowModelStaysWithinItsBounds) {
  for (int visitor = 0; visitor < 10'000; ++visitor) {
    const auto model = ads::behave("visitor-" + std::to_string(visitor), 3, 50ms, 200ms);
    ASSERT_GE(model.latency, 50ms);
    ASSERT_LE(model.latency, 200ms);
    ASSERT_GE(model.score, 0);
    ASSERT_LE(model.score, 1);
  }
}

}  // namespace
