#include "penstock/app/model/model.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <vector>

#include "penstock/app/model/wait_cycles.hpp"
#include "penstock/codec/failure.hpp"
#include "penstock/exec/affinity.hpp"
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

// What objects of a `single-threaded` service saw.
std::atomic<int> g_ledgers{0};
std::atomic<bool> g_on_a_thread{false};
std::atomic<int> g_told{0};

struct Archive final : Handler {
  using request_type = Tick;
  using response_type = Tick;
  static Tick handle(const Tick& tick) { return tick; }
};

// Asks another service, and pushes into a flow, as it is taken away.
struct Ledger final : Handler {
  using request_type = Tick;
  using response_type = Tick;
  struct calls_type {
    Stub<Tick, Tick> Archive;
  };
  struct flows_type {
    Inlet<Tick> Notes;
  };
  Ledger() {
    ++g_ledgers;
    g_on_a_thread = this_worker().has_value();
  }
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;
  ~Ledger() {
    try {
      static_cast<void>(calls.Archive({1}).get());
    } catch (const Error& error) {
      if (error.code() == ErrorCode::unavailable) ++g_told;
    }
    flows.Notes.push({2});
  }
  static Tick handle(const Tick& tick) { return tick; }
  calls_type calls;
  flows_type flows;
};

TEST(Model, MakesTheObjectOfASingleThreadedServiceAheadAndEndsItBeforeItsPools) {
  g_ledgers = 0;
  g_told = 0;
  {
    Model model({.binary = "b", .project = "p", .topology_hash = "", .config = ""});
    model.add_service("Archive", Kind::simple, {}, {bind_handler<Archive>()});
    model.add_service("Ledger", Kind::single_threaded, {}, {bind_handler<Ledger>()});
    model.add_call(bind_call("Ledger", "Archive", &Ledger::calls_type::Archive));
    model.add_service("Sink", Kind::simple, {}, {bind_handler<Sink>()});
    const std::size_t notes = model.add_flow("Notes", bind_service_source<Tick>());
    model.add_stage(notes, bind_stage<flow::Role::side_effect, Sink>("sink", "Sink"));
    model.add_inlet(bind_inlet("Ledger", "Notes", &Ledger::flows_type::Notes));
    config::Config config;
    config.binary = "b";
    config.pools.resize(2);
    config.pools[0].name = "own";
    config.pools[0].threads.resize(3);
    config.pools[1].name = "far";
    config.pools[1].threads.resize(2);
    config.services.resize(2);
    config.services[0].name = "Archive";
    config.services[0].pool = "far";
    config.services[1].name = "Ledger";
    config.services[1].pool = "own";
    config.flows = {{"Notes", {}, {}}};
    config.flows.front().source.kind = "service";
    model.configure(config);
    std::vector<std::string> warnings;
    for (const auto& pool : model.pools()) ASSERT_EQ(pool->start(true, warnings), "");
    // Before any request, and one for all threads.
    EXPECT_EQ(g_ledgers, 1);
    EXPECT_TRUE(g_on_a_thread);
    EXPECT_EQ(g_told, 0);
  }
  EXPECT_EQ(g_ledgers, 1);
  EXPECT_EQ(g_told, 1);
}

// Where its thread may run as it is made.
struct Pinned final : Handler {
  using request_type = Tick;
  using response_type = void;
  Pinned() { made_on = exec::affinity_of(static_cast<int>(gettid())); }
  static void handle(const Tick& /*tick*/) {}
  static inline std::vector<int> made_on;
};

TEST(Model, PinsAThreadBeforeItMakesTheObjectsThere) {
  const std::vector<int> allowed = exec::affinity_of(static_cast<int>(gettid()));
  ASSERT_FALSE(allowed.empty());
  Pinned::made_on.clear();
  Model model({.binary = "b", .project = "p", .topology_hash = "", .config = ""});
  model.add_service("Pinned", Kind::simple, {}, {bind_handler<Pinned>()});
  config::Config config;
  config.binary = "b";
  config.pools.emplace_back().name = "own";
  config.pools.front().threads.resize(1);
  config.pools.front().threads.front().cpus = {allowed.back()};
  config.services.emplace_back().name = "Pinned";
  config.services.front().pool = "own";
  model.configure(config);
  std::vector<std::string> warnings;
  for (const auto& pool : model.pools()) ASSERT_EQ(pool->start(false, warnings), "");
  EXPECT_EQ(Pinned::made_on, std::vector<int>{allowed.back()});
}

// Services by themselves, for the search for cycles.
struct Drawn {
  explicit Drawn(Kind kind) { service.kind = kind; }
  call::Service service;
};

// Links belong to workers that never block: those of what is offered, of another pool, or of one
// that is made for them.
TEST(Model, GivesLinksToWorkersThatDoNotBlock) {
  const auto pool_of_far = [](bool blocks_default, bool offers) {
    Model model({.binary = "b",
                 .project = "p",
                 .topology_hash = "sha256:" + std::string(64, '0'),
                 .config = ""});
    model.add_service("Here", Kind::async_remote, {}, {bind_handler<Sink>()});
    model.add_service("Blocks", Kind::sync_remote, {}, {bind_handler<Sink>()});
    const net::RemoteType& type = net::kRemoteType<Failure, Failure>;
    model.add_remote("Far", {"a", {"X/Far"}, {}, type});
    if (offers) model.add_offer("Here", {"Y/Here"}, type);
    config::Config config;
    config.binary = "b";
    config.pools.emplace_back().name = "own";
    config.pools.front().threads.resize(1);
    config.services.resize(2);
    config.services[0].name = "Here";
    config.services[1].name = "Blocks";
    config.services[blocks_default ? 0 : 1].pool = "own";
    model.configure(config, "/nowhere/b.json");
    const call::Service& far = *model.services().back();
    EXPECT_EQ(model.peers().binary_of(far), "a");
    EXPECT_EQ(model.peers().binary_of(*model.services().front()), "");
    return far.pool->name();
  };
  EXPECT_EQ(pool_of_far(true, true), "own");
  EXPECT_EQ(pool_of_far(true, false), "own");
  EXPECT_EQ(pool_of_far(false, true), "default");
  EXPECT_EQ(pool_of_far(false, false), "default");
}

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
