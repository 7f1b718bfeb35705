#include "penstock/sqlite.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <barrier>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

#include "penstock/call/activation/activation.hpp"

namespace penstock {
namespace {

using std::chrono::milliseconds;

constexpr auto kTable =
    "CREATE TABLE IF NOT EXISTS users (id INTEGER PRIMARY KEY, user_name TEXT NOT NULL, "
    "score REAL, photo BLOB);";

enum class Tier : std::int32_t { FREE = 0, PAID = 1 };

class SqliteTest : public testing::Test {
 protected:
  SqliteTest() {
    std::string name = (std::filesystem::temp_directory_path() / "penstock-sqlite-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~SqliteTest() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] sqlite::Settings settings(std::string setup = kTable) const {
    // As long as a busy machine keeps another writer in the middle of its work.
    return {.path = (folder_ / "test.db").string(),
            .setup = std::move(setup),
            .busy_timeout = std::chrono::hours(1)};
  }
  [[nodiscard]] sql::Statement statement(std::string text,
                                         std::vector<std::string> fields = {}) const {
    return sqlite::statement(settings(), {std::move(text), std::move(fields)});
  }
  void insert(std::int64_t id, std::string_view name) const {
    statement("INSERT INTO users (id, user_name) VALUES (?, ?)").execute({id, name});
  }
  template <class Run>
  static Error error_of(Run run) {
    try {
      run();
    } catch (const Error& error) {
      return error;
    }
    return {ErrorCode::ok, "no error"};
  }

  std::filesystem::path folder_;
};

/// A request with a deadline, as far as `context()` shows.
class Deadline {
 public:
  explicit Deadline(milliseconds in) : activating_(&activation_) {
    activation_.context.deadline_ns = after(now_ns(), std::chrono::nanoseconds(in).count());
  }

