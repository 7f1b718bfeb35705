#include "penstock/flow/source/http_source.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "support/edge_note.hpp"
#include "support/gate.hpp"
#include "support/json_word.hpp"
#include "support/one_flow.hpp"

namespace penstock::flow::http_source_test {
namespace {

using penstock::testing::eventually;
using penstock::testing::JsonWord;
using penstock::testing::pool_settings;

struct Echo : Handler {
  using request_type = JsonWord;
  using response_type = JsonWord;
  static JsonWord handle(const JsonWord& word) {
    if (word.text == "bad") throw Error(ErrorCode::not_found, "no \"bad\" word");
    return {word.text + "!", word.number + 1};
  }
};
struct Swallow : Handler {
  using request_type = JsonWord;
  using response_type = void;
  static void handle(const JsonWord& /*word*/) {}
};
struct Recover : Handler {
  using request_type = Failure;
  using response_type = JsonWord;
  static JsonWord handle(const Failure& failure) { return {failure.stage, 0}; }
};

class HttpSourceTest : public ::testing::Test {
 protected:
  void SetUp() override { one.flow.fit(sizeof(JsonWord)); }
  void start() {
    one.start();
    one.binary.registry().enter();
  }
  void TearDown() override {
    one.binary.stop();
    one.binary.registry().leave();
  }
  // Asks, and waits for the answer.
  HttpAnswer ask(HttpSource& source, std::string_view body, const Context& context = {}) {
    std::atomic<bool> there{false};
    HttpAnswer later;
    std::optional<HttpAnswer> now = source.submit(body, context, [&](HttpAnswer answer) {
      later = std::move(answer);
      there.store(true, std::memory_order_release);
    });
    if (now) return *now;
    EXPECT_TRUE(eventually([&] { return there.load(std::memory_order_acquire); }));
    return later;
  }
  [[nodiscard]] HttpSource source(bool accepted = false) {
    return HttpSource(one.flow, {&read_json<JsonWord>, "/words", accepted, 1000, 1000});
  }

  penstock::testing::OneFlow one;
};

TEST_F(HttpSourceTest, AnswersTheLastValueOrItsFailure) {
  auto& pool = one.binary.pool(pool_settings("a", 2));
  one.stage<Role::map, Echo>("first", Kind::simple, pool, &pool);
  one.stage<Role::map, Echo>("second", Kind::simple, pool, nullptr);
  one.stage<Role::side_effect, Swallow>("aside", Kind::simple, pool, nullptr);
  start();
  HttpSource words = source();
  EXPECT_EQ(words.kind(), "http");
  const HttpAnswer good = ask(words, R"({"text":"a","number":5})");
  EXPECT_EQ(good.status, 200);
  EXPECT_EQ(good.body, R"({"text":"a!!","number":7})");
  const HttpAnswer failed = ask(words, R"({"text":"bad"})");
  EXPECT_EQ(failed.status, 404);
  EXPECT_EQ(failed.body,
            R"({"code":"not_found","msg":"no \"bad\" word","meta":{"flow":"F","stage":"first"}})");
  EXPECT_EQ(one.emitted(), 2U);
}

TEST_F(HttpSourceTest, AnswersWhatACatchMadeOfAFailure) {
  auto& pool = one.binary.pool(pool_settings("a", 1));
  one.stage<Role::map, Echo>("first", Kind::simple, pool, &pool);
  one.stage<Role::catch_failure, Recover>("rescue", Kind::simple, pool, nullptr);
  start();
  HttpSource words = source();
  EXPECT_EQ(ask(words, R"({"text":"bad"})").body, R"({"text":"first"})");
}

TEST_F(HttpSourceTest, Answers204WhereNothingIsGivenBack) {
  auto& pool = one.binary.pool(pool_settings("a", 1));
  one.stage<Role::map, Swallow>("end", Kind::simple, pool, &pool);
  start();
  HttpSource words = source();
  const HttpAnswer answer = ask(words, "{}");
  EXPECT_EQ(answer.status, 204);
  EXPECT_EQ(answer.body, "");
}

TEST_F(HttpSourceTest, Answers202AtOnceWhereAcceptedIsEnough) {
  auto& pool = one.binary.pool(pool_settings("a", 1));
  one.stage<Role::map, Echo>("first", Kind::simple, pool, &pool);
  start();
  HttpSource words = source(true);
  EXPECT_EQ(ask(words, R"({"text":"bad"})").status, 202);
  EXPECT_EQ(ask(words, "[]").status, 400);
  ASSERT_TRUE(eventually([&] { return one.all_ended(); }));
  EXPECT_EQ(one.failed(), 2U);
}

TEST_F(HttpSourceTest, SaysWhereABodyIsNotTheMessage) {
  auto& pool = one.binary.pool(pool_settings("a", 1));
  one.stage<Role::map, Echo>("first", Kind::simple, pool, &pool);
  start();
  HttpSource words = source();
  const HttpAnswer answer = ask(words, "{\n \"number\": true}");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.body,
            "{\"code\":\"malformed\",\"msg\":\"/number: is true or false, not a whole number of 32 "
            "bits (line 2, column 12)\",\"meta\":{\"pointer\":\"/number\",\"line\":\"2\","
            "\"column\":\"12\"}}");
  EXPECT_EQ(one.failed(), 1U);
}

