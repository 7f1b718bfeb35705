// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/divided_waiting.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

TEST(DividedWaiting, LeftAnswers) {
  penstock::testing::ServiceTest<all_types::DividedWaiting::Left> service;
  service.on(&all_types::DividedWaiting::Left::calls_type::Divided,
             [](const all_types::Scalars&) { return all_types::Scalars{}; });
  try {
    service(all_types::Maybes{});
  } catch (const penstock::Error& error) {
    // A handler that is not written yet says so; any other error fails.
    EXPECT_EQ(error.code(), penstock::ErrorCode::unimplemented) << error.what();
  }
}

TEST(DividedWaiting, RightAnswers) {
  penstock::testing::ServiceTest<all_types::DividedWaiting::Right> service;
  service.on(&all_types::DividedWaiting::Right::calls_type::Divided,
             [](const all_types::Scalars&) { return all_types::Scalars{}; });
  try {
    service(all_types::Maybes{});
  } catch (const penstock::Error& error) {
    // A handler that is not written yet says so; any other error fails.
    EXPECT_EQ(error.code(), penstock::ErrorCode::unimplemented) << error.what();
  }
}

}  // namespace
