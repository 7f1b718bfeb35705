#include "penstock/exec/cpu_quota.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "penstock/exec/affinity.hpp"

namespace penstock::exec::cpu_quota_test {
namespace {

/// A folder that looks as the kernel's does.
class CpuQuota : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "penstock-cgroup-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    mounted = name;
  }
  void TearDown() override { std::filesystem::remove_all(mounted); }
  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = std::filesystem::path(mounted) / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << '\n';
  }
  std::string mounted;
};

TEST_F(CpuQuota, IsNoneWhereNothingIsLimited) {
  EXPECT_EQ(cpu_quota(mounted, ""), std::nullopt);
  EXPECT_EQ(cpu_quota(mounted, "0::/\n"), std::nullopt);
  write("cpu.max", "max 100000");
  write("cpu,cpuacct/cpu.cfs_quota_us", "-1");
  write("cpu,cpuacct/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cpu_quota(mounted, "4:cpu,cpuacct:/\n0::/\n"), std::nullopt);
}

TEST_F(CpuQuota, IsRoundedUpAndTheLeastOfAllGroupsAbove) {
  write("app/cpu.max", "250000 100000");
  EXPECT_EQ(cpu_quota(mounted, "0::/app/worker\n"), 3U);
  write("app/worker/cpu.max", "50000 100000");
  EXPECT_EQ(cpu_quota(mounted, "0::/app/worker\n"), 1U);
  EXPECT_EQ(cpu_quota(mounted, "0::/app\n"), 3U);
}

TEST_F(CpuQuota, OfAContainerStandsAtTheRoot) {
  write("cpu.max", "200000 100000");
  EXPECT_EQ(cpu_quota(mounted, "0::/\n"), 2U);
  EXPECT_EQ(cpu_quota(mounted, "0::/docker/a1b2\n"), 2U);
}

TEST_F(CpuQuota, IsReadFromTheControllerOfVersionOne) {
  write("cpu,cpuacct/job/cpu.cfs_quota_us", "400000");
  write("cpu,cpuacct/job/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cpu_quota(mounted, "5:cpuset:/job\n4:cpu,cpuacct:/job\n1:name=systemd:/job\n"), 4U);
}

TEST_F(CpuQuota, TakesTextsThatMakeNoSenseForNone) {
  write("cpu.max", "what 1");
  EXPECT_EQ(cpu_quota(mounted, "0::/\n"), std::nullopt);
  write("cpu.max", "100000");
  EXPECT_EQ(cpu_quota(mounted, "0::/\n"), std::nullopt);
  write("cpu.max", "100000 0");
  EXPECT_EQ(cpu_quota(mounted, "no colons\n0::/\n:\n"), std::nullopt);
}

TEST(UsableCpus, AreAtLeastOneAndAtMostThoseOfTheProcess) {
  EXPECT_GE(usable_cpus(), 1U);
  EXPECT_LE(usable_cpus(), process_cpus().size());
}

}  // namespace
}  // namespace penstock::exec::cpu_quota_test
