#include "penstock/app/model/model.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "penstock/app/model/wait_cycles.hpp"
#include "support/small_binary.hpp"

namespace penstock::app::model_test {
namespace {

using penstock::testing::eventually;

struct Tick {
  std::uint64_t number = 0;
};

std::atomic<int> g_ticks{0};

struct Board {
  std::atomic<int> ticks{0};
};

// Uses what it shares until its end.
struct Ticks final : Handler {
  ~Ticks() { g_ticks += shared != nullptr ? shared->ticks.exchange(0) : 0; }
  Tick event(std::uint64_t sequence) {
    ++shared->ticks;
    ++g_ticks;
    return {sequence};
  }
  Board* shared = nullptr;
};

struct Sink final : Handler {
  using request_type = Tick;
  using response_type = void;
  static void handle(const Tick& /*tick*/) {}
};

TEST(Model, OutlivesItsSourcesWhateverTheyStillUse) {
  const auto shared_with = bind_rate_source<Ticks>();
  for (int round = 0; round < 20; ++round) {
    g_ticks = 0;
    Model model({.binary = "b", .project = "p", .topology_hash = "", .config = ""});
    model.add_service("Sink", Kind::simple, {}, {bind_handler<Sink>()});
    const std::size_t flow = model.add_flow("Ticks", shared_with);
    model.add_stage(flow, bind_stage<flow::Role::side_effect, Sink>("sink", "Sink"));
    config::Config config;
    config.binary = "b";
    config.flows = {{"Ticks", {}, {}}};
    config.flows.front().source.settings =
        std::make_shared<flow::RateSource::Settings>(flow::RateSource::Settings{10'000});
    model.configure(config);
    std::vector<std::string> warnings;
    for (const auto& pool : model.pools()) ASSERT_EQ(pool->start(true, warnings), "");
    model.sources()[0]->start(0);
    ASSERT_TRUE(eventually([] { return g_ticks > 0; }));
    // Goes with its source at work.
  }
}

// Services by themselves, for the search for cycles.
struct Drawn {
  explicit Drawn(Kind kind) { service.kind = kind; }
  call::Service service;
};

TEST(WaitCycles, AreThoseThatCanHoldSomebodyUp) {
  const Drawn a(Kind::single_threaded);
  const Drawn b(Kind::async_remote);
  const Drawn c(Kind::async_remote);
  const Drawn before(Kind::async_remote);
  const Drawn behind(Kind::simple);
  std::vector<Dependency> drawn{
      {&before.service, &a.service}, {&a.service, &b.service}, {&b.service, &behind.service}};
  EXPECT_TRUE(on_cycles(drawn).empty());
  drawn.emplace_back(&b.service, &a.service);
  std::vector<const call::Service*> found = on_cycles(drawn);
  EXPECT_EQ(found.size(), 2U);
  EXPECT_EQ(std::count(found.begin(), found.end(), &a.service), 1);
  EXPECT_EQ(std::count(found.begin(), found.end(), &b.service), 1);
  // A service that calls itself, but keeps nothing while it waits.
  EXPECT_TRUE(on_cycles({{&c.service, &c.service}}).empty());
}

}  // namespace
}  // namespace penstock::app::model_test
