// A handler's coroutine awaits what other libraries complete, on their threads.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>

#include "support/other_library.hpp"
#include "support/small_binary.hpp"

namespace penstock::foreign_test {
namespace {

using namespace std::chrono_literals;
using testing::eventually;
using testing::OtherLibrary;
using testing::pool_settings;
using testing::SmallBinary;

struct Number {
  int value = 0;
};

// What a handler sees of where it runs.
struct Place {
  exec::Worker* worker = exec::Worker::current();
  const Context* context = &penstock::context();
  const call::Implementation* watched = call::t_turn.running.load(std::memory_order_relaxed);
  friend bool operator==(const Place&, const Place&) = default;
};

OtherLibrary* g_library = nullptr;
std::atomic<int> g_begun{0};
std::atomic<int> g_gone{0};
std::atomic<bool> g_saw_cancelled{false};

struct Counted {
  Counted() { g_begun.fetch_add(1); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { g_gone.fetch_add(1); }
};

struct Fixed : Handler {
  using request_type = Number;
  using response_type = Number;
};

// 1 where all is as it was.
struct Stays : Fixed {
  static Task<Number> handle(const Number& request) {
    const Place before;
    const int first = co_await g_library->arrives(request.value);
    bool same = first == request.value && Place() == before;
    same = same && co_await child(before) == 7 && Place() == before;
    co_return Number{same && context().baggage_value("user") == "ada" ? 1 : 0};
  }
  static Task<int> child(Place before) {
    const int value = co_await g_library->arrives(7);
    co_return Place() == before ? value : 0;
  }
};

struct Waits : Fixed {
  static Task<Number> handle(const Number& request) {
    const Counted counted;
    const int value = co_await g_library->arrives(request.value);
    g_saw_cancelled = cancelled();
    co_return Number{value};
  }
};

struct ForeignTest : ::testing::Test {
  OtherLibrary library;
  SmallBinary binary;
  void SetUp() override {
    g_library = &library;
    g_begun = 0;
    g_gone = 0;
    g_saw_cancelled = false;
  }
  void TearDown() override {
    library.go_on();
    library.wait_until_idle();
    binary.stop();
  }
  template <class H>
  Stub<Number, Number> start(std::size_t threads = 1) {
    pool = &binary.pool(pool_settings("p", threads));
    service = &binary.service<H>("H", Kind::async_remote, *pool);
    Stub<Number, Number> ask(&binary.site(*service));
    binary.start();
    return ask;
  }
  exec::Pool* pool = nullptr;
  call::Service* service = nullptr;
};

TEST_F(ForeignTest, GoesOnWhereItWasWithItsContext) {
  auto ask = start<Stays>(3);
  call::Activation activation;
  activation.context.baggage = std::make_shared<Baggage>(Baggage{{"user", "ada"}});
  const call::Activating as_caller(&activation);
  std::vector<Future<Number>> answers;
  for (int call = 0; call < 50; ++call) answers.push_back(ask({call}));
  for (auto& answer : answers) EXPECT_EQ(answer.get().value, 1);
}

TEST_F(ForeignTest, IsNotEndedWhenItsCallerGoesButCanSeeIt) {
  library.hold();
  auto ask = start<Waits>();
  {
    auto dropped = ask({1});
    library.wait_for(1);
  }
  // The note about it has come and gone when another request is answered.
  auto other = ask({2});
  library.wait_for(2);
  EXPECT_EQ(g_gone, 0);
  library.go_on();
  EXPECT_EQ(other.get().value, 2);
  EXPECT_TRUE(eventually([&] { return binary.done(*service) == 2; }));
  EXPECT_EQ(g_gone, 2);
}

TEST_F(ForeignTest, SeesThatNobodyWaitsAnyMore) {
  library.hold();
  auto ask = start<Waits>();
  {
    auto dropped = ask({1});
    library.wait_for(1);
  }
  library.go_on();
  EXPECT_TRUE(eventually([&] { return binary.done(*service) == 1; }));
  EXPECT_TRUE(g_saw_cancelled);
}

TEST_F(ForeignTest, HoldsItsWorkerUntilItHasGoneOn) {
  library.hold();
  auto ask = start<Waits>(2);
  std::vector<Future<Number>> answers;
  for (int call = 0; call < 4; ++call) answers.push_back(ask({call}));
  library.wait_for(4);
  EXPECT_FALSE(pool->stop(now_ns()));
  library.go_on();
  EXPECT_TRUE(pool->stop(testing::far_from_now()));
  for (int call = 0; call < 4; ++call) {
    EXPECT_EQ(answers[static_cast<std::size_t>(call)].get().value, call);
  }
}

// Destroys a child of its own that waits.
struct Destroys : Fixed {
  static Number handle(const Number& request) {
    Task<Number> pending = wait(request);
    pending.start([](void*) noexcept {}, nullptr);
    return request;
  }
  static Task<Number> wait(const Number& request) {
    const Counted counted;
    co_return Number{co_await g_library->arrives(request.value)};
  }
};

TEST_F(ForeignTest, NothingHappensWhereTheCoroutineIsGone) {
  library.hold();
  auto ask = start<Destroys>();
  EXPECT_EQ(ask({1}).get().value, 1);
  EXPECT_EQ(g_gone, 1);
  library.go_on();
  library.wait_until_idle();
  // And while it goes, whichever comes first.
  for (int call = 0; call < 100; ++call) EXPECT_EQ(ask({call}).get().value, call);
  library.wait_until_idle();
  EXPECT_EQ(g_gone, 101);
}

// The other side's ways to be awaited.
struct Value {
  int value;
  [[nodiscard]] static bool await_ready() noexcept { return false; }
  [[nodiscard]] int await_resume() const noexcept { return value; }
};
struct AtOnce : Value {
  static void await_suspend(std::coroutine_handle<> waiting) { waiting.resume(); }
};
struct NotAtAll : Value {
  static bool await_suspend(std::coroutine_handle<> /*waiting*/) { return false; }
};
struct Elsewhere : Value {
  static bool await_suspend(std::coroutine_handle<> waiting) {
    g_library->call_back([waiting] { waiting.resume(); });
    return true;
  }
};
struct Transfers : Value {
  static std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) { return waiting; }
};
struct IsReady : Value {
  [[nodiscard]] static bool await_ready() noexcept { return true; }
  static void await_suspend(std::coroutine_handle<> /*waiting*/) {}
};
struct ByMember {
  int value;
  Elsewhere operator co_await() const { return {{value}}; }
};
struct ByFunction {
  int value;
};
Elsewhere operator co_await(ByFunction by) { return {{by.value}}; }
struct Refuses : Value {
  static void await_suspend(std::coroutine_handle<> /*waiting*/) {
    throw Error(ErrorCode::out_of_range, "not now");
  }
};
struct Unmoved {
  explicit Unmoved(int value_) : value(value_) {}
  Unmoved(const Unmoved&) = delete;
  Unmoved& operator=(const Unmoved&) = delete;
  ~Unmoved() = default;
  [[nodiscard]] static bool await_ready() noexcept { return false; }
  static void await_suspend(std::coroutine_handle<> waiting) {
    g_library->call_back([waiting] { waiting.resume(); });
  }
  int& await_resume() noexcept { return value; }
  int value;
};
struct Ends : Value {
  static void await_suspend(std::coroutine_handle<> waiting) { waiting.destroy(); }
};

// A coroutine type of another library: it begins when it is awaited, and goes on in whoever awaits
// it, on the thread where it ends.
class Lazy {
 public:
  struct promise_type {
    std::coroutine_handle<> next;
    int value = 0;
    Lazy get_return_object() {
      return Lazy(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    struct Final : std::suspend_always {
      static std::coroutine_handle<> await_suspend(
          std::coroutine_handle<promise_type> done) noexcept {
        return done.promise().next;
      }
    };
    static Final final_suspend() noexcept { return {}; }
    void return_value(int result) { value = result; }
    static void unhandled_exception() { std::terminate(); }
  };
  explicit Lazy(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Lazy(const Lazy&) = delete;
  Lazy& operator=(const Lazy&) = delete;
  ~Lazy() { handle_.destroy(); }
  [[nodiscard]] static bool await_ready() noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) {
    handle_.promise().next = waiting;
    return handle_;
  }
  [[nodiscard]] int await_resume() const { return handle_.promise().value; }

 private:
  std::coroutine_handle<promise_type> handle_;
};
Lazy lazily(int value) { co_return co_await g_library->arrives(value); }

struct Every : Fixed {
  static Task<Number> handle(const Number& /*request*/) {
    const Place before;
    int sum = co_await AtOnce{{1}};
    sum += co_await NotAtAll{{10}};
    sum += co_await Elsewhere{{100}};
    sum += co_await Transfers{{1000}};
    sum += co_await IsReady{{10'000}};
    sum += co_await ByMember{100'000};
    sum += co_await ByFunction{1'000'000};
    sum += co_await lazily(10'000'000);
    Unmoved unmoved(100'000'000);
    co_await unmoved += 100'000'000;
    sum += unmoved.value;
    try {
      co_await Refuses{};
    } catch (const Error& error) {
      if (error.code() == ErrorCode::out_of_range) sum += 2;
    }
    try {
      co_await Ends{};
    } catch (const Error& error) {
      if (error.code() == ErrorCode::cancelled) sum += 20;
    }
    co_return Number{Place() == before ? sum : 0};
  }
};

TEST_F(ForeignTest, TakesEveryKindOfAwaitable) {
  auto ask = start<Every>(2);
  EXPECT_EQ(ask({0}).get().value, 211'111'133);
}

// Whose other side gives it up, from its thread.
struct GivenUp : Fixed {
  struct Forgets : Value {
    static void await_suspend(std::coroutine_handle<> waiting) {
      g_library->call_back([waiting] { waiting.destroy(); });
    }
  };
  static Task<Number> handle(const Number& request) {
    const Counted counted;
    co_await Forgets{};
    co_return request;
  }
};

TEST_F(ForeignTest, EndsWithAnErrorWhereTheOtherSideDestroysWhatWaits) {
  auto ask = start<GivenUp>();
  try {
    static_cast<void>(ask({1}).get());
    ADD_FAILURE() << "answered";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what();
  }
  EXPECT_EQ(g_gone, 1);
}

}  // namespace
}  // namespace penstock::foreign_test
