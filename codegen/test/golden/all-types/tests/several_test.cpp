// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/several.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

namespace {

TEST(Several, FirstAnswers) {
  penstock::testing::ServiceTest<all_types::Several::First> service;
  service.on(&all_types::Several::First::calls_type::Plain,
             [](const all_types::Scalars&) { return all_types::Lists{}; });
  try {
    static_cast<void>(service(all_types::Scalars{}));
  } catch (const penstock::Error& error) {
    // A handler that is not written yet says so; any other error fails.
    EXPECT_EQ(error.code(), penstock::ErrorCode::unimplemented) << error.what();
  }
}

TEST(Several, SecondAnswers) {
  penstock::testing::ServiceTest<all_types::Several::Second> service;
  service.on(&all_types::Several::Second::calls_type::Plain,
             [](const all_types::Scalars&) { return all_types::Lists{}; });
  try {
    static_cast<void>(service(all_types::Scalars{}));
  } catch (const penstock::Error& error) {
    // A handler that is not written yet says so; any other error fails.
    EXPECT_EQ(error.code(), penstock::ErrorCode::unimplemented) << error.what();
  }
}

TEST(Several, ThirdAnswers) {
  penstock::testing::ServiceTest<all_types::Several::Third> service;
  service.on(&all_types::Several::Third::calls_type::Plain,
             [](const all_types::Scalars&) { return all_types::Lists{}; });
  try {
    static_cast<void>(service(all_types::Scalars{}));
  } catch (const penstock::Error& error) {
    // A handler that is not written yet says so; any other error fails.
    EXPECT_EQ(error.code(), penstock::ErrorCode::unimplemented) << error.what();
  }
}

}  // namespace
