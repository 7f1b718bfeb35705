#include "penstock/net/remote/discovery/directory.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace penstock::net::directory_test {
namespace {

// The same as codegen/src/run/start/runFolder.test.ts has for such a project: a binary that is
// started by hand finds those that `penstock run` has started.
TEST(Directory, IsThatOfTheProjectWhoseConfigurationsAreThere) {
  unsetenv("PENSTOCK_RUN");
  unsetenv("XDG_RUNTIME_DIR");
  const std::string user = "/tmp/penstock-" + std::to_string(geteuid());
  EXPECT_EQ(Directory::folder_for("/nowhere/shop/generated/config/till.json"),
            user + "/e481fce0fa2e1a4a");
  const std::string here = std::filesystem::current_path();
  EXPECT_EQ(Directory::folder_for("till.json"), Directory::folder_for(here + "/till.json"));
  EXPECT_NE(Directory::folder_for("till.json"), Directory::folder_for("/nowhere/till.json"));
}

TEST(Directory, HasRoomForTheLongestNamesInAnyUsersFolder) {
  std::string root = "/tmp/p-XXXXXX";
  ASSERT_NE(mkdtemp(root.data()), nullptr);
  // As long as /run/user/4294967295/penstock/0123456789abcdef.
  const std::string folder = root + "/" + std::string(46 - root.size() - 1, 'x');
  const Directory directory(folder);
  const std::string one(64, 'a');
  const std::string other = std::string(63, 'a') + "b";
  const std::string id(Directory::kIdDigits, '1');
  const std::string other_id(Directory::kIdDigits, '2');
  const Descriptor first = directory.publish(one, id).listen();
  const Descriptor second = directory.publish(other, other_id).listen();
  ASSERT_EQ(directory.instances(one).size(), 1U);
  EXPECT_EQ(directory.instances(one)[0].id, id);
  ASSERT_EQ(directory.instances(other).size(), 1U);
  EXPECT_EQ(directory.instances(other)[0].id, other_id);
  EXPECT_TRUE(directory.instances(std::string(63, 'a')).empty());
  directory.remove(one, id);
  EXPECT_TRUE(directory.instances(one).empty());
  std::filesystem::remove_all(root);
}

TEST(Directory, Fault38HasNothingLeftOfProcessesThatDied) {
  std::string root = "/tmp/p-XXXXXX";
  ASSERT_NE(mkdtemp(root.data()), nullptr);
  const Directory directory(root + "/run");
  const auto id = [](char digit) { return std::string(Directory::kIdDigits, digit); };
  const Descriptor lives = directory.publish("ads", id('a')).listen();
  for (const char digit : {'b', 'c'}) {
    const Descriptor dies = directory.publish("ads", id(digit)).listen();
  }
  // As between bind() and listen().
  const Descriptor not_yet(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  (root + "/run/ads." + id('d') + ".sock").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(not_yet.number(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  { const Descriptor others = directory.publish("models", id('e')).listen(); }
  ASSERT_EQ(directory.instances("ads").size(), 4U);
  directory.clean("ads");
  std::vector<std::string> left;
  for (const Directory::Instance& one : directory.instances("ads")) left.push_back(one.id);
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left, (std::vector{id('a'), id('d')}));
  EXPECT_EQ(directory.instances("models").size(), 1U) << "which is for its own next process";
  EXPECT_FALSE(accept_from(lives).is_open()) << "it noticed nothing";
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace penstock::net::directory_test
