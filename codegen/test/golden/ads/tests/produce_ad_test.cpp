// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/produce_ad.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

TEST(ProduceAd, ModelAAnswers) {
  penstock::testing::ServiceTest<ads::ProduceAd::ModelA> service;
  try {
    static_cast<void>(service(ads::AdRequest{}));
  } catch (const penstock::Error& error) {
    // A handler that is not written yet says so; any other error fails.
    EXPECT_EQ(error.code(), penstock::ErrorCode::unimplemented) << error.what();
  }
}

TEST(ProduceAd, ModelBAnswers) {
  penstock::testing::ServiceTest<ads::ProduceAd::ModelB> service;
  try {
    static_cast<void>(service(ads::AdRequest{}));
  } catch (const penstock::Error& error) {
    // A handler that is not written yet says so; any other error fails.
    EXPECT_EQ(error.code(), penstock::ErrorCode::unimplemented) << error.what();
  }
}

TEST(ProduceAd, ModelCAnswers) {
  penstock::testing::ServiceTest<ads::ProduceAd::ModelC> service;
  try {
    static_cast<void>(service(ads::AdRequest{}));
  } catch (const penstock::Error& error) {
    // A handler that is not written yet says so; any other error fails.
    EXPECT_EQ(error.code(), penstock::ErrorCode::unimplemented) << error.what();
  }
}

}  // namespace