 private:
  call::Activation activation_;
  call::Activating activating_;
};

TEST_F(SqliteTest, WhatIsBoundComesBackAsItWas) {
  const std::string bytes("\0\xff\x01", 3);
  auto insert = statement("INSERT INTO users (id, user_name, score, photo) VALUES (?, ?, ?, ?)");
  EXPECT_EQ(insert.execute({std::int64_t{7}, std::string("O'Brien; DROP TABLE users; --"), 2.5,
                            sql::bytes(bytes)}),
            1);
  EXPECT_EQ(insert.execute({std::int64_t{8}, std::string(""), std::optional<double>(),
                            sql::bytes(std::string())}),
            1);

  auto query = statement("SELECT id, user_name, score, photo FROM users ORDER BY id",
                         {"photo", "userName", "id", "score", "notInTheDatabase"});
  auto result = query.query({});
  std::int32_t id = 0;
  std::string name;
  std::string photo;
  std::optional<double> score;
  std::string untouched = "as it was";
  ASSERT_TRUE(result.next());
  result.read(0, photo);
  result.read(1, name);
  result.read(2, id);
  result.read(3, score);
  result.read(4, untouched);
  EXPECT_EQ(id, 7);
  EXPECT_EQ(name, "O'Brien; DROP TABLE users; --");
  EXPECT_EQ(photo, bytes);
  EXPECT_EQ(score, 2.5);
  EXPECT_EQ(untouched, "as it was");
  ASSERT_TRUE(result.next());
  result.read(1, name);
  result.read(3, score);
  EXPECT_EQ(name, "");
  EXPECT_EQ(score, std::nullopt);
  EXPECT_FALSE(result.next());
}

TEST_F(SqliteTest, RunsAgainAndAgainAndAfterAResultThatNobodyReadToTheEnd) {
  for (std::int64_t id = 0; id < 10; ++id) insert(id, "x");
  auto query = statement("SELECT id FROM users WHERE id >= ? ORDER BY id", {"id"});
  for (std::int64_t from = 0; from < 10; ++from) {
    auto result = query.query({from});
    std::int64_t id = -1;
    ASSERT_TRUE(result.next());
    result.read(0, id);
    EXPECT_EQ(id, from);
  }
}

TEST_F(SqliteTest, EnumsAndBooleansAreNumbers) {
  auto query = statement("SELECT ? AS tier, ? AS paid", {"tier", "paid"});
  auto result = query.query({Tier::PAID, true});
  Tier tier = Tier::FREE;
  bool paid = false;
  ASSERT_TRUE(result.next());
  result.fill(tier, paid);
  EXPECT_EQ(tier, Tier::PAID);
  EXPECT_TRUE(paid);
}

TEST_F(SqliteTest, AValueThatItsFieldCannotHoldIsAnErrorNotAnotherValue) {
  insert(5'000'000'000, "x");
  auto query = statement("SELECT id, user_name FROM users", {"id", "userName"});
  auto result = query.query({});
  ASSERT_TRUE(result.next());
  std::int32_t small = 0;
  std::int64_t number = 0;
  EXPECT_EQ(error_of([&] { result.read(0, small); }).code(), ErrorCode::out_of_range);
  const Error error = error_of([&] { result.read(1, number); });
  EXPECT_EQ(error.code(), ErrorCode::failed_precondition);
  EXPECT_EQ(error.message(), "column userName holds a text, its field takes an integer");
  EXPECT_EQ(error_of([this] { statement("SELECT ?").execute({std::uint64_t{1} << 63U}); }).code(),
            ErrorCode::out_of_range);
}

TEST_F(SqliteTest, ANumberThatIsTooLargeForAFloatIsNotInfinity) {
  auto query = statement("SELECT 1e39 AS large, 3.4028235e38 AS most, 9e999 AS endless",
                         {"large", "most", "endless"});
  auto result = query.query({});
  ASSERT_TRUE(result.next());
  float number = 0;
  EXPECT_EQ(error_of([&] { result.read(0, number); }).code(), ErrorCode::out_of_range);
  result.read(1, number);
  EXPECT_EQ(number, std::numeric_limits<float>::max());
  result.read(2, number);
  EXPECT_EQ(number, std::numeric_limits<float>::infinity());
}

TEST_F(SqliteTest, AStatementWhoseCommitFailsFailsAlsoWhereOneRowIsWanted) {
  statement(
      "CREATE TABLE orders (id INTEGER, user INTEGER REFERENCES users(id) "
      "DEFERRABLE INITIALLY DEFERRED)")
      .execute({});
  auto order = statement("INSERT INTO orders (id, user) VALUES (1, ?) RETURNING id", {"id"});
  const auto place = [&order](std::int64_t user) {
    return error_of([&] {
             auto result = order.query({user});
             ASSERT_TRUE(result.next());
             std::int64_t id = 0;
             result.fill(id);
             EXPECT_EQ(id, 1);
             result.finish();
             // result.finish();  // it is at its end: that runs nothing again
           })
        .code();
  };
  EXPECT_EQ(place(7), ErrorCode::failed_precondition);
  insert(7, "x");
  EXPECT_EQ(place(7), ErrorCode::ok);
  auto query = statement("SELECT count(*) AS n FROM orders", {"n"});
  auto result = query.query({});
  std::int64_t count = 0;
  ASSERT_TRUE(result.next());
  result.read(0, count);
  EXPECT_EQ(count, 1);
}

TEST_F(SqliteTest, SaysWhichColumnIsNoFieldOfTheResponse) {
  const Error error =
      error_of([this] { statement("SELECT id AS x FROM users", {"id"}).execute({}); });
  EXPECT_EQ(error.code(), ErrorCode::failed_precondition);
  EXPECT_EQ(error.message(),
            "column x is no field of the response: name it with AS, or leave it out");
}

TEST_F(SqliteTest, ErrorsHaveTheirCodes) {
  insert(1, "x");
  EXPECT_EQ(error_of([this] { insert(1, "y"); }).code(), ErrorCode::already_exists);
  EXPECT_EQ(error_of([this] {
              statement("INSERT INTO users (user_name) VALUES (?)").execute({sql::Value()});
            }).code(),
            ErrorCode::failed_precondition);
  EXPECT_EQ(error_of([this] { statement("SELEC 1").execute({}); }).code(),
            ErrorCode::failed_precondition);
  EXPECT_EQ(error_of([this] { statement("SELECT 1; SELECT 2").execute({}); }).message(),
            "SQLite: more than one statement");
  EXPECT_EQ(error_of([this] { statement("SELECT ?").execute({}); }).message(),
            "SQLite: the statement takes another number of parameters");
  const auto nowhere = sqlite::Settings{.path = (folder_ / "no/such/folder.db").string()};
  EXPECT_EQ(error_of([&] {
              sqlite::statement(nowhere, {"SELECT 1", {}}).execute({});
            }).code(),
            ErrorCode::unavailable);
  EXPECT_EQ(error_of([] {
              sqlite::statement({.path = ":memory:"}, {"SELECT 1", {}}).execute({});
            }).code(),
            ErrorCode::failed_precondition);
}

TEST_F(SqliteTest, GoesOnOnceADatabaseThatWasAwayIsThere) {
  const auto folder = folder_ / "later";
  auto query = sqlite::statement({.path = (folder / "x.db").string()}, {"SELECT 1", {}});
  EXPECT_EQ(error_of([&] { query.execute({}); }).code(), ErrorCode::unavailable);
  std::filesystem::create_directory(folder);
  EXPECT_EQ(error_of([&] { query.execute({}); }).code(), ErrorCode::ok);
}

TEST_F(SqliteTest, SetsUpOnceHoweverManyConnectionsThereAre) {
  const auto once = settings("CREATE TABLE one (x INTEGER); INSERT INTO one VALUES (1);");
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      sqlite::statement(once, {"INSERT INTO one VALUES (2)", {}}).execute({});
    });
  }
  for (std::thread& thread : threads) thread.join();
  auto query = sqlite::statement(once, {"SELECT sum(x) AS total FROM one", {"total"}});
  auto result = query.query({});
  std::int64_t total = 0;
  ASSERT_TRUE(result.next());
  result.read(0, total);
  EXPECT_EQ(total, 9);
}

TEST_F(SqliteTest, ANewFileMayBeOpenedByManyThreadsAtOnce) {
  for (int round = 0; round < 30; ++round) {
    const auto fresh = [&] {
      auto settings = this->settings({});
      settings.path += ".new" + std::to_string(round);
      return settings;
    }();
    std::atomic<int> failed{0};
    std::barrier together(8);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back([&] {
        together.arrive_and_wait();
        const Error error = error_of([&] {
          sqlite::statement(fresh, {"SELECT 1", {}}).execute({});
        });
        if (error.code() != ErrorCode::ok) ++failed;
      });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(failed, 0) << "in round " << round;
  }
}

TEST_F(SqliteTest, ASetupThatFailsLeavesNothingBehindAndIsTriedAgain) {
  const auto half = settings("CREATE TABLE half (x INTEGER); INSERT INTO nowhere VALUES (1);");
  for (int time = 0; time < 2; ++time) {
    const Error error = error_of([&] { sqlite::statement(half, {"SELECT 1", {}}).execute({}); });
    EXPECT_EQ(error.code(), ErrorCode::failed_precondition);
    EXPECT_EQ(error.message(), "SQLite: the setup failed: no such table: nowhere");
  }
}

TEST_F(SqliteTest, WritersOfManyThreadsLoseNothing) {
  std::vector<std::thread> threads;
  for (std::int64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([this, thread] {
      auto insert = statement("INSERT INTO users (id, user_name) VALUES (?, ?)");
      for (std::int64_t i = 0; i < 250; ++i) {
        insert.execute({thread * 1000 + i, std::string("name")});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  auto query = statement("SELECT count(*) AS n FROM users", {"n"});
  auto result = query.query({});
  std::int64_t count = 0;
  ASSERT_TRUE(result.next());
  result.read(0, count);
  EXPECT_EQ(count, 1000);
}

TEST_F(SqliteTest, WaitsForAnotherWriterAtMostUntilTheDeadline) {
  auto writer = statement("INSERT INTO users (id, user_name) VALUES (1, 'x') RETURNING id", {"id"});
  auto open = writer.query({});
  ASSERT_TRUE(open.next());  // it holds the write lock until its rows are at their end
  const Deadline deadline(milliseconds(30));
  auto other = statement("INSERT INTO users (id, user_name) VALUES (2, 'y')");
  EXPECT_EQ(error_of([&other] { other.execute({}); }).code(), ErrorCode::unavailable);
}

TEST_F(SqliteTest, AQueryWithoutEndEndsAtTheDeadline) {
  const Deadline deadline(milliseconds(30));
  auto query = statement(
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) AS x FROM n",
      {"x"});
  EXPECT_EQ(error_of([&] { query.execute({}); }).code(), ErrorCode::deadline_exceeded);
}

TEST_F(SqliteTest, ATableThatGetsAColumnIsReadByName) {
  insert(1, "x");
  auto query = statement("SELECT * FROM users", {"id", "userName", "score", "photo", "extra"});
  query.execute({});
  statement("ALTER TABLE users ADD COLUMN extra TEXT DEFAULT 'new'").execute({});
  auto result = query.query({});
  std::string extra;
  ASSERT_TRUE(result.next());
  result.read(4, extra);
  EXPECT_EQ(extra, "new");
}

}  // namespace
}  // namespace penstock
