#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace sample {

/// What stands for a `?` of a statement.
using Parameter = std::variant<std::int64_t, std::string>;
/// A row's columns as text.
using Row = std::vector<std::string>;

/// One connection to a database. One thread at a time. Everything blocks and throws penstock::Error
/// (unavailable) when the database does not do what it is asked.
class Connection {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  /// Runs one statement; gives the rows it selects. Each text is prepared once a connection.
  virtual std::vector<Row> run(const std::string& sql, std::span<const Parameter> values) = 0;
  std::vector<Row> run(const std::string& sql, std::initializer_list<Parameter> values = {}) {
    return run(sql, std::span(values.begin(), values.size()));
  }
  /// Rows that the last statement changed.
  [[nodiscard]] virtual std::uint64_t changed() const = 0;

  /// Begins a transaction; the next call ends it. See Transaction.
  virtual void begin() = 0;
  virtual void commit() = 0;
  virtual void rollback() noexcept = 0;
};

/// Undoes what was not committed.
class Transaction {
 public:
  explicit Transaction(Connection& connection) : connection_(&connection) { connection.begin(); }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (connection_ != nullptr) connection_->rollback();
  }
  void commit() {
    connection_->commit();
    connection_ = nullptr;
  }

 private:
  Connection* connection_;
};

/// Where connections come from. Any thread.
class Database {
 public:
  /// `mariadb://user@127.0.0.1:3306/name`; else a file for SQLite, "" for a database in memory.
  static std::unique_ptr<Database> open(const std::string& address);

  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  virtual ~Database() = default;

  [[nodiscard]] virtual std::unique_ptr<Connection> connect() = 0;
  /// In this process: the way there and back takes no time of its own.
  [[nodiscard]] virtual bool embedded() const noexcept = 0;
};

/// Connections that all threads share. A thread that finds none free waits for one: with a single
/// connection, more threads change nothing.
class ConnectionPool {
 public:
  /// `round_trip` is what the way to an embedded database and back is made to take.
  ConnectionPool(const std::string& address, int connections, std::chrono::microseconds round_trip);

  struct GiveBack {
    ConnectionPool* pool;
    void operator()(Connection* connection) const { pool->give(connection); }
  };
  using Lease = std::unique_ptr<Connection, GiveBack>;

  /// A connection for as long as the lease lives. Blocks.
  [[nodiscard]] Lease take();

 private:
  void give(Connection* connection);

  std::unique_ptr<Database> database_;
  const std::chrono::microseconds round_trip_;
  std::vector<std::unique_ptr<Connection>> all_;
  std::mutex mutex_;
  std::condition_variable freed_;
  std::vector<Connection*> free_;
};

}  // namespace sample
