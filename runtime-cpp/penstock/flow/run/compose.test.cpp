// Stages that are one function: what differs from running them one by one must not be seen.
#include "penstock/flow/run/compose.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/one_flow.hpp"

namespace penstock::flow::compose_test {
namespace {

using testing::eventually;
using testing::OneFlow;
using testing::pool_settings;

constexpr int kValues = 150;

/// Moves, and is to be destroyed once.
struct Value {
  int number = 0;
  std::shared_ptr<int> owned = std::make_shared<int>(0);
};
/// Another type, of another size.
struct Wide {
  Value value;
  std::uint64_t more[6] = {};
};

struct Note {
  std::string stage;
  int number = 0;
  bool operator==(const Note&) const = default;
};
std::mutex g_mutex;
std::vector<Note> g_notes;  // under the mutex

void note(std::string stage, int number) {
  const std::lock_guard hold(g_mutex);
  g_notes.push_back({std::move(stage), number});
}
std::vector<Note> notes() {
  const std::lock_guard hold(g_mutex);
  return g_notes;
}

void throw_at(int number, int every) {
  if (number % every == 0) throw Error(ErrorCode::aborted, std::to_string(number));
}

struct Widen : Handler {
  using request_type = Value;
  using response_type = Wide;
  static Wide handle(Value&& value) {
    throw_at(value.number, 7);
    return {{value.number, std::move(value.owned)}, {}};
  }
};
struct Narrow : Handler {
  using request_type = Wide;
  using response_type = Value;
  static std::optional<Value> handle(const Wide& wide) {
    if (wide.value.number % 5 == 0) return std::nullopt;
    throw_at(wide.value.number, 11);
    return wide.value;
  }
};
struct Keep : Handler {
  using request_type = Value;
  using response_type = void;
  static Verdict handle(const Value& value) {
    throw_at(value.number, 13);
    return keep_if(value.number % 3 != 0);
  }
};
struct Change : Handler {
  using request_type = Value;
  using response_type = void;
  static void handle(Value& value) {
    value.number += 1000;
    throw_at(value.number, 17);
  }
};
struct Twice : Handler {
  using request_type = Value;
  using response_type = Value;
  static Value handle(const Value& value) { return {value.number * 2, value.owned}; }
};
template <char letter>
struct See : Handler {
  using request_type = Value;
  using response_type = void;
  static void handle(const Value& value) { note({letter}, value.number); }
};
struct Who : Handler {
  using request_type = Value;
  using response_type = void;
  static void handle(const Value& value) {
    note(call::t_turn.running.load()->service->name.str(), value.number);
  }
};
struct Rescue : Handler {
  using request_type = Failure;
  using response_type = void;
  static void handle(const Failure& failure) { note(failure.stage, std::stoi(failure.message)); }
};
struct Wait : Handler {
  using request_type = Value;
  using response_type = Value;
  static Task<Value> handle(const Value& value) { co_return value; }
};

/// Behind a chain.
template <class V>
struct Behind : Handler {
  using request_type = V;
  using response_type = void;
  static void handle(const Value& value) { note("behind", value.number); }
  static void handle(const Wide& wide) { handle(wide.value); }
};

/// What comes behind a chain: nothing, a stage that is fused, one with a queue before it.
enum class Then : std::uint8_t { end, fused, joined };

template <class H>
using Map = As<H, Role::map>;
template <class H>
using SideEffect = As<H, Role::side_effect>;

/// A flow of such a chain, with a catch behind it.
template <class... Stages>
class Chained {
  using Last = std::tuple_element_t<sizeof...(Stages) - 1, std::tuple<Stages...>>;
  using Left =
      std::conditional_t<Last::kRole == Role::map, typename Last::Response, typename Last::Request>;

