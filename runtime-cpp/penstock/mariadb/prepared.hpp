#pragma once

#include <mysql.h>

#include <memory>
#include <string>
#include <vector>

#include "penstock/mariadb/pool.hpp"

namespace penstock::mariadb {

/// A statement prepared on a connection. One thread at a time.
class Prepared final : public sql::Rows {
 public:
  /// Throws Error.
  Prepared(Connection& connection, const sql::Text& text);

  /// Sends it with its values and waits until the first row comes. Throws Error.
  void start(std::span<const sql::Value> values);
  /// Rows that nobody read come out of the connection here.
  void stop() noexcept;

  [[nodiscard]] bool next() override;
  void finish() override;
  [[nodiscard]] sql::Value value(unsigned column) const override;
  [[nodiscard]] std::int64_t changed() const override {
    return static_cast<std::int64_t>(mysql_stmt_affected_rows(handle_.get()));
  }

 private:
  struct Close {
    void operator()(MYSQL_STMT* handle) const noexcept { mysql_stmt_close(handle); }
  };
  /// Where the client library writes a column.
  struct Column {
    std::string name;
    sql::Value::Kind kind = sql::Value::Kind::text;
    /// An integer that comes as a text, since it may have more than 64 bits.
    bool digits = false;
    std::int64_t integer = 0;
    double real = 0;
    std::vector<char> text;
    unsigned long length = 0;
    my_bool null = 0;
  };

  void describe(const sql::Text& text);
  void bind_columns();
  /// Throws Error(out_of_range).
  [[nodiscard]] static sql::Value integer_of(const Column& column);
  void fetch_long_texts();
  [[noreturn]] void fail(const char* doing);

  Connection& connection_;
  std::unique_ptr<MYSQL_STMT, Close> handle_;
  std::vector<MYSQL_BIND> parameters_;
  std::vector<MYSQL_BIND> results_;
  std::vector<Column> columns_;
  Nanos asked_ns_ = 0;
};

}  // namespace penstock::mariadb
