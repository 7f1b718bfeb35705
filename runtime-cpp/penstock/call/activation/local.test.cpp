// Objects that travel with a call.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/small_binary.hpp"

namespace penstock::call::local_test {
namespace {

using namespace std::chrono_literals;
using testing::pool_settings;
using testing::SmallBinary;

struct Number {
  int value = 0;
};

// Of one thread at a time: a call that waits for its answer.
std::vector<std::string> g_ended;

template <char name>
struct Named {
  Named() = default;
  Named(const Named&) = delete;
  Named& operator=(const Named&) = delete;
  ~Named() { g_ended.push_back(name + std::to_string(value)); }
  int value = 0;
};
using A = Named<'a'>;
using B = Named<'b'>;

struct LocalTest : ::testing::Test {
  SmallBinary binary;
  exec::Pool& pool = binary.pool(pool_settings("p", 1));

  void SetUp() override { g_ended.clear(); }
  void TearDown() override { binary.stop(); }
  template <class H>
  Stub<Number, Number> stub(Kind kind) {
    return Stub<Number, Number>(&binary.site(binary.service<H>("S", kind, pool)));
  }
  template <class Body>
  static ErrorCode code_of(Body body) {
    try {
      body();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::ok;
  }
};

struct Counts : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& asked) {
    if (context().find_local<A>() != nullptr) throw Error(ErrorCode::internal, "of another call");
    context().local<A>().value = asked.value;
    ++context().local<B>().value;
    ++context().local<A>().value;
    if (asked.value < 0) throw Error(ErrorCode::aborted, "below 0");
    return {context().find_local<A>()->value};
  }
};

TEST_F(LocalTest, IsMadeAtItsFirstUseAndEndsBeforeTheAnswerIsThereTheNewestFirst) {
  const auto ask = stub<Counts>(Kind::simple);
  binary.start();
  EXPECT_EQ(ask({5}).get().value, 6);
  EXPECT_EQ(g_ended, (std::vector<std::string>{"b1", "a6"}));
  EXPECT_EQ(ask({7}).get().value, 8);
  EXPECT_EQ(g_ended.size(), 4U);
  EXPECT_EQ(code_of([&] { ask({-3}).get(); }), ErrorCode::aborted);
  EXPECT_EQ(g_ended.size(), 6U);
}

struct Waits : Counts {
  static Task<Number> handle(const Number& asked) {
    context().local<A>().value = asked.value;
    co_await sleep_for(std::chrono::microseconds(100 * (asked.value % 3)));
    A& same = context().local<A>();
    if (same.value != asked.value) throw Error(ErrorCode::internal, "of another call");
    co_return Number{same.value};
  }
};

TEST_F(LocalTest, StaysWhileItsHandlerWaits) {
  const auto ask = stub<Waits>(Kind::async_remote);
  binary.start();
  std::vector<Future<Number>> futures;
  for (int value = 0; value < 30; ++value) futures.push_back(ask({value}));
  for (int value = 0; value < 30; ++value) {
    EXPECT_EQ(futures[static_cast<std::size_t>(value)].get().value, value);
  }
  binary.stop();
  EXPECT_EQ(g_ended.size(), 30U);
}

TEST_F(LocalTest, EndsWithACallThatNobodyWantsAnyMore) {
  static std::atomic<bool> has_one;
  has_one = false;
  struct WaitsLong : Counts {
    static Task<Number> handle(const Number& asked) {
      context().local<A>().value = asked.value;
      has_one = true;
      co_await sleep_for(24h);
      co_return asked;
    }
  };
  const auto ask = stub<WaitsLong>(Kind::async_remote);
  binary.start();
  {
    const Future<Number> dropped = ask({1});
    EXPECT_TRUE(testing::eventually([] { return has_one.load(); }));
  }
  binary.stop();
  EXPECT_EQ(g_ended, std::vector<std::string>{"a1"});
}

TEST_F(LocalTest, IsReplacedByWhatAHandlerSets) {
  struct Sets : Counts {
    static Number handle(const Number& asked) {
      context().set_local(std::make_unique<A>());
      context().local<B>();
      std::unique_ptr<A>& set = context().set_local(std::make_unique<A>());
      set->value = asked.value;
      return {context().local<std::unique_ptr<A>>()->value};
    }
  };
  const auto ask = stub<Sets>(Kind::simple);
  binary.start();
  EXPECT_EQ(ask({5}).get().value, 5);
  EXPECT_EQ(g_ended, (std::vector<std::string>{"a0", "a5", "b0"}));
}

// What makes one in its constructor, or needs one in its destructor.
struct Parent {
  Parent() { Handler::context().local<A>().value = 1; }
  Parent(const Parent&) = delete;
  Parent& operator=(const Parent&) = delete;
  ~Parent() {
    ++Handler::context().local<A>().value;
    Handler::context().local<B>().value = 7;
  }
};

TEST_F(LocalTest, MayUseOthersWhileItIsMadeAndWhileItEnds) {
  struct Uses : Counts {
    static Number handle(const Number& asked) {
      static_cast<void>(context().local<Parent>());
      return asked;
    }
  };
  const auto ask = stub<Uses>(Kind::simple);
  binary.start();
  EXPECT_EQ(ask({1}).get().value, 1);
  EXPECT_EQ(g_ended, (std::vector<std::string>{"b7", "a2"}));
}

TEST_F(LocalTest, BelongsToOneCallAndIsLentToInlineCallees) {
  struct Callee : Counts {
    static Number handle(const Number& asked) {
      A* const known = context().find_local<A>();
      if (known != nullptr) known->value += asked.value;
      context().local<B>().value += asked.value;
      return {known != nullptr ? known->value : -1};
    }
  };
  struct Asks : Handler {
    using request_type = Number;
    using response_type = Number;
    struct Calls {
      Stub<Number, Number> Callee;
    };
    using calls_type = Calls;
    Calls calls;
    Task<Number> handle(const Number& asked) {
      context().local<A>().value = 100;
      if ((co_await calls.Callee(asked)).value != -1) throw Error(ErrorCode::internal, "seen");
      // The first ones are looked at more closely than those that follow.
      for (int time = 0; time < 40; ++time) calls.Callee.inline_call(asked);
      if (context().local<B>().value != 40 * asked.value) {
        throw Error(ErrorCode::internal, "what the callee made is gone");
      }
      co_return Number{context().local<A>().value};
    }
  };
  auto& callee = binary.service<Callee>("Callee", Kind::simple, pool);
  auto& caller = binary.service<Asks>("Asks", Kind::async_remote, pool);
  binary.connect<Asks>(caller, callee, &Asks::Calls::Callee);
  const Stub<Number, Number> ask(&binary.site(caller));
  binary.start();
  EXPECT_EQ(ask({2}).get().value, 180);
  EXPECT_EQ(g_ended, (std::vector<std::string>{"b2", "b80", "a180"}));
}

TEST_F(LocalTest, IsNoneOnAThreadThatServesNothing) {
  EXPECT_EQ(context().find_local<A>(), nullptr);
  EXPECT_EQ(code_of([] { static_cast<void>(context().local<A>()); }),
            ErrorCode::failed_precondition);
  EXPECT_TRUE(g_ended.empty());
}

// --- what docs/handlers.md shows ---

struct Ad {
  int number = 0;
};
std::vector<std::string> g_log;
struct Connection {
  static void run(std::string_view statement) { g_log.emplace_back(statement); }
};
Connection g_connection;
Connection& connection_of_this_thread() { return g_connection; }

class Transaction {
 public:
  Transaction() { database.run("begin"); }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() { database.run(done ? "commit" : "rollback"); }

  Connection& database = connection_of_this_thread();
  bool done = false;
};

struct Books : Handler {
  using request_type = Ad;
  using response_type = void;
  static void handle(const Ad& ad);
};

void Books::handle(const Ad& ad) {
  auto& transaction = context().local<Transaction>();  // begins where there is none yet
  transaction.database.run("insert " + std::to_string(ad.number));
  transaction.done = true;
}

TEST_F(LocalTest, IsUsedAsTheHandbookShows) {
  g_log.clear();
  const Stub<Ad, void> book(&binary.site(binary.service<Books>("Books", Kind::simple, pool)));
  binary.start();
  book({7}).get();
  EXPECT_EQ(g_log, (std::vector<std::string>{"begin", "insert 7", "commit"}));
}

}  // namespace
}  // namespace penstock::call::local_test
