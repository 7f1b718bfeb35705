// What is used on a thread where it does not belong ends the process, with the rule.
#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "support/child.hpp"
#include "support/placed.hpp"

namespace penstock {
namespace {

using testing::Child;

TEST(WrongThread, EndsTheProcessWithTheRule) {
  const std::string of_a_future =
      "a Future is awaited, taken and dropped on the thread that made the call";
  const std::vector<std::pair<std::string, std::string>> rules{
      {"await", of_a_future},
      {"take", of_a_future},
      {"look", of_a_future},
      {"drop", of_a_future},
      {"hold", "what a worker keeps for itself is used on its own thread"},
      {"cancel", "a timer is cancelled on the thread that armed it"},
      {"link", "a link is used by one thread"},
      {"count", "what a thread counts in is its own"},
      {"socket", "the sockets of a worker are used on its thread"},
      {"connection", "an HTTP connection is used by the thread that owns its line"},
      {"feed", "what clients are fed with is one thread's"},
      {"strand", "who gives up the right of a strand has it"},
  };
  for (const auto& [how, rule] : rules) {
    Child child({testing::placed::wrong_thread, how});
    const std::string said = child.errors();
    EXPECT_NE(said.find("a rule about threads was broken: " + rule + "\n"), std::string::npos)
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