 public:
  explicit Chained(bool composed, Then then = Then::end) {
    {
      const std::lock_guard hold(g_mutex);
      g_notes.clear();
    }
    (one_.template stage<Stages::kRole, typename Stages::Handler>(name(), Kind::simple, front_,
                                                                  nullptr),
     ...);
    if (then != Then::end) {
      one_.template stage<Role::side_effect, Behind<Left>>(name(), Kind::simple, front_,
                                                           then == Then::joined ? &back_ : nullptr);
    }
    one_.template stage<Role::catch_failure, Rescue>("rescue", Kind::simple, front_, nullptr);
    if (composed) one_.flow.stages().front().composed = Composition<Stages...>::composed();
    // By what is set here alone, however slow the machine is.
    one_.binary.registry().set_sampling(0);
    one_.start();
    for (Stage& stage : one_.flow.stages()) {
      stage.at_once = defaults::kMostInChunk;
      if (stage.plain) stage.only_implementation->pace.note(0);
    }
    // The first one makes the handlers.
    push(1, 1);
  }
  Chained(const Chained&) = delete;
  Chained& operator=(const Chained&) = delete;
  ~Chained() { one_.binary.stop(); }

  /// As one job of a quick handler.
  void push(int from, int to) {
    Push& push = pushes_.emplace_back();
    push.one = &one_;
    push.from = from;
    push.to = to;
    push.run = [](exec::Job& job) noexcept {
      const auto& mine = static_cast<Push&>(job);
      call::Activation activation;
      activation.implementation = mine.one->flow.stages().front().only_implementation;
      const call::Activating activating(&activation);
      for (int number = mine.from; number <= mine.to; ++number) mine.one->flow.push(Value{number});
    };
    back_.worker(0).post(push);
    pushed_ += to - from + 1;
    EXPECT_TRUE(eventually([this] {
      return one_.emitted() == static_cast<std::uint64_t>(pushed_) && one_.all_ended();
    }));
  }
  Stage& stage(std::size_t at) { return one_.flow.stages()[at]; }
  void set_join(std::size_t at, bool joined) {
    one_.flow.set_join(stage(at), joined ? &back_ : nullptr);
  }
  /// Runs, requests and answers of each stage, and how events ended.
  [[nodiscard]] std::vector<std::uint64_t> figures() {
    std::vector<std::uint64_t> all{one_.completed(), one_.failed(), one_.dropped()};
    for (const Stage& stage : one_.flow.stages()) {
      const call::Implementation& implementation = *stage.service->implementations.front();
      all.insert(all.end(),
                 {one_.flow.runs(stage), implementation.sent_events(), implementation.done_count(),
                  one_.binary.registry().count(stage.errors)});
    }
    return all;
  }

 private:
  struct Push : exec::Job {
    OneFlow* one = nullptr;
    int from = 0;
    int to = 0;
  };

  std::string name() { return "s" + std::to_string(one_.flow.stages().size()); }

