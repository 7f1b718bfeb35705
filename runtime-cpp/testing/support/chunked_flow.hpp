#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "penstock/flow/graph/flow.hpp"
#include "support/gate.hpp"
#include "support/one_flow.hpp"

/// A flow whose handlers are known to be quick, so that what one job emits goes in chunks.
namespace penstock::flow::chunked {

using penstock::testing::eventually;
using penstock::testing::OneFlow;
using penstock::testing::pool_settings;

inline constexpr int kMany = 200;

struct Number {
  int value = 0;
  std::string text;  // moves, and is to be destroyed once
};

struct Twice : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& number) { return {number.value * 2, number.text}; }
};
struct Odd : Handler {
  using request_type = Number;
  using response_type = Number;
  static std::optional<Number> handle(const Number& number) {
    if (number.value % 2 == 0) return std::nullopt;
    return number;
  }
};
struct Pick : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& number) {
    if (number.value % 10 == 3) throw Error(ErrorCode::aborted, "a three");
    return number;
  }
};
// Says in its failure which number it was.
template <int last_digit>
struct Throws : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& number) {
    if (number.value % 10 == last_digit) {
      throw Error(ErrorCode::aborted, std::to_string(number.value));
    }
    return number;
  }
};
// Makes that number of the failure.
struct Recover : Handler {
  using request_type = Failure;
  using response_type = Number;
  static Number handle(const Failure& failure) { return {std::stoi(failure.message), {}}; }
};
// Gives some something to carry.
struct Give : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& number) {
    give(number);
    return number;
  }
  static void give(const Number& number) {
    if (number.value % 50 == 7) context().local<std::string>() = number.text;
  }
};
struct GiveInPlace : Give {
  using response_type = void;
  static Verdict handle(const Number& number) {
    give(number);
    return keep_if(number.value % 100 != 7);
  }
};
struct GiveOrThrow : Give {
  static Number handle(const Number& number) {
    give(number);
    if (number.value % 100 == 57) throw Error(ErrorCode::aborted, "one in a hundred");
    return number;
  }
};
inline std::mutex g_mutex;
// What came to the last stages. Under the mutex.
struct Seen {
  std::vector<int> numbers;
  std::vector<int> elsewhere;
  std::set<std::string> texts;
  std::set<std::uint64_t> stretches;  // of work that they belonged to
  std::vector<std::string> failed;    // stages
  std::vector<int> carried;           // numbers that came with their own text
  int others = 0;                     // or with one of another number
};
inline Seen g_seen;

inline Seen seen() {
  const std::lock_guard hold(g_mutex);
  return g_seen;
}

struct Collect : Handler {
  using request_type = Number;
  using response_type = void;
  static void handle(const Number& number) {
    const std::lock_guard hold(g_mutex);
    g_seen.numbers.push_back(number.value);
    g_seen.texts.insert(number.text);
    g_seen.stretches.insert(call::t_turn.count.load());
  }
};
struct CollectElsewhere : Collect {
  static void handle(const Number& number) {
    const std::lock_guard hold(g_mutex);
    g_seen.elsewhere.push_back(number.value);
    g_seen.texts.insert(number.text);
    g_seen.stretches.insert(call::t_turn.count.load());
  }
};
struct LetPass : Handler {
  using request_type = Number;
  using response_type = void;
  static void handle(const Number& /*number*/) {}
};
struct CollectCarried : Collect {
  static void handle(const Number& number) {
    Collect::handle(number);
    const std::string* const text = context().find_local<std::string>();
    if (text == nullptr) return;
    const std::lock_guard hold(g_mutex);
    if (*text == number.text) {
      g_seen.carried.push_back(number.value);
    } else {
      ++g_seen.others;
    }
  }
};
struct Rescue : Handler {
  using request_type = Failure;
  using response_type = void;
  static void handle(const Failure& failure) {
    const std::lock_guard hold(g_mutex);
    g_seen.failed.push_back(failure.stage);
  }
};
struct RescueCarried : Handler {
  using request_type = Failure;
  using response_type = void;
  static void handle(const Failure& failure) {
    const std::lock_guard hold(g_mutex);
    g_seen.failed.push_back(failure.stage + " " + context().local<std::string>());
  }
};
struct Held : Handler {
  using request_type = Number;
  using response_type = void;
  static void handle(const Number& number) {
    if (number.value < 0) gate.pass();
  }
  static inline testing::Gate gate;
};

/// On its worker, as a handler that is known to be quick.
struct Push : exec::Job {
  OneFlow* one = nullptr;
  std::vector<Number> numbers;
  Nanos deadline_of_last = 0;
};

struct Chunks : ::testing::Test {
  OneFlow one;
  exec::Pool& front = one.binary.pool(pool_settings("front", 1));
  exec::Pool& back = one.binary.pool(pool_settings("back", 1));
  exec::Pool& pusher = one.binary.pool(pool_settings("pusher", 1));
  std::deque<Push> pushes;

  void SetUp() override {
    const std::lock_guard hold(g_mutex);
    g_seen = {};
  }
  void TearDown() override {
    Held::gate.open();
    one.binary.stop();
  }

  template <Role role, class H>
  void stage(std::string id, exec::Pool* join = nullptr, exec::Pool* pool = nullptr) {
    one.stage<role, H>(std::move(id), Kind::simple, pool != nullptr ? *pool : front, join);
  }
  void start() {
    // By what is set here alone, however slow the machine is.
    one.binary.registry().set_sampling(0);
    one.start();
    for (Stage& stage : one.flow.stages()) {
      stage.at_once = defaults::kMostInChunk;
      if (stage.plain) stage.only_implementation->pace.note(0);
    }
  }
  // As one job.
  void push(std::vector<Number> numbers, Nanos deadline_of_last = 0) {
    Push& push = pushes.emplace_back();
    push.one = &one;
    push.numbers = std::move(numbers);
    push.deadline_of_last = deadline_of_last;
    push.run = [](exec::Job& job) noexcept {
      auto& mine = static_cast<Push&>(job);
      call::Activation activation;
      activation.implementation = mine.one->flow.stages().front().service->implementations.front();
      const call::Activating activating(&activation);
      for (Number& number : mine.numbers) {
        if (&number == &mine.numbers.back()) activation.context.deadline_ns = mine.deadline_of_last;
        mine.one->flow.push(std::move(number));
      }
    };
    pusher.worker(0).post(push);
  }
  static std::vector<Number> count_to(int last) {
    std::vector<Number> numbers;
    for (int value = 1; value <= last; ++value) {
      numbers.push_back({value, "the text of number " + std::to_string(value)});
    }
    return numbers;
  }
  void wait_for(std::uint64_t emitted) {
    ASSERT_TRUE(eventually([&] { return one.emitted() == emitted && one.all_ended(); }));
  }
};

}  // namespace penstock::flow::chunked
