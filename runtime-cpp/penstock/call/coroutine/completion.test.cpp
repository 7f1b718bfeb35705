#include "penstock/call/coroutine/completion.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/other_library.hpp"
#include "support/small_binary.hpp"

namespace penstock::completion_test {
namespace {

using testing::eventually;
using testing::OtherLibrary;
using testing::pool_settings;
using testing::SmallBinary;

struct Number {
  int value = 0;
};

OtherLibrary* g_library = nullptr;
std::atomic<int> g_begun{0};
std::atomic<int> g_gone{0};
std::atomic<int> g_cancelled{0};

struct Counted {
  Counted() { g_begun.fetch_add(1); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { g_gone.fetch_add(1); }
};

// An API of callbacks: doubles a number on its thread, fails for negative ones, forgets zero.
void start_doubling(int value, std::function<void(int)> then, std::function<void()> failed) {
  g_library->call_back([value, then = std::move(then), failed = std::move(failed)] {
    if (value > 0) then(2 * value);
    if (value < 0) failed();
  });
}

struct Doubles : Handler {
  using request_type = Number;
  using response_type = Number;
  static Task<Number> handle(const Number& request) {
    const Counted counted;
    const exec::Worker* const worker = exec::Worker::current();
    const Context* const context = &penstock::context();
    Completion<int> done;
    start_doubling(
        request.value, [callback = done.callback()](int value) { callback(value); },
        [callback = done.callback()] { callback.fail(Error(ErrorCode::not_found, "negative")); });
    try {
      const int value = co_await done;
      const bool stays = worker == exec::Worker::current() && context == &penstock::context();
      co_return Number{stays ? value : -1};
    } catch (const Error& error) {
      if (error.code() == ErrorCode::cancelled) g_cancelled.fetch_add(1);
      throw;
    }
  }
};

// What awaiting it throws; `ok` where it throws nothing.
ErrorCode code_of(auto get) {
  try {
    static_cast<void>(get());
    return ErrorCode::ok;
  } catch (...) {
    return Error::current().code();
  }
}

struct CompletionTest : ::testing::Test {
  OtherLibrary library;
  SmallBinary binary;
  call::Service* service = nullptr;
  exec::Pool* pool = nullptr;
  void SetUp() override {
    g_library = &library;
    g_begun = 0;
    g_gone = 0;
    g_cancelled = 0;
  }
  void TearDown() override {
    library.go_on();
    binary.stop();
  }
  template <class H>
  Stub<Number, Number> start(Kind kind = Kind::async_remote) {
    pool = &binary.pool(pool_settings("p", 2));
    service = &binary.service<H>("H", kind, *pool);
    Stub<Number, Number> ask(&binary.site(*service));
    binary.start();
    return ask;
  }
};

TEST_F(CompletionTest, BringsWhatACallbackBringsBackToTheHandler) {
  auto ask = start<Doubles>();
  std::vector<Future<Number>> answers;
  for (int call = 1; call <= 50; ++call) answers.push_back(ask({call}));
  for (int call = 1; call <= 50; ++call) {
    EXPECT_EQ(answers[static_cast<std::size_t>(call) - 1].get().value, 2 * call);
  }
}

TEST_F(CompletionTest, ThrowsWhatTheCallbackFailsWith) {
  auto ask = start<Doubles>();
  EXPECT_EQ(code_of([&] { return ask({-1}).get(); }), ErrorCode::not_found);
}

TEST_F(CompletionTest, EndsTheWaitWhenNobodyIsLeftWhoCouldCallBack) {
  auto ask = start<Doubles>();
  EXPECT_EQ(code_of([&] { return ask({0}).get(); }), ErrorCode::aborted);
}

TEST_F(CompletionTest, EndsTheWaitWhenNobodyWantsTheResultAnyMore) {
  library.hold();
  auto ask = start<Doubles>();
  {
    auto dropped = ask({1});
    library.wait_for(1);
  }
  EXPECT_TRUE(eventually([&] { return binary.done(*service) == 1; }));
  EXPECT_EQ(g_cancelled, 1);
  EXPECT_EQ(g_gone, 1);
  // Its callback comes later, and finds nobody.
  library.go_on();
  library.wait_until_idle();
}

TEST_F(CompletionTest, HoldsItsWorkerUntilItHasGoneOn) {
  library.hold();
  auto ask = start<Doubles>();
  std::vector<Future<Number>> answers;
  for (int call = 1; call <= 4; ++call) answers.push_back(ask({call}));
  library.wait_for(4);
  pool->resize(1, 0);
  library.go_on();
  for (int call = 1; call <= 4; ++call) {
    EXPECT_EQ(answers[static_cast<std::size_t>(call) - 1].get().value, 2 * call);
  }
}

struct Blocks : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) {
    Completion<std::unique_ptr<int>> done;
    g_library->call_back([value = request.value, callback = done.callback()] {
      callback(std::make_unique<int>(value));
    });
    return {*done.get()};
  }
};

TEST_F(CompletionTest, BlocksWhereAFutureMay) {
  auto ask = start<Blocks>(Kind::sync_remote);
  EXPECT_EQ(ask({3}).get().value, 3);
}

TEST_F(CompletionTest, DoesNotBlockAWorkerThatMustNot) {
  // Else it may be there already, and there is nothing to wait for.
  library.hold();
  auto ask = start<Blocks>(Kind::simple);
  EXPECT_EQ(code_of([&] { return ask({3}).get(); }), ErrorCode::failed_precondition);
}

// A child whose parent destroys it while it waits.
struct Destroys : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) {
    Task<int> pending = wait(request.value);
    pending.start([](void*) noexcept {}, nullptr);
    return request;
  }
  static Task<int> wait(int value) {
    const Counted counted;
    Completion<int> done;
    g_library->call_back([value, callback = done.callback()] { callback(value); });
    co_return co_await done;
  }
};

