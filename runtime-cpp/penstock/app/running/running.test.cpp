#include "penstock/app/running/running.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <variant>

#include "support/flow_binary.hpp"
#include "support/priorities.hpp"

namespace penstock::app::running_test {
namespace {

TEST(RunningTest, SaysWhenThreadsOfAResizeDoNotGetTheirPriority) {
  const int priority = penstock::testing::allowed_priority();
  penstock::testing::FlowBinary binary;
  binary.pool("urgent", 1);
  binary.config().pools.back().priority = priority;
  binary.start();
  std::string said;
  std::thread([&] {
    ASSERT_TRUE(penstock::testing::refuse_priorities());
    ::testing::internal::CaptureStderr();
    EXPECT_TRUE(std::holds_alternative<control::Setting>(binary.host().resize_pool("urgent", 2)));
    said = ::testing::internal::GetCapturedStderr();
  }).join();
  EXPECT_EQ(said,
            "warning: pool urgent asks for priority " + std::to_string(priority) +
                ", which needs CAP_SYS_NICE; that is missing, and it runs at the usual one\n");
}

TEST(RunningTest, TellsWhatANumberWasBeforeItWasChanged) {
  penstock::testing::FlowBinary binary;
  binary.pool("models", 2);
  binary.start();
  const auto before = [](const control::Outcome<control::Setting>& outcome) {
    return std::get<control::Setting>(outcome).before;
  };
  EXPECT_EQ(before(binary.host().resize_pool("models", 3)), 2);
  EXPECT_EQ(before(binary.host().resize_pool("models", 1)), 3);
  static_cast<void>(binary.host().set_sampling(5));
  EXPECT_EQ(before(binary.host().set_sampling(6)), 5);
}

}  // namespace
}  // namespace penstock::app::running_test
