#include <sqlite3.h>

#include <map>
#include <penstock/service.hpp>

#include "shared/database.hpp"

namespace sample {

namespace {

[[noreturn]] void fail(sqlite3* database) {
  throw penstock::Error(penstock::ErrorCode::unavailable,
                        std::string("the database: ") + sqlite3_errmsg(database));
}

/// What all connections of a process share: SQLite takes one writer at a time anyway.
struct Opened {
  explicit Opened(const std::string& file) {
    constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    const char* name = file.empty() ? ":memory:" : file.c_str();
    if (sqlite3_open_v2(name, &handle, kFlags, nullptr) != SQLITE_OK) {
      const std::string why = sqlite3_errmsg(handle);
      sqlite3_close(handle);
      throw penstock::Error(penstock::ErrorCode::unavailable, "the database: " + why);
    }
    sqlite3_busy_timeout(handle, 1000);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() { sqlite3_close(handle); }

  sqlite3* handle = nullptr;
  std::recursive_mutex mutex;
};

class SqliteConnection final : public Connection {
 public:
  explicit SqliteConnection(std::shared_ptr<Opened> opened) : opened_(std::move(opened)) {}
  ~SqliteConnection() override {
    for (const auto& [sql, statement] : prepared_) sqlite3_finalize(statement);
  }

  std::vector<Row> run(const std::string& sql, std::span<const Parameter> values) override {
    const std::lock_guard lock(opened_->mutex);
    sqlite3_stmt* statement = prepare(sql);
    int index = 0;
    for (const Parameter& value : values) bind(statement, ++index, value);
    std::vector<Row> rows;
    int stepped = sqlite3_step(statement);
    for (; stepped == SQLITE_ROW; stepped = sqlite3_step(statement)) {
      Row& row = rows.emplace_back();
      for (int column = 0; column < sqlite3_column_count(statement); ++column) {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
        row.emplace_back(text == nullptr ? "" : text);
      }
    }
    changed_ = static_cast<std::uint64_t>(sqlite3_changes(opened_->handle));
    sqlite3_reset(statement);
    if (stepped != SQLITE_DONE) fail(opened_->handle);
    return rows;
  }

  [[nodiscard]] std::uint64_t changed() const override { return changed_; }

  void begin() override {
    std::unique_lock lock(opened_->mutex);
    Connection::run("BEGIN IMMEDIATE");
    transaction_ = std::move(lock);
  }
  void commit() override {
    Connection::run("COMMIT");
    transaction_ = {};
  }
  void rollback() noexcept override {
    const std::unique_lock lock = std::move(transaction_);
    sqlite3_exec(opened_->handle, "ROLLBACK", nullptr, nullptr, nullptr);
  }

 private:
  sqlite3_stmt* prepare(const std::string& sql) {
    sqlite3_stmt*& statement = prepared_[sql];
    if (statement == nullptr &&
        sqlite3_prepare_v2(opened_->handle, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
      fail(opened_->handle);
    return statement;
  }

  static void bind(sqlite3_stmt* statement, int index, const Parameter& value) {
    if (const auto* text = std::get_if<std::string>(&value))
      sqlite3_bind_text(statement, index, text->c_str(), static_cast<int>(text->size()),
                        SQLITE_STATIC);
    else
      sqlite3_bind_int64(statement, index, std::get<std::int64_t>(value));
  }

  const std::shared_ptr<Opened> opened_;
  std::map<std::string, sqlite3_stmt*> prepared_;
  std::uint64_t changed_ = 0;
  std::unique_lock<std::recursive_mutex> transaction_;
};

class SqliteDatabase final : public Database {
 public:
  explicit SqliteDatabase(const std::string& file) : opened_(std::make_shared<Opened>(file)) {}
  std::unique_ptr<Connection> connect() override {
    return std::make_unique<SqliteConnection>(opened_);
  }
  [[nodiscard]] bool embedded() const noexcept override { return true; }

 private:
  const std::shared_ptr<Opened> opened_;
};

}  // namespace

std::unique_ptr<Database> open_sqlite(const std::string& file) {
  return std::make_unique<SqliteDatabase>(file);
}

}  // namespace sample