TEST_F(HttpSourceTest, Fault61RefusesABodyThatUnpacks) {
  auto& pool = one.binary.pool(pool_settings("a", 1));
  one.stage<Role::map, Echo>("first", Kind::simple, pool, &pool);
  start();
  HttpSource notes(one.flow, {&read_json<penstock::testing::Note>, "/notes", false, 1000, 1000});
  std::string body = R"({"more":[{})";
  while (body.size() < 1'000'000) body += ",{}";
  body += "]}";
  const HttpAnswer answer = ask(notes, body);
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(answer.body,
            R"({"code":"malformed","msg":"The event takes more than 16777216 bytes of memory.",)"
            R"("meta":{"max_memory_bytes":"16777216"}})");
  EXPECT_EQ(one.failed(), 1U);
}

std::atomic<bool> g_hold{false};
struct Slow : Handler {
  using request_type = JsonWord;
  using response_type = JsonWord;
  static JsonWord handle(const JsonWord& word) {
    while (g_hold.load()) std::this_thread::yield();
    return word;
  }
};

struct HoldsNotes : Handler {
  using request_type = penstock::testing::Note;
  using response_type = void;
  static void handle(const penstock::testing::Note& /*note*/) {
    while (g_hold.load()) std::this_thread::yield();
  }
};

// Whether anybody waits for their answers or not.
TEST_F(HttpSourceTest, Fault61RefusesEventsThatTogetherTakeTooMuchMemory) {
  one.flow.fit(sizeof(penstock::testing::Note));
  auto& pool = one.binary.pool(pool_settings("a", 1));
  one.stage<Role::map, HoldsNotes>("holds", Kind::simple, pool, &pool);
  start();
  g_hold = true;
  std::string body = R"({"more":[{})";
  while (body.size() < 300'000) body += ",{}";
  body += "]}";
  for (const bool accepted : {true, false}) {
    HttpSource notes(one.flow,
                     {&read_json<penstock::testing::Note>, "/notes", accepted, 1000, 1000});
    g_hold = true;
    std::atomic<int> ended{0};
    int taken = 0;
    std::optional<HttpAnswer> answer;
    const auto count = [&ended](const HttpAnswer& /*answer*/) { ++ended; };
    for (;; ++taken) {
      answer = notes.submit(body, {}, count);
      if (answer && answer->status == 503) break;
      ASSERT_LT(taken, 100);
    }
    EXPECT_GT(taken, 4);
    g_hold = false;
    ASSERT_TRUE(eventually([&] { return one.all_ended(); }));
    EXPECT_TRUE(accepted || eventually([&] { return ended == taken; }));
    EXPECT_NE(ask(notes, body).status, 503);
    ASSERT_TRUE(eventually([&] { return one.all_ended(); }));
  }
}

TEST_F(HttpSourceTest, Answers503WhereAQueueTurnsTheEventAway) {
  auto& pool = one.binary.pool(pool_settings("a", 1, 1, exec::Overflow::reject));
  one.stage<Role::map, Slow>("slow", Kind::simple, pool, &pool);
  start();
  HttpSource words = source();
  g_hold = true;
  std::atomic<int> answered{0};
  std::atomic<int> turned_away{0};
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(words.submit("{}", {},
                           [&](HttpAnswer answer) {
                             if (answer.status == 503) ++turned_away;
                             ++answered;
                           }),
              std::nullopt);
  }
  EXPECT_TRUE(words.has_room());  // it is turned away by the queue, not held back
  ASSERT_TRUE(eventually([&] { return turned_away >= 8; }));
  g_hold = false;
  ASSERT_TRUE(eventually([&] { return answered == 10; }));
  EXPECT_EQ(one.dropped(), static_cast<std::uint64_t>(turned_away));
}

