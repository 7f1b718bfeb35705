#include "penstock/control/live_frames.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "penstock/control/fake_host.hpp"

namespace penstock::control {
namespace {

using namespace std::chrono_literals;

TEST(LiveFrames, TellThePoolsWhoseThreadsComeAndGo) {
  fake::FakeHost host;
  metrics::Schema schema = host.schema();
  schema.pools[1].cached = true;
  const auto pools = nlohmann::json::parse(schema_frame(schema, 100ms))["pools"];
  EXPECT_FALSE(pools[0].contains("cached"));
  EXPECT_EQ(pools[1]["cached"], true);
}

}  // namespace
}  // namespace penstock::control
