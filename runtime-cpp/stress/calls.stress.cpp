// Calls, futures, gathers, strands and blocking handlers, all at once, while another thread resizes
// and pins the pools. Meant for ThreadSanitizer and AddressSanitizer; finds lost wake-ups (a call
// that is never answered), lost or doubled answers, and broken exclusion in any build.
//
// PENSTOCK_STRESS_SEED repeats a run's choices; PENSTOCK_STRESS_MS makes it longer.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "support/small_binary.hpp"

namespace penstock {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Random = std::mt19937_64;
using testing::pool_settings;
using testing::SmallBinary;

struct Ask {
  int value = 0;
  int way = 0;
};
struct Answer {
  int value = 0;
};

constexpr int kUnlucky = 17;  // every 17th value is an error
int expected(int value) { return value * 2 + 1; }

struct Leaf : Handler {
  using request_type = Ask;
  using response_type = Answer;
  static Answer handle(const Ask& ask) {
    if (ask.value % kUnlucky == 0) throw Error(ErrorCode::not_found, "unlucky");
    return {expected(ask.value)};
  }
};

struct Slow : Handler {
  using request_type = Ask;
  using response_type = Answer;
  static Task<Answer> handle(const Ask& ask) {
    co_await sleep_for(std::chrono::microseconds(ask.value % 300));
    co_return Answer{expected(ask.value)};
  }
};

// Never two at once, also not while it awaits: the plain counters are the proof.
struct Solo : Handler {
  using request_type = Ask;
  using response_type = Answer;
  struct calls_type {
    Stub<Ask, Answer> Other;
  };
  // Also where a wait ends because nobody wants the answer any more.
  struct Inside {
    Inside() {
      if (inside++ != 0) ++overlaps;
      ++runs;
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() { --inside; }
  };
  Task<Answer> handle(const Ask& ask) {
    const Inside here;
    if (ask.value % 3 == 0) co_await sleep_for(20us);
    if (ask.value % 5 == 0) {
      try {
        static_cast<void>(co_await calls.Other(ask));
      } catch (const Error&) {
        ++errors;
      }
    }
    co_return Answer{expected(ask.value)};
  }
  calls_type calls;
  static int inside;
  static int overlaps;
  static long runs;
  static long errors;
};
int Solo::inside = 0;
int Solo::overlaps = 0;
long Solo::runs = 0;
long Solo::errors = 0;

struct Blocking : Handler {
  using request_type = Ask;
  using response_type = Answer;
  struct calls_type {
    Stub<Ask, Answer> Other;
  };
  Answer handle(const Ask& ask) { return calls.Other(ask).get(); }
  calls_type calls;
};

template <int Nth>
struct Model : Handler {
  using request_type = Ask;
  using response_type = Answer;
  static Task<Answer> handle(const Ask& ask) {
    if (Nth != 0) co_await sleep_for(std::chrono::microseconds(Nth * (ask.value % 200)));
    co_return Answer{expected(ask.value)};
  }
};

std::atomic<long> g_wrong{0};
void verify(const Ask& ask, const Answer& answer) {
  if (answer.value != expected(ask.value)) ++g_wrong;
}

// Asks the others in every way there is.
struct Front : Handler {
  using request_type = Ask;
  using response_type = Answer;
  struct calls_type {
    Stub<Ask, Answer> Leafs;
    Stub<Ask, Answer> Slows;
    Stub<Ask, Answer> Solos;
    Stub<Ask, Answer> Blockers;
    Stub<Ask, Answer> Models;
  };
  Task<Answer> handle(const Ask& ask) {
    const Ask inner{ask.value, 0};
    switch (ask.way) {
      case 0:
        co_return co_await calls.Leafs(inner);
      case 1: {
        const auto answers = co_await gather_within(150us, calls.Models.each(inner));
        for (const Answer& answer : answers) verify(inner, answer);
        break;
      }
      case 2: {
        const auto [leaf, slow, blocked] = co_await gather_within(
            400us, calls.Leafs(inner), calls.Slows(inner), calls.Blockers(inner));
        if (leaf) verify(inner, *leaf);
        if (slow) verify(inner, *slow);
        if (blocked) verify(inner, *blocked);
        break;
      }
      case 3:
        co_return co_await calls.Solos(inner);
      case 4: {  // nobody wants these
        static_cast<void>(calls.Slows(inner));
        static_cast<void>(calls.Models.each(inner));
        break;
      }
      case 5: {  // both at once, the second awaited first
        auto first = calls.Slows(inner);
        auto second = calls.Solos(inner);
        verify(inner, co_await second);
        verify(inner, co_await first);
        break;
      }
      default:
        co_return co_await calls.Blockers(inner);
    }
    if (ask.value % kUnlucky == 0) throw Error(ErrorCode::not_found, "unlucky");
    co_return Answer{expected(ask.value)};
  }
  calls_type calls;
};

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): first thing
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// What one thread outside does: keeps calls outstanding, takes or drops their answers.
struct Caller {
  Stub<Ask, Answer> ask;
  Random random;
  long asked = 0;
  long answered = 0;
  long failed = 0;
  long dropped = 0;

