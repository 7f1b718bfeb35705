#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/replaced_new.hpp"
#include "support/small_binary.hpp"

namespace penstock::call_counted {
namespace {

using testing::g_allocations;
using testing::pool_settings;
using testing::SmallBinary;
using testing::t_no_memory;

struct Number {
  std::int64_t value = 0;
};

struct Plain : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) { return request; }
};

struct Coroutine : Handler {
  using request_type = Number;
  using response_type = Number;
  static Task<Number> handle(const Number& request) { co_return request; }
};

// Counts what `value` rounds of `Round` allocate, after as many rounds before.
template <class Round>
struct Caller : Handler {
  using request_type = Number;
  using response_type = Number;
  struct calls_type {
    Stub<Number, Number> Callee;
  };
  Task<Number> handle(const Number& request) {
    for (std::int64_t turn = 0; turn < request.value; ++turn) co_await Round::once(calls);
    const std::uint64_t before = g_allocations.load();
    for (std::int64_t turn = 0; turn < request.value; ++turn) co_await Round::once(calls);
    co_return Number{static_cast<std::int64_t>(g_allocations.load() - before)};
  }
  calls_type calls;
};

struct OneByOne {
  template <class Calls>
  static Task<void> once(Calls& calls) {
    static_cast<void>(co_await calls.Callee({1}));
  }
};

struct Many {
  template <class Calls>
  static Task<void> once(Calls& calls) {
    std::array<Future<Number>, 64> futures;
    for (auto& future : futures) future = calls.Callee({1});
    for (auto& future : futures) static_cast<void>(co_await future);
  }
};

struct FanOut {
  template <class Calls>
  static Task<void> once(Calls& calls) {
    const Answers<Number> answers =
        co_await gather_within(std::chrono::hours(1), calls.Callee.each({1}));
    EXPECT_EQ(answers.size(), 3U);
  }
};

template <class Round, class... Callees>
std::int64_t allocations_of(bool same_thread, Kind kind = Kind::simple) {
  SmallBinary binary;
  auto& front = binary.pool(pool_settings("front", 1));
  auto& back = binary.pool(pool_settings("back", 1));
  auto& callee = binary.service<Callees...>("Callee", kind, same_thread ? front : back);
  auto& caller = binary.service<Caller<Round>>("Caller", Kind::async_remote, front);
  binary.connect<Caller<Round>>(caller, callee, &Caller<Round>::calls_type::Callee);
  const Stub<Number, Number> ask(&binary.site(caller));
  // Samples make their histograms when they first come.
  binary.registry().set_sampling(128);
  binary.start();
  return ask({2000}).get().value;
}

TEST(Allocations, NoneForACallAfterWarmUp) {
  EXPECT_EQ((allocations_of<OneByOne, Plain>(false)), 0);
  EXPECT_EQ((allocations_of<OneByOne, Plain>(true)), 0);
  EXPECT_EQ((allocations_of<OneByOne, Coroutine>(false)), 0);
}

TEST(Allocations, NoneWithManyCallsOutstanding) {
  EXPECT_EQ((allocations_of<Many, Plain>(false)), 0);
  EXPECT_EQ((allocations_of<Many, Coroutine>(false)), 0);
}

TEST(Allocations, NoneForASingleThreadedService) {
  EXPECT_EQ((allocations_of<Many, Plain>(false, Kind::single_threaded)), 0);
}

TEST(Allocations, NoneForAFanOutThatIsGathered) {
  EXPECT_EQ((allocations_of<FanOut, Plain, Plain, Plain>(false)), 0);
}

TEST(NoMemory, LeavesAThreadsFirstJobToTheMailbox) {
  struct Noted : exec::Job {
    std::atomic<bool> ran{false};
  };
  SmallBinary binary;
  auto& pool = binary.pool(pool_settings("p", 1));
  binary.start();
  Noted job;
  job.run = [](exec::Job& run) noexcept { static_cast<Noted&>(run).ran = true; };
  std::thread poster([&] {
    t_no_memory = true;
    pool.worker(0).post(job);
    t_no_memory = false;
  });
  poster.join();
  EXPECT_TRUE(testing::eventually([&] { return job.ran.load(); }));
}

// Throws an error that it made while there was memory, when there is none. A second request ends
// that.
struct Forgetful : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) {
    t_no_memory = false;
    const Error error(ErrorCode::not_found, std::string(100, '-'));
    t_no_memory = request.value != 0;
    if (t_no_memory) throw Error(error);
    return request;
  }
};

TEST(NoMemory, GivesTheCallerAnErrorOfTheRightCode) {
  SmallBinary binary;
  auto& pool = binary.pool(pool_settings("p", 1));
  const Stub<Number, Number> ask(
      &binary.site(binary.service<Forgetful>("Forgetful", Kind::simple, pool)));
  binary.start();
  static_cast<void>(ask({0}).get());  // the frame comes from where that one went
  const auto code = [&ask] {
    try {
      static_cast<void>(ask({1}).get());
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::ok;
  };
  EXPECT_EQ(code(), ErrorCode::not_found);
  static_cast<void>(ask({0}).get());
  binary.stop();
  t_no_memory = true;
  const ErrorCode refused = code();
  t_no_memory = false;
  EXPECT_EQ(refused, ErrorCode::unavailable);
}

TEST(NoMemory, TellsWhoWaitsThatItsCallbackWasDropped) {
  Completion<int> done;
  {
    const auto dropped = done.callback();
    t_no_memory = true;
  }
  t_no_memory = false;
  try {
    static_cast<void>(done.get());
    ADD_FAILURE() << "brought";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::aborted);
    EXPECT_EQ(error.message(), "out of memory");
  }
}

// The counter itself.
TEST(Allocations, AreCounted) {
  const std::uint64_t before = g_allocations.load();
  const std::vector<int> some(100);
  EXPECT_EQ(g_allocations.load() - before, 1U);
}

}  // namespace
}  // namespace penstock::call_counted