  OneFlow one_;
  exec::Pool& front_ = one_.binary.pool(pool_settings("front", 1));
  exec::Pool& back_ = one_.binary.pool(pool_settings("back", 1));
  int pushed_ = 0;
  std::deque<Push> pushes_;  // a worker may still look at one that is done
};

struct Outcome {
  std::vector<Note> notes;
  std::vector<std::uint64_t> figures;
};
template <class... Stages>
Outcome outcome_of(bool composed, Then then) {
  Chained<Stages...> chained(composed, then);
  chained.push(1, kValues);
  return {notes(), chained.figures()};
}

/// A chain with one observer, so that the order of what is seen is that of the values.
template <class Chain>
struct Compositions : ::testing::Test {};
using Chains = ::testing::Types<
    std::tuple<Map<Widen>, Map<Narrow>, SideEffect<See<'a'>>>,
    std::tuple<SideEffect<Keep>, SideEffect<See<'a'>>>,
    std::tuple<SideEffect<Keep>, Map<Widen>, Map<Narrow>, SideEffect<See<'a'>>, Map<Twice>>,
    std::tuple<Map<Twice>, SideEffect<Keep>, Map<Widen>, Map<Narrow>>,
    std::tuple<SideEffect<See<'a'>>, Map<Widen>>,
    std::tuple<Map<Twice>, SideEffect<Change>, SideEffect<See<'a'>>, Map<Twice>>,
    std::tuple<Map<Twice>, Map<Twice>, Map<Widen>, Map<Narrow>, SideEffect<Keep>, Map<Twice>,
               SideEffect<Keep>, SideEffect<See<'a'>>>>;
TYPED_TEST_SUITE(Compositions, Chains);

template <class Chain>
void expect_the_same(Then then) {
  const auto [one_by_one,
              composed] = [then]<class... Stages>(std::type_identity<std::tuple<Stages...>>) {
    return std::pair{outcome_of<Stages...>(false, then), outcome_of<Stages...>(true, then)};
  }(std::type_identity<Chain>());
  EXPECT_EQ(composed.figures, one_by_one.figures);
  // Failures are caught when their row is through: among themselves they are in order.
  const auto in_order = [](std::vector<Note> all) {
    std::stable_sort(all.begin(), all.end(), [](const Note& one, const Note& other) {
      return (one.stage == "a") > (other.stage == "a") ||
             ((one.stage == "a") == (other.stage == "a") && one.stage != "a" &&
              std::tie(one.number, one.stage) < std::tie(other.number, other.stage));
    });
    return all;
  };
  EXPECT_GT(composed.notes.size(), std::size_t{kValues / 10});
  EXPECT_EQ(in_order(composed.notes), in_order(one_by_one.notes));
}

TYPED_TEST(Compositions, GiveWhatStagesOneByOneGive) { expect_the_same<TypeParam>(Then::end); }
TYPED_TEST(Compositions, GiveItToAStageThatIsFused) { expect_the_same<TypeParam>(Then::fused); }
TYPED_TEST(Compositions, GiveItToAStageInAnotherPool) { expect_the_same<TypeParam>(Then::joined); }

std::vector<Note> seen_of_two(bool composed, bool joined) {
  Chained<SideEffect<See<'a'>>, SideEffect<See<'b'>>> chained(composed);
  chained.set_join(1, joined);
  chained.push(1, 1);
  {
    const std::lock_guard hold(g_mutex);
    g_notes.clear();
  }
  chained.push(1, 3);
  return notes();
}

const std::vector<Note> kValueByValue{{"a", 1}, {"b", 1}, {"a", 2}, {"b", 2}, {"a", 3}, {"b", 3}};
const std::vector<Note> kStageByStage{{"a", 1}, {"a", 2}, {"a", 3}, {"b", 1}, {"b", 2}, {"b", 3}};

TEST(Composition, TakesEachValueThroughAllStages) {
  EXPECT_EQ(seen_of_two(true, false), kValueByValue);
  EXPECT_EQ(seen_of_two(false, false), kStageByStage);
}

TEST(Composition, IsNotRunWhereAJoinDividesIt) {
  EXPECT_EQ(seen_of_two(true, true), kStageByStage);
}

TEST(Composition, ComesBackWithTheJoinGone) {
  Chained<SideEffect<See<'a'>>, SideEffect<See<'b'>>> chained(true);
  for (const bool joined : {true, false, true, false}) {
    chained.set_join(1, joined);
    chained.push(1, 1);
    {
      const std::lock_guard hold(g_mutex);
      g_notes.clear();
    }
    chained.push(1, 3);
    EXPECT_EQ(notes(), joined ? kStageByStage : kValueByValue);
  }
}

TEST(Composition, SaysOfEachStageThatItRuns) {
  Chained<Map<Twice>, SideEffect<Who>, SideEffect<See<'a'>>> chained(true);
  chained.push(2, 3);
  EXPECT_EQ(notes(),
            (std::vector<Note>{{"s1", 2}, {"a", 2}, {"s1", 4}, {"a", 4}, {"s1", 6}, {"a", 6}}));
}

TEST(Composition, HasNoCoroutine) {
  constexpr Stage::Composed kNone = Composition<Map<Wait>, SideEffect<See<'a'>>>::composed();
  EXPECT_EQ(kNone.run, nullptr);
}

}  // namespace
}  // namespace penstock::flow::compose_test
