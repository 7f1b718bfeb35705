#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/sql/assign.hpp"
#include "penstock/sql/value.hpp"

namespace penstock::sql {

/// The text of a statement, one `?` a parameter, and the fields that its columns fill.
struct Text {
  std::string sql;
  std::vector<std::string> fields;
};

/// A prepared statement on one connection while it runs: what a kind of database gives.
class Rows {
 public:
  Rows() = default;
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  virtual ~Rows() = default;

  /// Goes to the next row; false: there is none. Throws Error.
  [[nodiscard]] virtual bool next() = 0;
  /// Runs the statement to its end, whatever rows are left: only then is known whether what it
  /// changed stays. Throws Error. The current row is gone.
  virtual void finish() = 0;
  /// Of the current row.
  [[nodiscard]] virtual Value value(unsigned column) const = 0;
  /// Rows that the statement changed; known once it has run.
  [[nodiscard]] virtual std::int64_t changed() const = 0;
  /// The column that fills a field; -1: none.
  [[nodiscard]] int column_of(std::size_t field) const noexcept { return columns_[field]; }

 protected:
  /// Finds the field of each column by its name, without regard to case and underscores. Throws
  /// Error(failed_precondition) for a column that fills no field.
  void match(const std::vector<std::string>& fields, const std::vector<std::string>& columns);

 private:
  std::vector<int> columns_;
};

/// A statement of one kind of database.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  /// Starts it; nothing else until end(). Throws Error; then it has ended.
  [[nodiscard]] virtual Rows& run(std::span<const Value> values) = 0;
  /// The rows are gone, also those that nobody read; the connection is free.
  virtual void end() noexcept = 0;
};

/// The rows of a statement that runs; ends it with its life.
class Result {
 public:
  Result(Backend& backend, Rows& rows, const std::vector<std::string>& fields) noexcept
      : backend_(backend), rows_(rows), fields_(fields) {}
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;
  ~Result() { backend_.end(); }

  /// Goes to the next row; false: there is none. Throws Error.
  [[nodiscard]] bool next() { return rows_.next(); }
  /// Fills a message's field, the `index`th that the statement was made with, from the current
  /// row; leaves it alone when no column has its name.
  template <class T>
  void read(std::size_t index, T& field) const {
    const int column = rows_.column_of(index);
    if (column >= 0) assign(field, rows_.value(static_cast<unsigned>(column)), fields_[index]);
  }

  /// Fills the fields that the statement was made with, in their order.
  template <class... Fields>
  void fill(Fields&... fields) const {
    std::size_t index = 0;
    (read(index++, fields), ...);
  }
  /// For who wants no more rows: a statement that changes something has only then succeeded. The
  /// current row is gone. Throws Error.
  void finish() { rows_.finish(); }

 private:
  Backend& backend_;
  Rows& rows_;
  const std::vector<std::string>& fields_;
};

/// One statement, as a handler object has it: prepared once for each connection it runs on. One
/// thread at a time; it blocks. The connection is made at the first use, so that a database that is
/// away makes errors (`unavailable`), not a binary that does not start.
class Statement {
 public:
  Statement(std::unique_ptr<Backend> backend, const Text& text)
      : backend_(std::move(backend)), fields_(text.fields) {}

  /// Runs a statement whose rows nobody wants; gives how many rows it changed. Throws Error.
  std::int64_t execute(std::initializer_list<Value> values);
  /// Runs a query. Throws Error.
  [[nodiscard]] Result query(std::initializer_list<Value> values) {
    return {*backend_, backend_->run({values.begin(), values.size()}), fields_};
  }

 private:
  std::unique_ptr<Backend> backend_;
  std::vector<std::string> fields_;
};

}  // namespace penstock::sql
