#include <memory>

#include "penstock/call/activation/activation.hpp"
#include "penstock/sqlite.hpp"
#include "penstock/sqlite/connection.hpp"
#include "penstock/sqlite/error.hpp"

namespace penstock::sqlite {
namespace {

class Prepared final : public sql::Rows {
 public:
  Prepared(Connection& connection, const sql::Text& text)
      : connection_(connection), fields_(text.fields) {
    const char* rest = nullptr;
    sqlite3_stmt* made = nullptr;
    const int result =
        sqlite3_prepare_v3(connection.get(), text.sql.c_str(), static_cast<int>(text.sql.size()),
                           SQLITE_PREPARE_PERSISTENT, &made, &rest);
    handle_.reset(made);
    if (result != SQLITE_OK) throw_last(connection.get(), result, "cannot prepare the statement");
    if (made == nullptr) throw Error(ErrorCode::failed_precondition, "SQLite: no statement");
    if (std::string_view(rest).find_first_not_of(" \t\r\n;") != std::string_view::npos) {
      throw Error(ErrorCode::failed_precondition, "SQLite: more than one statement");
    }
    match_columns();
  }

  void start(std::span<const sql::Value> values) {
    if (static_cast<std::size_t>(sqlite3_bind_parameter_count(handle_.get())) != values.size()) {
      throw Error(ErrorCode::failed_precondition,
                  "SQLite: the statement takes another number of parameters");
    }
    first_ = true;
    done_ = false;
    int parameter = 0;
    for (const sql::Value& value : values) bind(++parameter, value);
  }

  [[nodiscard]] bool next() override {
    const int result = sqlite3_step(handle_.get());
    if (result != SQLITE_ROW) {
      if (result != SQLITE_DONE) throw_last(connection_.get(), result, "the statement failed");
      done_ = true;
      return false;
    }
    if (first_) look_for_new_columns();
    first_ = false;
    return true;
  }

  void finish() override {
    // Nothing comes of the rest of a query. A step behind the end would run it all again.
    if (sqlite3_stmt_readonly(handle_.get()) != 0) return;
    while (!done_ && next()) {
    }
  }

  [[nodiscard]] sql::Value value(unsigned column) const override {
    sqlite3_stmt* const handle = handle_.get();
    const int index = static_cast<int>(column);
    switch (sqlite3_column_type(handle, index)) {
      case SQLITE_INTEGER:
        return sqlite3_column_int64(handle, index);
      case SQLITE_FLOAT:
        return sqlite3_column_double(handle, index);
      case SQLITE_TEXT: {
        // First the text, then its length: in this order SQLite converts once.
        const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(handle, index));
        return std::string_view(text, length(index));
      }
      case SQLITE_BLOB: {
        const auto* const data = static_cast<const char*>(sqlite3_column_blob(handle, index));
        return sql::bytes(std::string_view(data, length(index)));
      }
      default:
        return {};
    }
  }

  [[nodiscard]] std::int64_t changed() const override {
    return sqlite3_changes64(connection_.get());
  }
  void stop() noexcept {
    // The error of the last step, which was thrown already.
    static_cast<void>(sqlite3_reset(handle_.get()));
    static_cast<void>(sqlite3_clear_bindings(handle_.get()));
  }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const noexcept { sqlite3_finalize(handle); }
  };

  [[nodiscard]] std::size_t length(int column) const {
    return static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column));
  }

  void bind(int parameter, const sql::Value& value) {
    sqlite3_stmt* const handle = handle_.get();
    int result = SQLITE_OK;
    switch (value.kind()) {
      case sql::Value::Kind::null:
        result = sqlite3_bind_null(handle, parameter);
        break;
      case sql::Value::Kind::unsigned_integer:
        if (value.integer() < 0) {
          throw Error(ErrorCode::out_of_range,
                      "SQLite: a number above 2^63 - 1 is no integer of a database");
        }
        [[fallthrough]];
      case sql::Value::Kind::integer:
        result = sqlite3_bind_int64(handle, parameter, value.integer());
        break;
      case sql::Value::Kind::real:
        result = sqlite3_bind_double(handle, parameter, value.real());
        break;
      // Not copied: the request outlives the run.
      case sql::Value::Kind::text:
        result = sqlite3_bind_text64(handle, parameter, value.text().data(), value.text().size(),
                                     SQLITE_STATIC, SQLITE_UTF8);
        break;
      case sql::Value::Kind::bytes:
        // A null pointer would be NULL; these are no bytes.
        result =
            sqlite3_bind_blob64(handle, parameter, value.text().empty() ? "" : value.text().data(),
                                value.text().size(), SQLITE_STATIC);
        break;
    }
    if (result != SQLITE_OK) throw_last(connection_.get(), result, "cannot bind a parameter");
  }

  // SQLite prepares again by itself when the tables have changed: a `*` may mean other columns.
  void look_for_new_columns() {
    const int prepared = sqlite3_stmt_status(handle_.get(), SQLITE_STMTSTATUS_REPREPARE, 0);
    if (prepared == prepared_) return;
    prepared_ = prepared;
    match_columns();
  }
  void match_columns() {
    std::vector<std::string> columns;
    const int count = sqlite3_column_count(handle_.get());
    columns.reserve(static_cast<std::size_t>(count));
    for (int column = 0; column < count; ++column) {
      columns.emplace_back(sqlite3_column_name(handle_.get(), column));
    }
    match(fields_, columns);
  }

  Connection& connection_;
  const std::vector<std::string>& fields_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  int prepared_ = 0;
  bool first_ = true;
  bool done_ = false;
};

class FileBackend final : public sql::Backend {
 public:
  FileBackend(Settings settings, sql::Text text)
      : settings_(std::move(settings)), text_(std::move(text)) {}

  [[nodiscard]] sql::Rows& run(std::span<const sql::Value> values) override {
    const Nanos deadline = context().deadline_ns;
    if (!connection_) connection_ = std::make_unique<Connection>(settings_, deadline);
    connection_->set_deadline(deadline);
    if (!prepared_) prepared_ = std::make_unique<Prepared>(*connection_, text_);
    try {
      prepared_->start(values);
    } catch (...) {
      prepared_->stop();
      throw;
    }
    return *prepared_;
  }
  void end() noexcept override { prepared_->stop(); }

 private:
  const Settings settings_;
  const sql::Text text_;
  std::unique_ptr<Connection> connection_;
  std::unique_ptr<Prepared> prepared_;
};

}  // namespace

sql::Statement statement(Settings settings, sql::Text text) {
  auto backend = std::make_unique<FileBackend>(std::move(settings), text);
  return {std::move(backend), text};
}

}  // namespace penstock::sqlite
