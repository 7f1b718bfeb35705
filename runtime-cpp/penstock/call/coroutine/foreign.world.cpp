// What handlers await from threads that are not ours, in simulated worlds: each wait ends once, on
// its worker, whatever comes first: the callback, the caller's end, the end of the coroutine.
#include <gtest/gtest.h>

#include <vector>

#include "support/other_library.hpp"
#include "world/drawn.hpp"

namespace penstock::foreign_world {
namespace {

using namespace std::chrono_literals;
using testing::OtherLibrary;
using testing::SmallBinary;
using world::Crowd;
using world::drawn_pool;
using world::explore;
using world::World;

struct Ask {
  int value = 0;
  int way = 0;
};
struct Answer {
  int value = 0;
};

constexpr int kWays = 7;

// Plain numbers: the threads of a world take turns.
struct Seen {
  std::vector<OtherLibrary*> libraries;
  world::Random* random = nullptr;
  int begun = 0;
  int ended = 0;
  int misplaced = 0;
  [[nodiscard]] OtherLibrary& library() const {
    return *libraries[random->below(libraries.size())];
  }
};
Seen* g_seen = nullptr;

// Sees that a coroutine is where it began.
class Here {
 public:
  Here() { ++g_seen->begun; }
  Here(const Here&) = delete;
  Here& operator=(const Here&) = delete;
  ~Here() {
    look();
    ++g_seen->ended;
  }
  void look() const {
    if (exec::Worker::current() != worker_ || call::current_activation() != activation_) {
      ++g_seen->misplaced;
    }
  }

 private:
  exec::Worker* const worker_ = exec::Worker::current();
  const call::Activation* const activation_ = call::current_activation();
};

struct GivesUp {
  [[nodiscard]] static bool await_ready() noexcept { return false; }
  static void await_suspend(std::coroutine_handle<> waiting) {
    g_seen->library().call_back([waiting] { waiting.destroy(); });
  }
  static void await_resume() noexcept {}
};

struct Bridge : Handler {
  using request_type = Ask;
  using response_type = Answer;
  static Task<Answer> handle(const Ask& ask) {
    const Here here;
    int value = 0;
    switch (ask.way) {
      case 0:
        value = co_await g_seen->library().arrives(ask.value);
        break;
      case 1:
        value = co_await by_callback(ask.value);
        break;
      case 2: {  // two threads race for it
        Completion<int> done;
        for (int caller = 0; caller < 2; ++caller) {
          g_seen->library().call_back([callback = done.callback(), v = ask.value] { callback(v); });
        }
        if (g_seen->random->once_in(2)) co_await sleep_for(1us);
        value = co_await done;
        break;
      }
      case 3: {  // nobody calls back
        Completion<int> done;
        g_seen->library().call_back([callback = done.callback()] {});
        value = co_await done;
        break;
      }
      case 4:
        co_await GivesUp{};
        break;
      case 5: {  // a child that is destroyed while it waits
        Task<int> child = by_callback(ask.value);
        child.start([](void*) noexcept {}, nullptr);
        if (g_seen->random->once_in(2)) co_await sleep_for(1us);
        value = ask.value;
        break;
      }
      default: {
        Task<int> child = from_elsewhere(ask.value);
        child.start([](void*) noexcept {}, nullptr);
        if (g_seen->random->once_in(2)) co_await sleep_for(1us);
        value = ask.value;
        break;
      }
    }
    here.look();
    co_return Answer{value};
  }
  static Task<int> by_callback(int value) {
    const Here here;
    Completion<int> done;
    g_seen->library().call_back([callback = done.callback(), value] { callback(value); });
    co_return co_await done;
  }
  static Task<int> from_elsewhere(int value) {
    const Here here;
    co_return co_await g_seen->library().arrives(value);
  }
};

ErrorCode expected(int way) {
  if (way == 3) return ErrorCode::aborted;
  return way == 4 ? ErrorCode::cancelled : ErrorCode::ok;
}

TEST(ForeignWorld, EveryWaitEndsOnceOnItsWorker) {
  explore([](World& world) {
    auto& random = world.random();
    Seen seen;
    seen.random = &random;
    g_seen = &seen;
    SmallBinary binary;
    auto& pool = binary.pool(drawn_pool(random, "p"));
    const auto kind = random.one_of({Kind::async_remote, Kind::single_threaded});
    auto& bridge = binary.service<Bridge>("Bridge", kind, pool);
    const Stub<Ask, Answer> ask(&binary.site(bridge));
    binary.start();
    std::vector<std::unique_ptr<OtherLibrary>> libraries;
    for (int library = random.between(1, 3); library > 0; --library) {
      libraries.push_back(std::make_unique<OtherLibrary>());
      seen.libraries.push_back(libraries.back().get());
    }
    Crowd crowd;
    for (int caller = random.between(1, 3); caller > 0; --caller) {
      crowd.add([&] {
        for (int call = random.between(1, 5); call > 0; --call) {
          const Ask asked{random.between(1, 100), random.between(0, kWays - 1)};
          auto future = ask(asked);
          if (random.once_in(3)) {
            world::linger(random, 50);
            continue;
          }
          ErrorCode code = ErrorCode::ok;
          try {
            EXPECT_EQ(future.get().value, asked.value);
          } catch (const Error& error) {
            code = error.code();
          }
          EXPECT_EQ(code, expected(asked.way)) << asked.way;
        }
      });
    }
    for (int change = random.between(0, 2); change > 0; --change) {
      world::linger(random, 100);
      pool.resize(static_cast<unsigned>(random.between(1, 3)));
    }
    crowd.join();
    while (binary.done(bridge) != bridge.sent_count()) {
      std::this_thread::sleep_for(1us);
    }
    // Who drops what it was to resume leaves a relay behind: not here.
    for (const auto& library : libraries) library->wait_until_idle();
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
    EXPECT_EQ(seen.begun, seen.ended);
    EXPECT_EQ(seen.misplaced, 0);
  });
}

// Whoever brings may be at the worker still when what he brought has been answered and everything
// is stopped.
TEST(ForeignWorld, AWorkerIsThereUntilTheLastOneHasLeftIt) {
  explore([](World& world) {
    auto& random = world.random();
    Seen seen;
    seen.random = &random;
    g_seen = &seen;
    OtherLibrary library;
    seen.libraries.push_back(&library);
    SmallBinary binary;
    auto& pool = binary.pool(drawn_pool(random, "p"));
    auto& bridge = binary.service<Bridge>("Bridge", Kind::async_remote, pool);
    const Stub<Ask, Answer> ask(&binary.site(bridge));
    binary.start();
    for (int call = random.between(1, 3); call > 0; --call) {
      EXPECT_EQ(ask({call, random.between(0, 1)}).get().value, call);
    }
    EXPECT_TRUE(pool.stop(now_ns() + 10'000'000'000));
  });
}

}  // namespace
}  // namespace penstock::foreign_world
