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

}  // namespace
}  // namespace penstock::app::running_test
