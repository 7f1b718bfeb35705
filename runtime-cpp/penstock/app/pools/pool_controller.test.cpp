#include "penstock/app/pools/pool_controller.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <queue>
#include <random>
#include <vector>

namespace penstock::app::pool_controller_test {
namespace {

constexpr Nanos kLook = 50'000'000;
constexpr double kSecond = 1e9;

/// A pool whose requests come at random and take random times, and that has as many threads as it
/// is told. Its time is a number.
class SimulatedPool {
 public:
  SimulatedPool(std::mt19937_64& random, unsigned threads) : random_(random), threads_(threads) {}

  /// From now on: requests a second, and seconds that each keeps a thread, on average.
  void load(double arrivals, double runs_for) {
    arrivals_ = arrivals;
    runs_for_ = runs_for;
    next_ = now_ + gap(1 / arrivals_);
  }
  void resize(unsigned threads) {
    threads_ = threads;
    begin();
  }
  [[nodiscard]] PoolLook look_at(double seconds) {
    while (true) {
      const double ends = ends_.empty() ? INFINITY : ends_.top();
      if (std::min(ends, next_) > seconds) break;
      if (ends <= next_) {
        now_ = ends;
        ends_.pop();
      } else {
        now_ = next_;
        ++waiting_;
        next_ = now_ + gap(1 / arrivals_);
      }
      begin();
    }
    now_ = seconds;
    const auto busy = std::min(static_cast<unsigned>(ends_.size()), threads_);
    return {static_cast<Nanos>(seconds * kSecond), threads_, busy, waiting_, left_};
  }

 private:
  double gap(double mean) { return std::exponential_distribution<>(1 / mean)(random_); }
  void begin() {
    // A thread that leaves finishes what it has.
    while (waiting_ > 0 && ends_.size() < threads_) {
      --waiting_;
      ++left_;
      ends_.push(now_ + gap(runs_for_));
    }
  }

  std::mt19937_64& random_;
  unsigned threads_;
  double now_ = 0;
  double next_ = INFINITY;
  double arrivals_ = 1;
  double runs_for_ = 1;
  std::uint64_t waiting_ = 0;
  std::uint64_t left_ = 0;
  std::priority_queue<double, std::vector<double>, std::greater<>> ends_;
};

/// A pool with its controller, and what became of it.
struct Trial {
  Trial(std::mt19937_64& random, Bounds within)
      : bounds(within), pool(random, within.from), controller(within), threads(within.from) {}

  void run_for(int seconds) {
    steps = 0;
    turns = 0;
    least = most = threads;
    for (const double end = at + seconds; at < end;) {
      at += static_cast<double>(kLook) / kSecond;
      const auto step = controller.look(pool.look_at(at));
      if (!step) continue;
      EXPECT_GE(step->threads, bounds.from);
      EXPECT_LE(step->threads, bounds.to);
      EXPECT_EQ(std::max(step->threads, threads) - std::min(step->threads, threads), 1U);
      EXPECT_GE(at - stepped_at, 0.99) << "two steps within a second";
      const bool up = step->threads > threads;
      turns += steps > 0 && up != went_up ? 1 : 0;
      went_up = up;
      ++steps;
      stepped_at = at;
      threads = step->threads;
      least = std::min(least, threads);
      most = std::max(most, threads);
      pool.resize(threads);
    }
  }