TEST_F(CompletionTest, NothingHappensWhereTheCoroutineIsGone) {
  library.hold();
  auto ask = start<Destroys>();
  EXPECT_EQ(ask({1}).get().value, 1);
  EXPECT_EQ(g_gone, 1);
  library.go_on();
  library.wait_until_idle();
  for (int call = 0; call < 100; ++call) EXPECT_EQ(ask({call}).get().value, call);
  library.wait_until_idle();
  EXPECT_EQ(g_gone, 101);
}

// --- what docs/handlers.md shows ---

struct Article {
  int number = 0;
};
struct Price {
  int cents = 0;
};
struct Database {
  static void find_price(int number, std::function<void(int)> found,
                         std::function<void(const std::string&)> failed) {
    g_library->call_back([number, found = std::move(found), failed = std::move(failed)] {
      if (number == 0) {
        failed("no such article");
      } else {
        found(100 * number);
      }
    });
  }
};

struct LooksUp : Handler {
  using request_type = Article;
  using response_type = Price;
  Task<Price> handle(const Article& article);
  Database database;
};

Task<Price> LooksUp::handle(const Article& article) {
  Completion<int> done;
  database.find_price(
      article.number, [callback = done.callback()](int cents) { callback(cents); },
      [callback = done.callback()](const std::string& why) {
        callback.fail(Error(ErrorCode::unavailable, why));
      });
  co_return Price{co_await done};
}

TEST_F(CompletionTest, IsUsedAsTheHandbookShows) {
  auto& looks_up =
      binary.service<LooksUp>("L", Kind::async_remote, binary.pool(pool_settings("p", 1)));
  const Stub<Article, Price> ask(&binary.site(looks_up));
  binary.start();
  EXPECT_EQ(ask({3}).get().cents, 300);
  EXPECT_EQ(code_of([&] { return ask({0}).get(); }), ErrorCode::unavailable);
}

// --- on a thread of no pool, where waiting is blocking ---

TEST(Completion, IsThereWhereItCameBeforeItIsAwaited) {
  Completion<std::string> done;
  done.callback()("early");
  EXPECT_EQ(done.get(), "early");
}

TEST(Completion, WakesAThread) {
  Completion<void> done;
  std::thread other([callback = done.callback()] { callback(); });
  done.get();
  other.join();
}

TEST(Completion, CountsTheFirstCallOnly) {
  Completion<int> done;
  const auto callback = done.callback();
  const auto copy = callback;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_TRUE(copy(1));
  EXPECT_FALSE(callback(2));
  EXPECT_FALSE(callback.fail(Error(ErrorCode::internal, "late")));
  EXPECT_EQ(done.get(), 1);
}

TEST(Completion, FailsWithAnyException) {
  Completion<int> done;
  done.callback().fail(std::make_exception_ptr(std::out_of_range("no")));
  EXPECT_THROW(done.get(), std::out_of_range);
  Completion<int> silent;
  silent.callback().fail(nullptr);
  EXPECT_EQ(code_of([&] { return silent.get(); }), ErrorCode::unknown);
}

TEST(Completion, FailsWhereItsValueCannotBeTaken) {
  struct Throws {
    Throws() = default;
    Throws(const Throws& /*other*/) { throw std::length_error("too much"); }
    Throws& operator=(const Throws&) = delete;
    ~Throws() = default;
  };
  Completion<Throws> done;
  const Throws value;
  done.callback()(value);
  EXPECT_THROW(done.get(), std::length_error);
}

TEST(Completion, FailsAtOnceWhereNobodyHasItsCallback) {
  Completion<int> none;
  EXPECT_EQ(code_of([&] { return none.get(); }), ErrorCode::failed_precondition);
  Completion<int> dropped;
  { const auto callback = dropped.callback(); }
  EXPECT_EQ(code_of([&] { return dropped.get(); }), ErrorCode::aborted);
}

TEST(Completion, MayBeGoneBeforeItsCallback) {
  auto done = std::make_unique<Completion<std::string>>();
  const auto callback = done->callback();
  done.reset();
  EXPECT_TRUE(callback("a text that is too long to be kept in place, so that a leak is seen"));
}

}  // namespace
}  // namespace penstock::completion_test