  void run(Clock::time_point end) {
    std::deque<std::pair<Ask, Future<Answer>>> open;
    while (Clock::now() < end || !open.empty()) {
      if (Clock::now() < end && open.size() < 1 + random() % 32) {
        const Ask next{static_cast<int>(random() % 100'000), static_cast<int>(random() % 7)};
        open.emplace_back(next, ask(next));
        ++asked;
        continue;
      }
      if (open.empty()) continue;
      auto [sent, future] = std::move(open.front());
      open.pop_front();
      if (random() % 10 == 0) {
        ++dropped;
      } else {
        take(sent, future);
      }
    }
  }

  void take(const Ask& sent, Future<Answer>& future) {
    try {
      verify(sent, future.get());
      ++answered;
    } catch (const Error& error) {
      ++failed;
      if (error.code() != ErrorCode::not_found || sent.value % kUnlucky != 0) ++g_wrong;
    }
  }
};

TEST(CallsStress, LoseNothingWhilePoolsAreResizedAndPinned) {
  const std::uint64_t seed = number_from("PENSTOCK_STRESS_SEED", std::random_device{}());
  const std::chrono::milliseconds time(number_from("PENSTOCK_STRESS_MS", 2'000));
  std::cout << "PENSTOCK_STRESS_SEED=" << seed << "\n";
  SCOPED_TRACE("PENSTOCK_STRESS_SEED=" + std::to_string(seed));

  SmallBinary binary;
  std::vector<exec::Pool*> pools;
  for (const auto& [name, queue] : {std::pair{"front", 64U}, {"leaves", 32U}, {"waits", 1024U}}) {
    pools.push_back(&binary.pool(pool_settings(name, 2, queue)));
  }
  exec::Pool& blockers = binary.pool(pool_settings("blockers", 2, 64));
  auto& leaf = binary.service<Leaf>("Leaf", Kind::simple, *pools[1]);
  auto& slow = binary.service<Slow>("Slow", Kind::async_remote, *pools[2]);
  auto& solo = binary.service<Solo>("Solo", Kind::single_threaded, *pools[1]);
  auto& blocking = binary.service<Blocking>("Blocking", Kind::sync_remote, blockers);
  auto& models =
      binary.service<Model<0>, Model<1>, Model<2>>("Models", Kind::async_remote, *pools[2]);
  auto& front = binary.service<Front>("Front", Kind::async_remote, *pools[0]);
  binary.connect<Front>(front, leaf, &Front::calls_type::Leafs);
  binary.connect<Front>(front, slow, &Front::calls_type::Slows);
  binary.connect<Front>(front, solo, &Front::calls_type::Solos);
  binary.connect<Front>(front, blocking, &Front::calls_type::Blockers);
  binary.connect<Front>(front, models, &Front::calls_type::Models);
  binary.connect<Solo>(solo, leaf, &Solo::calls_type::Other);
  binary.connect<Blocking>(blocking, leaf, &Blocking::calls_type::Other);
  const Stub<Ask, Answer> ask(&binary.site(front));
  binary.start();
  pools.push_back(&blockers);

  const Clock::time_point end = Clock::now() + time;
  std::vector<Caller> callers;
  for (std::uint64_t i = 0; i < 3; ++i) callers.push_back({ask, Random(seed + i)});
  std::vector<std::thread> threads;
  for (Caller& caller : callers) threads.emplace_back([&caller, end] { caller.run(end); });

  Random random(seed + 100);
  long resizes = 0;
  while (Clock::now() < end) {
    exec::Pool& pool = *pools[random() % pools.size()];
    const auto wanted = static_cast<unsigned>(1 + random() % 5);
    EXPECT_EQ(pool.resize(wanted), wanted);
    ++resizes;
    if (random() % 4 == 0) {
      std::vector<int> cpus;
      if (random() % 2 == 0) cpus.push_back(0);
      EXPECT_FALSE(pool.pin(static_cast<unsigned>(random() % wanted), cpus).empty());
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 3'000));
  }
  for (std::thread& thread : threads) thread.join();
  binary.stop();

  Caller all{ask, Random(0)};
  for (const Caller& caller : callers) {
    all.asked += caller.asked;
    all.answered += caller.answered;
    all.failed += caller.failed;
    all.dropped += caller.dropped;
  }
  std::cout << all.asked << " asked, " << all.answered << " answered, " << all.failed << " failed, "
            << all.dropped << " dropped, " << Solo::runs << " alone, " << resizes << " resizes\n";
  EXPECT_GT(all.answered, 0);
  EXPECT_GT(resizes, 0);
  EXPECT_EQ(all.asked, all.answered + all.failed + all.dropped);
  EXPECT_EQ(g_wrong, 0);
  EXPECT_EQ(Solo::overlaps, 0);
  EXPECT_EQ(Solo::inside, 0);
}

}  // namespace
}  // namespace penstock