  const Bounds bounds;
  SimulatedPool pool;
  PoolController controller;
  unsigned threads;
  double at = 0;
  double stepped_at = -1;
  bool went_up = true;
  // Of the last run_for().
  int steps = 0;
  int turns = 0;  // from more to fewer, or back
  unsigned least = 0;
  unsigned most = 0;
};

/// The same loads in each run, as how many threads they need is a matter of chance; others by
/// PENSTOCK_SEED.
std::uint64_t drawn_seed() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  const char* const given = std::getenv("PENSTOCK_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 1000;
}

TEST(PoolControllerTest, FindsAsManyThreadsAsALoadNeedsAndKeepsThem) {
  const std::uint64_t seed = drawn_seed();
  std::mt19937_64 random(seed);
  const auto between = [&random](double least, double most) {
    return std::uniform_real_distribution<>(least, most)(random);
  };
  for (int round = 0; round < 12; ++round) {
    const auto from = static_cast<unsigned>(between(1, 5));
    const Bounds bounds{from, from + static_cast<unsigned>(between(1, 40))};
    const double busy = between(0.05, 0.8) * bounds.to;
    const double arrivals = between(20, 200);
    SCOPED_TRACE("PENSTOCK_SEED=" + std::to_string(seed) + " round " + std::to_string(round) +
                 ": " + std::to_string(bounds.from) + "-" + std::to_string(bounds.to) +
                 " threads for " + std::to_string(busy) + " at work, " + std::to_string(arrivals) +
                 " requests/s");
    Trial trial(random, bounds);
    trial.pool.load(arrivals, busy / arrivals);
    trial.run_for(400);
    trial.run_for(400);
    EXPECT_GE(trial.least, std::max(from, static_cast<unsigned>(busy)));
    EXPECT_LE(trial.most, std::max<double>(from, std::ceil(busy / 0.7 + 3 * std::sqrt(busy)) + 2));
    EXPECT_LE(trial.turns, 10);
  }
}

TEST(PoolControllerTest, FollowsALoadThatGrowsAndFalls) {
  const std::uint64_t seed = drawn_seed();
  SCOPED_TRACE("PENSTOCK_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  Trial trial(random, {2, 32});
  trial.pool.load(20, 0.05);  // 1 at work
  trial.run_for(60);
  EXPECT_LE(trial.threads, 4U);
  trial.pool.load(320, 0.05);  // 16 at work
  trial.run_for(60);
  EXPECT_GE(trial.threads, 16U);
  trial.pool.load(20, 0.05);
  trial.run_for(200);
  EXPECT_LE(trial.threads, 4U);
}

TEST(PoolControllerTest, GoesToTheMostUnderALoadThatIsTooMuchAndBackToTheFewestWithoutOne) {
  const std::uint64_t seed = drawn_seed();
  SCOPED_TRACE("PENSTOCK_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  Trial trial(random, {3, 9});
  trial.pool.load(200, 0.1);  // 20 at work
  trial.run_for(20);
  EXPECT_EQ(trial.threads, 9U);
  EXPECT_EQ(trial.steps, 6);
  trial.pool.load(0.001, 0.1);
  trial.run_for(200);
  EXPECT_EQ(trial.threads, 3U);
}

/// Looks of a pool that stays as it is, for so many seconds; the last step.
std::optional<PoolStep> watched(PoolController& controller, PoolLook look, int seconds,
                                Nanos apart = kLook) {
  std::optional<PoolStep> last;
  for (const Nanos end = look.at + Nanos{seconds} * 1'000'000'000; look.at < end;
       look.at += apart) {
    if (auto step = controller.look(look)) {
      last = step;
      look.threads = step->threads;
    }
  }
  return last;
}

TEST(PoolControllerTest, GivesNoThreadToRequestsThatWaitForOneAnother) {
  PoolController controller({2, 8});
  EXPECT_EQ(watched(controller, {.threads = 4, .busy = 1, .waiting = 100}, 60), std::nullopt);
}

TEST(PoolControllerTest, TakesAQueueThatNothingLeavesForAWaitOfTheWholeInterval) {
  PoolController controller({2, 3});
  const PoolStep step =
      watched(controller, {.threads = 2, .busy = 2, .waiting = 1}, 2).value_or(PoolStep{});
  EXPECT_EQ(step.threads, 3U);
  EXPECT_GE(step.waited, 1'000'000'000);
}

TEST(PoolControllerTest, DoesNothingAboutABurstThatIsGoneAgain) {
  PoolController controller({2, 8});
  PoolLook look{.threads = 2, .busy = 2, .waiting = 50};
  for (int at = 0; at < 200; ++at) {
    look.at += kLook;
    look.left += 10;
    look.waiting = at % 10 == 0 ? 0 : 50;
    EXPECT_EQ(controller.look(look), std::nullopt);
  }
}

TEST(PoolControllerTest, LearnsNothingFromAStepThatWasRefused) {
  PoolController controller({1, 8});
  Nanos now = 0;
  const auto seconds_until_a_step = [&](unsigned threads, unsigned busy, std::uint64_t waiting) {
    for (int look = 1; look <= 1000; ++look) {
      if (controller.look({now += kLook, threads, busy, waiting, 0})) return look / 20;
    }
    return 1000;
  };
  EXPECT_EQ(seconds_until_a_step(2, 0, 0), 5);
  controller.refused();
  EXPECT_EQ(seconds_until_a_step(2, 2, 1), 2) << "its first second began while none waited";
  EXPECT_EQ(seconds_until_a_step(3, 0, 0), 5) << "nothing had been given away";
}

TEST(PoolControllerTest, DoesNothingOnTooFewLooks) {
  PoolController controller({2, 8});
  EXPECT_EQ(watched(controller, {.threads = 2, .busy = 2, .waiting = 50}, 60, 400'000'000),
            std::nullopt);
}

TEST(PoolControllerTest, BeginsAnewWhenSomebodyElseChangesThePool) {
  PoolController controller({2, 8});
  PoolLook look{.threads = 2, .busy = 2, .waiting = 50};
  for (int at = 0; at < 100; ++at) {
    look.at += kLook;
    look.threads = at % 10 < 5 ? 2 : 3;
    look.busy = look.threads;
    EXPECT_EQ(controller.look(look), std::nullopt);
  }
}

TEST(PoolControllerTest, ComesBackIntoItsBoundsByOneThreadAStep) {
  PoolController controller({4, 8});
  EXPECT_EQ(watched(controller, {.threads = 1}, 2).value_or(PoolStep{}).threads, 2U);
  PoolController other({4, 8});
  const auto step = watched(other, {.threads = 20, .busy = 20, .waiting = 9}, 2);
  EXPECT_EQ(step.value_or(PoolStep{}).threads, 19U);
}

}  // namespace
}  // namespace penstock::app::pool_controller_test
