#include "penstock/mariadb.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "penstock/call/activation/activation.hpp"
#include "support/mariadb_server.hpp"

namespace penstock {
namespace {

using std::chrono::milliseconds;

constexpr auto kDatabase =
    "CREATE DATABASE IF NOT EXISTS shop; USE shop; CREATE TABLE IF NOT EXISTS users "
    "(id BIGINT UNSIGNED PRIMARY KEY, user_name LONGTEXT NOT NULL, score DOUBLE, photo BLOB, "
    "price DECIMAL(10,2), tier TINYINT);";

enum class Tier : std::int32_t { FREE = 0, PAID = 1 };

class MariadbTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    server_ = new testing::MariadbServer;
    mariadb::Settings settings = settings_of("");
    settings.setup = kDatabase;
    mariadb::statement(settings, {"SELECT 1", {}}).execute({});
  }
  static void TearDownTestSuite() {
    delete server_;
    server_ = nullptr;
  }
  void SetUp() override { statement("DELETE FROM users").execute({}); }

  [[nodiscard]] static mariadb::Settings settings_of(std::string database) {
    mariadb::Settings settings;
    settings.port = server_->port();
    settings.user = "root";
    settings.timeout = testing::kFar;
    settings.database = std::move(database);
    return settings;
  }
  [[nodiscard]] static sql::Statement statement(std::string text,
                                                std::vector<std::string> fields = {}) {
    return mariadb::statement(settings_of("shop"), {std::move(text), std::move(fields)});
  }
  static void insert(std::int64_t id, std::string_view name) {
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
  template <class T>
  static T read_one(const mariadb::Settings& settings, std::string text) {
    auto query = mariadb::statement(settings, {std::move(text), {"x"}});
    auto result = query.query({});
    T value{};
    EXPECT_TRUE(result.next());
    result.read(0, value);
    return value;
  }

  static testing::MariadbServer* server_;
};
testing::MariadbServer* MariadbTest::server_ = nullptr;

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

TEST_F(MariadbTest, WhatIsBoundComesBackAsItWas) {
  const std::string bytes("\0\xff\x01", 3);
  const std::string huge(100'000, 'x');
  auto insert = statement(
      "INSERT INTO users (id, user_name, score, photo, price, tier) VALUES (?, ?, ?, ?, ?, ?)");
  EXPECT_EQ(insert.execute({~std::uint64_t{0}, std::string("O'Brien\"; DROP TABLE users; --"), 2.5,
                            sql::bytes(bytes), 19.99, Tier::PAID}),
            1);
  EXPECT_EQ(insert.execute({std::uint64_t{1}, huge, std::optional<double>(),
                            sql::bytes(std::string()), sql::Value(), Tier::FREE}),
            1);

  auto query =
      statement("SELECT id, user_name, score, photo, price, tier FROM users ORDER BY id DESC",
                {"photo", "userName", "id", "score", "price", "tier"});
  auto result = query.query({});
  std::uint64_t id = 0;
  std::string name;
  std::string photo;
  std::optional<double> score;
  double price = 0;
  Tier tier = Tier::FREE;
  ASSERT_TRUE(result.next());
  result.read(0, photo);
  result.read(1, name);
  result.read(2, id);
  result.read(3, score);
  result.read(4, price);
  result.read(5, tier);
  EXPECT_EQ(id, ~std::uint64_t{0});
  EXPECT_EQ(name, "O'Brien\"; DROP TABLE users; --");
  EXPECT_EQ(photo, bytes);
  EXPECT_EQ(score, 2.5);
  EXPECT_EQ(price, 19.99);
  EXPECT_EQ(tier, Tier::PAID);
  ASSERT_TRUE(result.next());
  result.read(1, name);
  result.read(3, score);
  result.read(0, photo);
  EXPECT_EQ(name, huge);
  EXPECT_EQ(score, std::nullopt);
  EXPECT_EQ(photo, "");
  EXPECT_FALSE(result.next());
}

TEST_F(MariadbTest, ASumOfIntegersIsAnInteger) {
  insert(1, "x");
  insert(2, "x");
  EXPECT_EQ(read_one<std::int32_t>(settings_of("shop"), "SELECT SUM(id) AS x FROM users"), 3);
}

TEST_F(MariadbTest, ASumThatNoIntegerHoldsIsAnErrorNotAnotherNumber) {
  const auto shop = settings_of("shop");
  EXPECT_EQ(read_one<std::int64_t>(shop, "SELECT -CAST(9223372036854775808 AS DECIMAL(20)) AS x"),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(read_one<std::uint64_t>(shop, "SELECT CAST(18446744073709551615 AS DECIMAL(20)) AS x"),
            ~std::uint64_t{0});
  EXPECT_EQ(read_one<double>(shop, "SELECT CAST(12 AS DECIMAL(20)) AS x"), 12);
  EXPECT_EQ(read_one<std::optional<std::int64_t>>(shop, "SELECT CAST(NULL AS DECIMAL(20)) AS x"),
            std::nullopt);
  for (const char* const sum : {"SELECT CAST(18446744073709551616 AS DECIMAL(20)) AS x",
                                "SELECT -CAST(9223372036854775809 AS DECIMAL(20)) AS x"}) {
    const Error error = error_of([&] { read_one<std::int64_t>(shop, sum); });
    EXPECT_EQ(error.code(), ErrorCode::out_of_range) << sum;
    EXPECT_EQ(error.message(), "the number in column x does not fit into its field") << sum;
  }
}

TEST_F(MariadbTest, ErrorsHaveTheirCodes) {
  insert(1, "x");
  EXPECT_EQ(error_of([] { insert(1, "y"); }).code(), ErrorCode::already_exists);
  EXPECT_EQ(error_of([] { statement("SELEC 1").execute({}); }).code(),
            ErrorCode::failed_precondition);
  EXPECT_EQ(error_of([] { statement("SELECT 1; SELECT 2").execute({}); }).code(),
            ErrorCode::failed_precondition);
  EXPECT_EQ(error_of([] { statement("SELECT ?").execute({}); }).code(),
            ErrorCode::failed_precondition);
  EXPECT_EQ(error_of([] { statement("SELECT 1 AS y", {"x"}).execute({}); }).message(),
            "column y is no field of the response: name it with AS, or leave it out");
  auto settings = settings_of("shop");
  settings.password_variable = "PENSTOCK_TEST_NO_SUCH_VARIABLE";
  EXPECT_EQ(error_of([&] {
              mariadb::statement(settings, {"SELECT 1", {}}).execute({});
            }).code(),
            ErrorCode::unauthenticated);
  settings.password_variable = "HOME";  // anything that is not the password
  EXPECT_EQ(error_of([&] {
              mariadb::statement(settings, {"SELECT 1", {}}).execute({});
            }).code(),
            ErrorCode::unauthenticated);
  settings = settings_of("shop");
  settings.port = 1;
  EXPECT_EQ(error_of([&] {
              mariadb::statement(settings, {"SELECT 1", {}}).execute({});
            }).code(),
            ErrorCode::unavailable);
}

TEST_F(MariadbTest, ConnectsThroughTheUnixSocketToo) {
  auto settings = settings_of("shop");
  settings.host = server_->socket();
  EXPECT_EQ(read_one<std::int64_t>(settings, "SELECT 7 AS x"), 7);
}

TEST_F(MariadbTest, NeverUsesMoreConnectionsThanItsPoolHas) {
  auto settings = settings_of("shop");
  settings.connections = 2;
  std::vector<std::thread> threads;
  std::atomic<std::int64_t> most{0};
  for (int thread = 0; thread < 6; ++thread) {
    threads.emplace_back([&] {
      auto query = mariadb::statement(
          settings, {"SELECT (SELECT COUNT(*) FROM information_schema.processlist WHERE "
                     "command = 'Execute' AND info LIKE '%processlist%') AS x, SLEEP(0.002) AS y",
                     {"x", "y"}});
      for (int i = 0; i < 20; ++i) {
        auto result = query.query({});
        std::int64_t running = 0;
        if (result.next()) result.read(0, running);
        std::int64_t before = most;
        while (running > before && !most.compare_exchange_weak(before, running)) {
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(most, 1);
  EXPECT_LE(most, 2);
}

TEST_F(MariadbTest, WhoFindsAllConnectionsBusyWaitsAtMostUntilTheDeadline) {
  auto settings = settings_of("shop");
  settings.connections = 1;
  auto first = mariadb::statement(settings, {"SELECT 1 AS x", {"x"}});
  auto second = mariadb::statement(settings, {"SELECT 1 AS x", {"x"}});
  {
    auto result = first.query({});
    const Deadline deadline(milliseconds(20));
    const Error error = error_of([&] { second.execute({}); });
    EXPECT_EQ(error.code(), ErrorCode::deadline_exceeded);
    EXPECT_EQ(error.message(), "MariaDB: all 1 connections were busy: give the node more of them");
  }
  EXPECT_EQ(error_of([&] { second.execute({}); }).code(), ErrorCode::ok);
}

TEST_F(MariadbTest, AResultThatNobodyReadToTheEndLeavesTheConnectionUsable) {
  for (int id = 0; id < 50; ++id) insert(id, "x");
  auto settings = settings_of("shop");
  settings.connections = 1;
  auto query = mariadb::statement(settings, {"SELECT id FROM users", {"id"}});
  for (int time = 0; time < 3; ++time) {
    auto result = query.query({});
    EXPECT_TRUE(result.next());
  }
}

TEST_F(MariadbTest, ASlowAnswerEndsAtTheTimeout) {
  auto settings = settings_of("shop");
  settings.timeout = milliseconds(1000);
  // To connect takes no longer either, and is another error: where it did, it is done again.
  auto first = mariadb::statement(settings, {"SELECT 1 AS x", {"x"}});
  ASSERT_TRUE(testing::eventually(
      [&] { return error_of([&] { first.execute({}); }).code() == ErrorCode::ok; }));
  // So does to begin anew after a lost connection.
  EXPECT_TRUE(testing::eventually([&] {
    return error_of([&] {
             mariadb::statement(settings, {"SELECT SLEEP(600)", {}}).execute({});
           }).code() == ErrorCode::deadline_exceeded;
  }));
}

TEST_F(MariadbTest, AStatementThatIsSlowToPrepareEndsAtTheTimeoutToo) {
  // To prepare it, the server opens the table, which somebody else has locked.
  auto holding = settings_of("shop");
  holding.connections = 1;
  auto lock = mariadb::statement(holding, {"LOCK TABLES users WRITE", {}});
  lock.execute({});
  auto settings = settings_of("shop");
  settings.timeout = milliseconds(1000);
  EXPECT_TRUE(testing::eventually([&] {
    return error_of([&] {
             mariadb::statement(settings, {"SELECT id FROM users", {"id"}}).execute({});
           }).code() == ErrorCode::deadline_exceeded;
  }));
  mariadb::statement(holding, {"UNLOCK TABLES", {}}).execute({});
}

TEST_F(MariadbTest, AStatementEndsAtTheDeadlineOfItsRequest) {
  auto settings = settings_of("shop");
  settings.connections = 1;
  auto sleep = mariadb::statement(settings, {"SELECT SLEEP(600)", {}});
  {
    const Deadline deadline(milliseconds(20));
    EXPECT_EQ(error_of([&] { sleep.execute({}); }).code(), ErrorCode::deadline_exceeded);
  }
  // Who comes next on the connection has the limits of its own request, which are none here.
  EXPECT_EQ(read_one<double>(settings, "SELECT @@max_statement_time AS x"), 0);
  const Deadline deadline(testing::kFar / 2);
  EXPECT_GT(read_one<double>(settings, "SELECT @@max_statement_time AS x"), 0);
}

/// Takes connections, and says nothing.
class Mute {
 public:
  Mute() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const at = reinterpret_cast<sockaddr*>(&address);
    if (bind(socket_, at, size) != 0 || listen(socket_, 8) != 0 ||
        getsockname(socket_, at, &size) != 0) {
      throw std::runtime_error("no port for a server that says nothing");
    }
    port_ = ntohs(address.sin_port);
  }
  Mute(const Mute&) = delete;
  Mute& operator=(const Mute&) = delete;
  ~Mute() { close(socket_); }
  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

 private:
  const int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::uint16_t port_ = 0;
};

TEST_F(MariadbTest, ToConnectEndsAtTheDeadlineOfTheRequest) {
  const Mute mute;
  auto settings = settings_of("shop");
  settings.port = mute.port();
  const Deadline deadline(milliseconds(20));
  EXPECT_EQ(error_of([&] {
              mariadb::statement(settings, {"SELECT 1", {}}).execute({});
            }).code(),
            ErrorCode::deadline_exceeded);
}

TEST_F(MariadbTest, WhoWaitsForTheSetupOfAnotherWaitsAtMostUntilTheDeadline) {
  auto holding = settings_of("shop");
  holding.connections = 1;
  auto lock = mariadb::statement(holding, {"SELECT GET_LOCK('setup', 600)", {}});
  lock.execute({});
  auto settings = settings_of("shop");
  settings.setup = "SELECT GET_LOCK('setup', 600);";
  std::thread other([&] { mariadb::statement(settings, {"SELECT 1", {}}).execute({}); });
  EXPECT_TRUE(testing::eventually([&] {
    return read_one<std::int64_t>(holding,
                                  "SELECT COUNT(*) AS x FROM information_schema.processlist "
                                  "WHERE info LIKE 'SELECT GET_LOCK%'") == 1;
  }));
  {
    const Deadline deadline(milliseconds(20));
    EXPECT_EQ(error_of([&] {
                mariadb::statement(settings, {"SELECT 1", {}}).execute({});
              }).code(),
              ErrorCode::deadline_exceeded);
  }
  mariadb::statement(holding, {"SELECT RELEASE_LOCK('setup')", {}}).execute({});
  other.join();
}

TEST_F(MariadbTest, GoesOnAfterTheServerWasAway) {
  auto query = statement("SELECT 1 AS x", {"x"});
  query.execute({});
  server_->stop();
  EXPECT_EQ(error_of([&] { query.execute({}); }).code(), ErrorCode::unavailable);
  server_->start_server();
  EXPECT_EQ(error_of([&] { query.execute({}); }).code(), ErrorCode::ok);
}

TEST_F(MariadbTest, AConnectionThatIsLostBetweenRowsIsNotUsedAgain) {
  auto settings = settings_of("shop");
  settings.connections = 1;
  // More than what fits between the two.
  auto query =
      mariadb::statement(settings, {"SELECT REPEAT('x', 60000) AS x FROM seq_1_to_3000", {"x"}});
  auto again = mariadb::statement(settings, {"SELECT 1 AS x", {"x"}});
  EXPECT_EQ(error_of([&] {
              auto result = query.query({});
              EXPECT_TRUE(result.next());
              server_->stop();
              while (result.next()) continue;
            }).code(),
            ErrorCode::unavailable);
  server_->start_server();
  EXPECT_EQ(error_of([&] { again.execute({}); }).code(), ErrorCode::ok);
}

TEST_F(MariadbTest, ATableThatLosesAColumnFailsOneStatementOnly) {
  auto settings = settings_of("shop");
  settings.connections = 1;
  settings.setup = "CREATE OR REPLACE TABLE wide (a INT, b INT); INSERT INTO wide VALUES (1, 2);";
  auto query = mariadb::statement(settings, {"SELECT * FROM wide", {"a", "b"}});
  auto change = mariadb::statement(settings, {"ALTER TABLE wide DROP COLUMN b", {}});
  const auto read = [&] {
    return error_of([&] {
             auto result = query.query({});
             EXPECT_TRUE(result.next());
           })
        .code();
  };
  EXPECT_EQ(read(), ErrorCode::ok);
  change.execute({});
  EXPECT_EQ(read(), ErrorCode::unavailable);
  EXPECT_EQ(read(), ErrorCode::ok);
}

TEST_F(MariadbTest, ASetupThatFailsIsTriedAgain) {
  auto settings = settings_of("shop");
  settings.setup = "CREATE TABLE IF NOT EXISTS one (x INT); INSERT INTO nowhere VALUES (1);";
  for (int time = 0; time < 2; ++time) {
    const Error error = error_of([&] {
      mariadb::statement(settings, {"SELECT 1", {}}).execute({});
    });
    EXPECT_EQ(error.code(), ErrorCode::failed_precondition);
    EXPECT_EQ(error.message(), "MariaDB: the setup failed: Table 'shop.nowhere' doesn't exist");
  }
}

}  // namespace
}  // namespace penstock
