#include "penstock/net/remote/discovery/lookup.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/small_binary.hpp"

namespace penstock::net::lookup_test {
namespace {

using testing::eventually;

std::vector<std::string> places_of(Lookup& lookup) {
  std::vector<std::string> places;
  for (const Directory::Instance& each : lookup.instances()) places.push_back(each.place.text());
  return places;
}

TEST(Lookup, FindsAProcessAtEachAddress) {
  Lookup lookup("models", 7400, false, [](const std::string& host) {
    EXPECT_EQ(host, "models");
    return std::vector<std::string>{"10.0.0.5", "2001:db8::5", "fe80::1%eth0",
                                    "fe80::1",  "239.1.2.3",   "0.0.0.0"};
  });
  EXPECT_TRUE(eventually([&] { return !lookup.instances().empty(); }));
  EXPECT_EQ(places_of(lookup),
            (std::vector<std::string>{"tls://10.0.0.5:7400", "tls://[2001:db8::5]:7400"}));
  EXPECT_EQ(lookup.instances().front().id,
            Directory::drawn_at(Place::tcp("10.0.0.5", 7400).secured()).id);
}

TEST(Lookup, FindsWhoIsSpokenToInDatagrams) {
  Lookup lookup("models", 7400, true,
                [](const std::string&) { return std::vector<std::string>{"10.0.0.5"}; });
  EXPECT_TRUE(lookup.transport().udp);
  EXPECT_TRUE(lookup.transport().secured);
  EXPECT_TRUE(eventually([&] { return !lookup.instances().empty(); }));
  EXPECT_EQ(places_of(lookup), std::vector<std::string>{"udp://10.0.0.5:7400"});
  EXPECT_TRUE(lookup.instances().front().place.is_secured());
}

TEST(Lookup, NeverWaits) {
  std::promise<void> answer;
  Lookup lookup("slow", 7400, false, [done = answer.get_future().share()](const std::string&) {
    done.wait();
    return std::vector<std::string>{"10.0.0.5"};
  });
  EXPECT_TRUE(lookup.instances().empty());
  EXPECT_EQ(lookup.why_none(), "slow: is being looked up");
  answer.set_value();
  EXPECT_TRUE(eventually([&] { return lookup.instances().size() == 1; }));
}

TEST(Lookup, AsksAgainWhereItFailed) {
  std::atomic<int> asked{0};
  std::promise<void> seen;
  Lookup lookup("models", 7400, false, [&, wait = seen.get_future().share()](const std::string&) {
    if (++asked == 1) throw std::runtime_error("Name or service not known");
    wait.wait();
    return std::vector<std::string>{"10.0.0.5"};
  });
  EXPECT_TRUE(eventually([&] {
    EXPECT_TRUE(lookup.instances().empty());
    return lookup.why_none() == "models: Name or service not known";
  }));
  seen.set_value();
  EXPECT_TRUE(eventually([&] { return lookup.instances().size() == 1; }));
}

TEST(Lookup, MayBeGoneBeforeItIsAnswered) {
  std::promise<void> answer;
  const auto over = std::make_shared<std::promise<void>>();
  {
    Lookup lookup("slow", 7400, false,
                  [done = answer.get_future().share(), over](const std::string&) {
                    done.wait();
                    over->set_value();
                    return std::vector<std::string>{};
                  });
    EXPECT_TRUE(lookup.instances().empty());
  }
  answer.set_value();
  over->get_future().wait();
}

TEST(Lookup, AsksTheSystem) {
  const std::vector<std::string> addresses = Lookup::addresses_of("localhost");
  ASSERT_FALSE(addresses.empty());
  for (const std::string& each : addresses) EXPECT_TRUE(each == "127.0.0.1" || each == "::1");
  // No name is so long.
  EXPECT_THROW(static_cast<void>(Lookup::addresses_of(std::string(300, 'a'))), std::runtime_error);
}

}  // namespace
}  // namespace penstock::net::lookup_test
