#include <mysql.h>

#include <array>
#include <charconv>
#include <map>
#include <penstock/service.hpp>
#include <type_traits>

#include "shared/database.hpp"

namespace sample {

namespace {

[[noreturn]] void fail(const std::string& why) {
  throw penstock::Error(penstock::ErrorCode::unavailable, "the database: " + why);
}

/// mariadb://user:password@host:port/name, the password left out for none.
struct Address {
  explicit Address(const std::string& address) {
    const std::string rest = address.substr(std::string("mariadb://").size());
    const std::size_t at = rest.find('@');
    const std::size_t colon = rest.find(':', at);
    const std::size_t slash = rest.find('/', colon);
    if (at == std::string::npos || colon == std::string::npos || slash == std::string::npos)
      fail("its address is not mariadb://user:password@host:port/name");
    user = rest.substr(0, at);
    if (const std::size_t secret = user.find(':'); secret != std::string::npos) {
      password = user.substr(secret + 1);
      user.resize(secret);
    }
    host = rest.substr(at + 1, colon - at - 1);
    name = rest.substr(slash + 1);
    std::from_chars(rest.data() + colon + 1, rest.data() + slash, port);
  }
  std::string user;
  std::string password;
  std::string host;
  std::string name;
  unsigned port = 0;
};

constexpr std::size_t kLongestText = 4096;
constexpr std::size_t kMostColumns = 8;

/// A statement with room for one row of its answer, each column as text.
class Statement {
 public:
  Statement(MYSQL* connection, const std::string& sql) : statement_(mysql_stmt_init(connection)) {
    if (statement_ == nullptr) fail("no memory");
    std::string why;
    if (mysql_stmt_prepare(statement_, sql.c_str(), sql.size()) != 0)
      why = mysql_stmt_error(statement_);
    columns_ = mysql_stmt_field_count(statement_);
    if (columns_ > kMostColumns) why = "too many columns";
    if (why.empty()) return;
    mysql_stmt_close(statement_);
    fail(why);
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { mysql_stmt_close(statement_); }

  std::vector<Row> run(std::span<const Parameter> values) {
    std::vector<MYSQL_BIND> bound(values.size());
    for (std::size_t index = 0; index < values.size(); ++index) bind(bound[index], values[index]);
    if (mysql_stmt_bind_param(statement_, bound.data()) || mysql_stmt_execute(statement_) != 0)
      stop();
    changed = mysql_stmt_affected_rows(statement_);
    std::vector<Row> rows;
    if (columns_ == 0) return rows;
    std::array<MYSQL_BIND, kMostColumns> columns{};
    for (std::size_t column = 0; column < columns_; ++column) {
      columns[column].buffer_type = MYSQL_TYPE_STRING;
      columns[column].buffer = texts_[column].data();
      columns[column].buffer_length = kLongestText;
      columns[column].length = &lengths_[column];
    }
    if (mysql_stmt_bind_result(statement_, columns.data())) stop();
    for (;;) {
      const int fetched = mysql_stmt_fetch(statement_);
      if (fetched == MYSQL_NO_DATA) break;
      if (fetched != 0) stop();
      Row& row = rows.emplace_back();
      for (std::size_t column = 0; column < columns_; ++column)
        row.emplace_back(texts_[column].data(), lengths_[column]);
    }
    mysql_stmt_free_result(statement_);
    return rows;
  }

  std::uint64_t changed = 0;

 private:
  [[noreturn]] void stop() { fail(mysql_stmt_error(statement_)); }

  static void bind(MYSQL_BIND& bound, const Parameter& value) {
    // The library only reads parameters.
    if (const auto* text = std::get_if<std::string>(&value)) {
      bound.buffer_type = MYSQL_TYPE_STRING;
      bound.buffer = const_cast<char*>(text->data());
      bound.buffer_length = text->size();
    } else {
      bound.buffer_type = MYSQL_TYPE_LONGLONG;
      bound.buffer = const_cast<std::int64_t*>(&std::get<std::int64_t>(value));
    }
  }

  MYSQL_STMT* statement_;
  std::size_t columns_ = 0;
  std::array<std::array<char, kLongestText>, kMostColumns> texts_{};
  std::array<unsigned long, kMostColumns> lengths_{};
};

/// Connects anew, after the server has gone, with the first thing that is asked of it then.
class MariaDbConnection final : public Connection {
 public:
  explicit MariaDbConnection(const Address& address) : address_(address) { connect(); }
  ~MariaDbConnection() override { close(); }

  std::vector<Row> run(const std::string& sql, std::span<const Parameter> values) override {
    return carefully([&] {
      auto& statement = prepared_[sql];
      if (statement == nullptr) statement = std::make_unique<Statement>(connection_, sql);
      auto rows = statement->run(values);
      changed_ = statement->changed;
      return rows;
    });
  }

  [[nodiscard]] std::uint64_t changed() const override { return changed_; }

  void begin() override {
    carefully([this] {
      if (mysql_query(connection_, "START TRANSACTION") != 0) fail(mysql_error(connection_));
    });
    in_transaction_ = true;
  }
  void commit() override {
    carefully([this] {
      if (mysql_commit(connection_)) fail(mysql_error(connection_));
    });
    in_transaction_ = false;
  }
  void rollback() noexcept override {
    mysql_rollback(connection_);
    in_transaction_ = false;
  }

 private:
  void connect() {
    connection_ = mysql_init(nullptr);
    if (connection_ == nullptr) fail("no memory");
    const unsigned seconds = 5;
    for (const auto option :
         {MYSQL_OPT_CONNECT_TIMEOUT, MYSQL_OPT_READ_TIMEOUT, MYSQL_OPT_WRITE_TIMEOUT})
      mysql_optionsv(connection_, option, &seconds);
    if (mysql_real_connect(connection_, address_.host.c_str(), address_.user.c_str(),
                           address_.password.c_str(), address_.name.c_str(), address_.port, nullptr,
                           0) == nullptr) {
      const std::string why = mysql_error(connection_);
      close();
      fail(why);
    }
  }
  void close() noexcept {
    prepared_.clear();
    if (connection_ != nullptr) mysql_close(connection_);
    connection_ = nullptr;
  }

  // Not within a transaction, of which the server has forgotten the beginning.
  template <class Action>
  auto carefully(Action&& action) -> std::invoke_result_t<Action&> {
    if (connection_ == nullptr || (lost_ && !in_transaction_)) {
      close();
      connect();
      lost_ = false;
    }
    try {
      return action();
    } catch (...) {
      lost_ = mysql_ping(connection_) != 0;
      throw;
    }
  }

  const Address address_;
  MYSQL* connection_ = nullptr;
  std::map<std::string, std::unique_ptr<Statement>> prepared_;
  std::uint64_t changed_ = 0;
  bool in_transaction_ = false;
  bool lost_ = false;
};

class MariaDb final : public Database {
 public:
  explicit MariaDb(const std::string& address) : address_(address) {}
  std::unique_ptr<Connection> connect() override {
    return std::make_unique<MariaDbConnection>(address_);
  }
  [[nodiscard]] bool embedded() const noexcept override { return false; }

 private:
  const Address address_;
};

}  // namespace

std::unique_ptr<Database> open_mariadb(const std::string& address) {
  return std::make_unique<MariaDb>(address);
}

}  // namespace sample
