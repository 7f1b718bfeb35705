#include "penstock/app/running/all_or_none.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace penstock::app::all_or_none_test {
namespace {

/// Changes that say what is done with them, one letter each; small: taken back.
struct Trial {
  Change change(char name, int rank, std::function<bool()> allowed = {}, bool in_parts = false) {
    return {rank,
            [this, name, allowed]() -> std::optional<control::Refusal> {
              if (allowed && !allowed()) {
                return control::Refusal{std::string("no ") + name, "", ""};
              }
              done += name;
              return std::nullopt;
            },
            [this, name] { done += static_cast<char>(name - 'A' + 'a'); }, in_parts};
  }
  [[nodiscard]] bool has(char name) const { return done.find(name) != std::string::npos; }

  std::string done;
};

TEST(AllOrNoneTest, WhatGrowsComesFirstAndWhatShrinksLast) {
  Trial trial;
  EXPECT_FALSE(all_or_none(
      {trial.change('A', 2), trial.change('B', 1), trial.change('C', 0), trial.change('D', 1)}));
  EXPECT_EQ(trial.done, "CBDA");
}

TEST(AllOrNoneTest, WhatIsRefusedIsTriedAgainAfterTheOthers) {
  Trial trial;
  EXPECT_FALSE(
      all_or_none({trial.change('A', 0, [&] { return trial.has('B'); }),
                   trial.change('B', 1, [&] { return trial.has('C'); }), trial.change('C', 2)}));
  EXPECT_EQ(trial.done, "CBA");
}

TEST(AllOrNoneTest, OneThatIsRefusedForGoodTakesTheOthersBack) {
  Trial trial;
  const auto why = all_or_none({trial.change('A', 0), trial.change('B', 1, [] { return false; }),
                                trial.change('C', 2), trial.change('D', 2, [] { return false; })});
  ASSERT_TRUE(why);
  EXPECT_EQ(why.value_or(control::Refusal{}).code, "no B");
  EXPECT_EQ(trial.done, "ACca");
}

TEST(AllOrNoneTest, OneThatThrowsIsRefused) {
  Trial trial;
  Change throws = trial.change('B', 1);
  throws.bring = []() -> std::optional<control::Refusal> { throw std::runtime_error("no thread"); };
  const auto why = all_or_none({trial.change('A', 0), throws});
  ASSERT_TRUE(why);
  EXPECT_EQ(why.value_or(control::Refusal{}).message, "no thread");
  EXPECT_EQ(trial.done, "Aa");
}

TEST(AllOrNoneTest, WhatCannotBeTakenBackHoldsUpNoOther) {
  Trial trial;
  Change stays = trial.change('B', 1);
  stays.take_back = [] { throw std::runtime_error("no thread"); };
  EXPECT_TRUE(
      all_or_none({trial.change('A', 0), stays, trial.change('C', 2, [] { return false; })}));
  EXPECT_EQ(trial.done, "ABa");
}

TEST(AllOrNoneTest, OneInPartsIsTakenBackWhereItIsRefused) {
  Trial trial;
  EXPECT_TRUE(all_or_none({trial.change('A', 0), trial.change(
                                                     'B', 0, [] { return false; }, true)}));
  EXPECT_EQ(trial.done, "Aba");
}

}  // namespace
}  // namespace penstock::app::all_or_none_test
