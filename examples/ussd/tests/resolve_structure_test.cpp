#include "services/resolve_structure.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

#include "menus.hpp"

namespace {

TEST(ResolveStructure, FindsTheMenusOfACode) {
  penstock::testing::ServiceTest<ussd::ResolveStructure> resolve;
  const auto place = [&resolve](const std::string& code) {
    return resolve({.request = {}, .session = 1, .code = code, .inputs = {}}).menu;
  };
  EXPECT_EQ(place("*100#"), "account");
  EXPECT_EQ(place("*200#"), "bank");
  EXPECT_EQ(place("*911#"), ussd::kDefaultMenu);
}

}  // namespace
