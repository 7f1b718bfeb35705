// What is used on a thread where it does not belong ends the process, with the rule.
#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "support/child.hpp"
#include "support/placed.hpp"

namespace penstock {
namespace {

using testing::Child;

TEST(WrongThread, OfAFutureEndsTheProcessWithTheRule) {
  for (const std::string how : {"await", "take", "look", "drop"}) {
    Child child({testing::placed::wrong_thread, how});
    const std::string said = child.errors();
    EXPECT_NE(
        said.find("a rule about threads was broken: a Future is awaited, taken and dropped on "
                  "the thread that made the call\n"),
        std::string::npos)
        << how << ": " << said;
    EXPECT_EQ(child.wait(), -SIGABRT) << how;
  }
}

TEST(WrongThread, IsNoneWhereEverythingIsUsedWhereItBelongs) {
  Child child({testing::placed::wrong_thread, "none"});
  EXPECT_EQ(child.line(), "kept to the rules");
  EXPECT_EQ(child.wait(), 0);
}

}  // namespace
}  // namespace penstock
