#include <gtest/gtest.h>

#include <string>

#include "support/small_binary.hpp"

// Inline calls of plain handlers: the first ones look at everything, the others go by what those
// have found, and nobody can tell the difference.
namespace penstock::direct_test {
namespace {

using testing::pool_settings;
using testing::SmallBinary;

struct Number {
  std::int64_t value = 0;
};
struct Text {
  std::string text;
};

struct Next : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) { return {request.value + 1}; }
};
struct OnlyEven : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) {
    if (request.value % 2 != 0) throw Error(ErrorCode::out_of_range, "odd");
    return request;
  }
};
struct HasDeadline : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& /*request*/) { return {context().deadline_ns != 0 ? 1 : 0}; }
};
struct Long : Handler {
  using request_type = Number;
  using response_type = Text;
  static Text handle(const Number& request) {
    return {"a text that is too long for a small string: " + std::to_string(request.value)};
  }
};
struct Doubles : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(Number& request) {
    request.value *= 2;
    return request;
  }
};
struct Nothing : Handler {
  using request_type = Number;
  using response_type = void;
  void handle(const Number& request) { sum += request.value; }
  static inline std::int64_t sum = 0;
};

// Asks `value` times, 0 to value - 1; the sum of the answers, less 1000 for each error.
template <class Response>
struct Asks : Handler {
  using request_type = Number;
  using response_type = Number;
  struct calls_type {
    Stub<Number, Response> Other;
  };
  Number handle(const Number& request) {
    Number sum;
    for (std::int64_t turn = 0; turn < request.value; ++turn) {
      try {
        if constexpr (std::is_void_v<Response>) {
          calls.Other.inline_call({turn});
        } else if constexpr (std::is_same_v<Response, Text>) {
          sum.value += std::stoll(calls.Other.inline_call({turn}).text.substr(44));
        } else {
          sum.value += calls.Other.inline_call({turn}).value;
        }
      } catch (const Error& error) {
        if (error.code() != ErrorCode::out_of_range) throw;
        sum.value -= 1000;
      }
    }
    return sum;
  }
  calls_type calls;
};

struct DirectTest : ::testing::Test {
  SmallBinary binary;
  call::Service* callee = nullptr;
  call::Service* caller = nullptr;

  template <class H>
  Stub<Number, Number> connect(exec::Pool& pool) {
    using Caller = Asks<typename H::response_type>;
    callee = &binary.service<H>("Callee", Kind::simple, pool);
    caller = &binary.service<Caller>("Caller", Kind::simple, pool);
    binary.connect<Caller>(*caller, *callee, &Caller::calls_type::Other);
    return Stub<Number, Number>(&binary.site(*caller));
  }
  [[nodiscard]] std::uint64_t samples() {
    metrics::HistogramSum sum;
    binary.registry().collect(callee->implementations[0]->timers.latency, sum);
    std::uint64_t samples = 0;
    for (const std::uint64_t count : sum.buckets) samples += count;
    return samples;
  }
  [[nodiscard]] std::uint64_t errors(ErrorCode code) {
    return binary.registry().count(callee->implementations[0]->errors +
                                   static_cast<std::uint32_t>(code));
  }
};