TEST_F(HttpSourceTest, KnowsWhenABlockingQueueHasNoRoom) {
  auto& pool = one.binary.pool(pool_settings("a", 1, 2));
  one.stage<Role::map, Slow>("slow", Kind::simple, pool, &pool);
  start();
  HttpSource words = source(true);
  g_hold = true;
  while (words.has_room()) EXPECT_TRUE(words.submit("{}", {}, {}));
  words.count_refused();
  EXPECT_EQ(one.dropped(), 1U);
  g_hold = false;
  ASSERT_TRUE(eventually([&] { return words.has_room(); }));
}

// Adds a line of what it sees of the context.
struct Witness : Handler {
  using request_type = JsonWord;
  using response_type = JsonWord;
  static JsonWord handle(const JsonWord& word) {
    const Context& seen = context();
    return {word.text + seen.trace.traceparent() + ' ' + std::string(seen.baggage_value("user")) +
                ' ' + std::to_string(seen.deadline_ns) + '\n',
            word.number};
  }
};
struct LateWitness : Handler {
  using request_type = JsonWord;
  using response_type = JsonWord;
  static Task<JsonWord> handle(const JsonWord& word) {
    co_await sleep_for(std::chrono::milliseconds(1));
    co_return Witness::handle(word);
  }
};

// Through a queue, a plain call, a coroutine that waits, and a copy.
TEST_F(HttpSourceTest, CarriesTheRequestsContextThroughEveryHop) {
  auto& front = one.binary.pool(pool_settings("a", 1));
  auto& back = one.binary.pool(pool_settings("b", 2));
  one.stage<Role::map, Witness>("queued", Kind::simple, front, &front);
  one.stage<Role::map, Witness>("fused", Kind::simple, front, nullptr);
  one.stage<Role::map, LateWitness>("late", Kind::async_remote, back, &back);
  one.stage<Role::map, Witness>("copied", Kind::simple, back, &back);
  one.stage<Role::map, Swallow>("aside", Kind::simple, back, nullptr);
  one.flow.stages().back().after = {2};
  start();
  HttpSource words = source();
  const std::string parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const auto baggage = std::make_shared<const Baggage>(Baggage{{"user", "ann"}});
  for (const Nanos deadline : {Nanos{0}, penstock::testing::far_from_now()}) {
    const std::string line = parent + " ann " + std::to_string(deadline) + "\\n";
    const HttpAnswer answer =
        ask(words, "{}", {TraceIds::parse(parent).value(), baggage, deadline});
    EXPECT_EQ(answer.body, "{\"text\":\"" + line + line + line + line + "\"}");
  }
}

struct Picky : Handler {
  using request_type = JsonWord;
  using response_type = void;
  static void handle(const JsonWord& word) {
    if (word.text == "picked!") throw Error(ErrorCode::not_found, "picked");
  }
};

// A value, nothing and maybe a failure, on several threads in any order.
TEST_F(HttpSourceTest, AnswersOnceForAllPiecesOfAnEvent) {
  auto& pool = one.binary.pool(pool_settings("a", 3));
  one.stage<Role::map, Echo>("first", Kind::simple, pool, &pool);
  one.stage<Role::map, Echo>("left", Kind::simple, pool, &pool);
  one.stage<Role::map, Picky>("right", Kind::simple, pool, &pool);
  one.flow.stages().back().after = {0};
  start();
  HttpSource words = source();
  for (int i = 0; i < 200; ++i) {
    const HttpAnswer good = ask(words, R"({"text":"a"})");
    ASSERT_EQ(good.status, 200);
    ASSERT_EQ(good.body, R"({"text":"a!!","number":2})");
    ASSERT_EQ(ask(words, R"({"text":"picked"})").status, 404);
  }
}

}  // namespace
}  // namespace penstock::flow::http_source_test
