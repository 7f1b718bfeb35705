// The end of whole binaries in simulated worlds: what was begun is finished, and nobody is refused
// who came in time.
#include "penstock/app/running/drain.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "penstock/app/model/quiet.hpp"
#include "penstock/flow/source/rate_source.hpp"
#include "world/drawn_flow.hpp"

namespace penstock::app::drained {
namespace {

using namespace std::chrono_literals;
using flow::drawn::Drawn;
using flow::drawn::Numbered;
using world::Crowd;
using world::explore;
using world::World;

struct Asked {
  int number = 0;
};
int g_unanswered = 0;  // plain: the threads of a world take turns

struct Answers : Handler {
  using request_type = Asked;
  using response_type = Asked;
  static Task<Asked> handle(Asked request) {
    if (request.number % 3 == 0) co_await sleep_for(20us * request.number);
    co_return request;
  }
};
// Asks another service, now and then after a while, and lets some of its calls run on.
struct Asks : Handler {
  using request_type = Asked;
  using response_type = Asked;
  struct calls_type {
    Stub<Asked, Asked> answers;
  };
  calls_type calls;
  Task<Asked> handle(Asked request) {
    if (request.number % 4 == 1) co_await sleep_for(30us);
    auto first = calls.answers(request);
    auto second = calls.answers({request.number + 1});
    const Asked answer = co_await first;
    if (request.number % 2 == 0) static_cast<void>(co_await second);
    co_return answer;
  }
};
// A stage that asks as well.
struct AsksAside : Handler {
  using request_type = Numbered;
  using response_type = Numbered;
  struct calls_type {
    Stub<Asked, Asked> asks;
  };
  calls_type calls;
  Task<Numbered> handle(Numbered event) {
    try {
      static_cast<void>(co_await calls.asks({event.number}));
    } catch (const Error&) {
      ++g_unanswered;
    }
    co_return event;
  }
};

struct Counts {
  static void* create() { return new int(0); }
  static void destroy(void* handler) noexcept { delete static_cast<int*>(handler); }
  static void make(void* /*handler*/, std::uint64_t sequence, flow::Event& event) {
    event.set_value(Numbered{1, static_cast<int>(sequence) + 1});
  }
};

// A flow with a source of its own, services behind one of its stages, and some outside who ask
// them.
class Whole {
 public:
  explicit Whole(World& world) : drawn(world) {
    g_unanswered = 0;
    auto& random = drawn.random;
    auto& binary = drawn.one.binary;
    // In pools of their own: a flow may hold back its source for as long as its pool is full.
    exec::Pool& front = binary.pool(roomy("front"));
    exec::Pool& back = random.once_in(2) ? front : binary.pool(roomy("back"));
    auto& answers = binary.service<Answers>("Answers", drawn_kind(), back);
    asks_ = &binary.service<Asks>("Asks", Kind::async_remote, front);
    binary.connect<Asks>(*asks_, answers, &Asks::calls_type::answers);
    if (random.once_in(2)) drawn.map<flow::drawn::Waits>(Kind::async_remote);
    drawn.map<AsksAside>(Kind::async_remote);
    call::Service& aside = *drawn.one.flow.stages().back().service;
    binary.connect<AsksAside>(aside, *asks_, &AsksAside::calls_type::asks);
    if (random.once_in(2)) drawn.map<flow::drawn::Pass>(Kind::simple);
  }
  template <class Last>
  void start() {
    drawn.take<Last>(drawn.random.one_of({Kind::simple, Kind::single_threaded}));
    site_ = &drawn.one.binary.site(*asks_);
    drawn.start();
    source = std::make_unique<flow::RateSource>(
        drawn.one.flow, flow::RateSource::Type{&Counts::create, &Counts::destroy, &Counts::make},
        drawn.random.one_of({1'000, 20'000, 200'000}));
    source->start(0);
  }
  // As a door does it: who came in time is answered.
  void ask_from_outside(Crowd& crowd) {
    for (int asker = drawn.random.between(0, 2); asker > 0; --asker) {
      crowd.add([this] {
        drawn.one.binary.registry().enter();
        for (int number = 1; begins(); ++number) {
          try {
            const Stub<Asked, Asked> asks(site_);
            EXPECT_EQ(asks({number}).get().number, number);
          } catch (const Error& error) {
            ADD_FAILURE() << error.message();
          }
          --asking_;
          world::linger(drawn.random, 100);
        }
        drawn.one.binary.registry().leave();
      });
    }
  }

  // --- as drain() sees it ---

  [[nodiscard]] bool close(Nanos /*deadline*/) const {
    closed_ = true;
    return true;
  }
  [[nodiscard]] auto sources() const { return std::array{source.get()}; }
  [[nodiscard]] bool quiet() const {
    auto& binary = drawn.one.binary;
    const auto tally = [&] {
      const std::array flows{&drawn.one.flow};
      Tally all;
      all.ended = count_ended(binary.services(), flows, binary.registry());
      all.came = count_came(binary.services(), flows, binary.registry());
      return all;
    };
    const auto busy = [&] {
      return std::any_of(binary.pools().begin(), binary.pools().end(),
                         [](const auto& pool) { return pool->busy() != 0; });
    };
    return asking_ == 0 && is_quiet(tally, busy);
  }
  [[nodiscard]] bool alone() const { return drawn.random.once_in(3); }
  [[nodiscard]] Nanos goodbye() const { return 0; }
  [[nodiscard]] const auto& pools() const { return drawn.one.binary.pools(); }

  mutable Drawn drawn;
  std::unique_ptr<flow::RateSource> source;

 private:
  exec::PoolSettings roomy(std::string name) const {
    exec::PoolSettings settings = world::drawn_pool(drawn.random, std::move(name));
    settings.queue = 1024;
    return settings;
  }
  Kind drawn_kind() const { return drawn.random.one_of({Kind::simple, Kind::async_remote}); }
  // Counted before it looks: either it is seen, or it sees that nobody is to come.
  bool begins() {
    ++asking_;
    if (!closed_) return true;
    --asking_;
    return false;
  }

  call::Service* asks_ = nullptr;
  const call::CallSite* site_ = nullptr;
  mutable std::atomic<bool> closed_{false};
  std::atomic<int> asking_{0};
};

TEST(DrainWorld, FinishesAllThatWasBegunAndRefusesNobody) {
  explore([](World& world) {
    Whole whole(world);
    whole.start<flow::drawn::Takes>();
    Crowd crowd;
    whole.ask_from_outside(crowd);
    world::linger(whole.drawn.random, 2'000);
    EXPECT_TRUE(drain(whole, 1'000'000'000'000));
    crowd.join();
    const auto& one = whole.drawn.one;
    EXPECT_EQ(g_unanswered, 0);
    EXPECT_TRUE(whole.drawn.one.all_ended());
    EXPECT_EQ(whole.drawn.one.failed(), 0U);
    for (const auto& service : one.binary.services()) {
      EXPECT_EQ(service->sent_count(), service->done_count()) << service->name.str();
    }
    for (const auto& pool : one.binary.pools()) EXPECT_EQ(pool->size(), 0U);
    EXPECT_EQ(static_cast<std::uint64_t>(whole.drawn.taken_once()), whole.drawn.one.completed());
  });
}

TEST(DrainWorld, GivesUpWhatDoesNotEndInItsTime) {
  explore([](World& world) {
    Whole whole(world);
    whole.drawn.seen.stands_still = true;
    whole.start<flow::drawn::StandsStill>();
    while (whole.drawn.one.emitted() == 0) std::this_thread::sleep_for(1ms);
    const Nanos begun = now_ns();
    EXPECT_FALSE(drain(whole, 50'000'000));
    EXPECT_GE(now_ns() - begun, 50'000'000);
    whole.drawn.seen.stands_still = false;
    EXPECT_TRUE(drain(whole, 1'000'000'000'000));
    EXPECT_TRUE(whole.drawn.one.all_ended());
  });
}

}  // namespace
}  // namespace penstock::app::drained