TEST_F(DirectTest, CountsEachCall) {
  const auto ask = connect<Next>(binary.pool(pool_settings("p", 1)));
  binary.start();
  EXPECT_EQ(ask({1000}).get().value, 500'500);
  const call::Implementation& counted = *callee->implementations[0];
  EXPECT_EQ(callee->sent_count(), 1000U);
  EXPECT_EQ(binary.registry().count(counted.done), 1000U);
  EXPECT_GT(samples(), 5U);
  EXPECT_LT(samples(), 100U);
}

TEST_F(DirectTest, LeavesTheRequestToItsCallerWhateverIsChangedInIt) {
  struct AsksTwice : Asks<Number> {
    Number handle(const Number& request) {
      const Number asked = request;
      const std::int64_t once = calls.Other.inline_call(asked).value;
      return {once * 1000 + calls.Other.inline_call(asked).value * 10 + asked.value};
    }
  };
  auto& pool = binary.pool(pool_settings("p", 1));
  callee = &binary.service<Doubles>("Callee", Kind::simple, pool);
  caller = &binary.service<AsksTwice>("Caller", Kind::simple, pool);
  binary.connect<AsksTwice>(*caller, *callee, &AsksTwice::calls_type::Other);
  const Stub<Number, Number> ask(&binary.site(*caller));
  binary.start();
  EXPECT_EQ(ask({3}).get().value, 6063);
  // A call of its own has a request of its own.
  const Stub<Number, Number> direct(&binary.site(*callee));
  EXPECT_EQ(direct({4}).get().value, 8);
}

TEST_F(DirectTest, SamplesAsOftenAsIsSet) {
  const auto ask = connect<Next>(binary.pool(pool_settings("p", 1)));
  binary.registry().set_sampling(128);
  binary.start();
  EXPECT_EQ(ask({100}).get().value, 5050);
  EXPECT_EQ(samples(), 100U);
  binary.registry().set_sampling(0);
  EXPECT_EQ(ask({100}).get().value, 5050);
  EXPECT_EQ(samples(), 100U);
  EXPECT_EQ(binary.done(*callee), 200U);
}

TEST_F(DirectTest, GivesErrorsToItsCallerAndCountsThem) {
  const auto ask = connect<OnlyEven>(binary.pool(pool_settings("p", 1)));
  binary.start();
  EXPECT_EQ(ask({100}).get().value, 2450 - 50'000);
  EXPECT_EQ(errors(ErrorCode::out_of_range), 50U);
  EXPECT_EQ(errors(ErrorCode::internal), 0U);
  EXPECT_EQ(binary.done(*callee), 100U);
  binary.registry().set_sampling(128);
  EXPECT_EQ(ask({100}).get().value, 2450 - 50'000);
  EXPECT_EQ(errors(ErrorCode::out_of_range), 100U);
}

TEST_F(DirectTest, EndsWithThePlacementThatItNeeds) {
  auto& pool = binary.pool(pool_settings("p", 1));
  const auto ask = connect<Next>(pool);
  caller->thread = 0;
  binary.start();
  EXPECT_EQ(ask({100}).get().value, 5050);
  ASSERT_EQ(pool.resize(2), 2U);
  try {
    ask({1}).get();
    ADD_FAILURE() << "a service of two threads is on none of them";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed_precondition) << error.what();
  }
  ASSERT_EQ(pool.resize(1), 1U);
  EXPECT_EQ(ask({100}).get().value, 5050);
}

TEST_F(DirectTest, ReachesAServiceThatIsBoundToItsThread) {
  const auto ask = connect<Next>(binary.pool(pool_settings("p", 2)));
  caller->thread = 1;
  callee->thread = 1;
  binary.start();
  EXPECT_EQ(ask({100}).get().value, 5050);
  EXPECT_EQ(binary.done(*callee), 100U);
}

TEST_F(DirectTest, HandsItsCallersDeadlineOn) {
  const auto ask = connect<HasDeadline>(binary.pool(pool_settings("p", 1)));
  caller->deadline_ns = 0;
  binary.start();
  EXPECT_EQ(ask({10}).get().value, 0);
  caller->deadline_ns = 3'600'000'000'000;
  EXPECT_EQ(ask({10}).get().value, 10);
}

TEST_F(DirectTest, MovesAnswersThatOwnMemory) {
  const auto ask = connect<Long>(binary.pool(pool_settings("p", 1)));
  binary.start();
  EXPECT_EQ(ask({100}).get().value, 4950);
}

TEST_F(DirectTest, NeedsNoAnswer) {
  const auto ask = connect<Nothing>(binary.pool(pool_settings("p", 1)));
  binary.start();
  EXPECT_EQ(ask({100}).get().value, 0);
  EXPECT_EQ(Nothing::sum, 4950);
}

}  // namespace
}  // namespace penstock::direct_test
