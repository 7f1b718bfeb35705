#include "penstock/mariadb/prepared.hpp"

#include <charconv>

#include "penstock/mariadb/error.hpp"

namespace penstock::mariadb {
namespace {

using Kind = sql::Value::Kind;

/// Room for a text or blob before the first longer one was seen.
constexpr std::size_t kFirstRoom = 256;

// The client library wants pointers to what it only reads.
void bind_value(MYSQL_BIND& bind, const sql::Value& value, std::int64_t& integer, double& real) {
  bind = {};
  switch (value.kind()) {
    case Kind::null:
      bind.buffer_type = MYSQL_TYPE_NULL;
      break;
    case Kind::integer:
    case Kind::unsigned_integer:
      integer = value.integer();
      bind.buffer_type = MYSQL_TYPE_LONGLONG;
      bind.is_unsigned = value.kind() == Kind::unsigned_integer ? 1 : 0;
      bind.buffer = &integer;
      break;
    case Kind::real:
      real = value.real();
      bind.buffer_type = MYSQL_TYPE_DOUBLE;
      bind.buffer = &real;
      break;
    case Kind::text:
    case Kind::bytes:
      bind.buffer_type = value.kind() == Kind::text ? MYSQL_TYPE_STRING : MYSQL_TYPE_BLOB;
      bind.buffer = const_cast<char*>(value.text().data());  // NOLINT: it only reads it
      bind.buffer_length = value.text().size();
      break;
  }
}

bool is_decimal(const MYSQL_FIELD& field) {
  return field.type == MYSQL_TYPE_DECIMAL || field.type == MYSQL_TYPE_NEWDECIMAL;
}

Kind kind_of(const MYSQL_FIELD& field) {
  switch (field.type) {
    case MYSQL_TYPE_TINY:
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
    case MYSQL_TYPE_LONGLONG:
    case MYSQL_TYPE_YEAR:
      return (field.flags & UNSIGNED_FLAG) != 0 ? Kind::unsigned_integer : Kind::integer;
    // What sum() of integers gives has no digits behind the point.
    case MYSQL_TYPE_DECIMAL:
    case MYSQL_TYPE_NEWDECIMAL:
      return field.decimals == 0 ? Kind::integer : Kind::real;
    case MYSQL_TYPE_FLOAT:
    case MYSQL_TYPE_DOUBLE:
      return Kind::real;
    case MYSQL_TYPE_NULL:
      return Kind::null;
    default:
      break;
  }
  constexpr unsigned kBinaryCharset = 63;
  return field.charsetnr == kBinaryCharset ? Kind::bytes : Kind::text;
}

}  // namespace

Prepared::Prepared(Connection& connection, const sql::Text& text)
    : connection_(connection), handle_(mysql_stmt_init(connection.get())) {
  if (!handle_) throw Error(ErrorCode::resource_exhausted, "MariaDB: no memory");
  asked_ns_ = now_ns();
  if (mysql_stmt_prepare(handle_.get(), text.sql.data(), text.sql.size()) != 0) {
    fail("cannot prepare the statement");
  }
  parameters_.resize(mysql_stmt_param_count(handle_.get()));
  describe(text);
}

void Prepared::describe(const sql::Text& text) {
  std::vector<std::string> names;
  if (MYSQL_RES* const result = mysql_stmt_result_metadata(handle_.get())) {
    const unsigned count = mysql_num_fields(result);
    const MYSQL_FIELD* const fields = mysql_fetch_fields(result);
    columns_.resize(count);
    for (unsigned column = 0; column < count; ++column) {
      names.emplace_back(fields[column].name, fields[column].name_length);
      columns_[column].kind = kind_of(fields[column]);
      columns_[column].name = names.back();
      columns_[column].digits =
          columns_[column].kind == Kind::integer && is_decimal(fields[column]);
      columns_[column].text.resize(kFirstRoom);
    }
    mysql_free_result(result);
  }
  results_.resize(columns_.size());
  bind_columns();
  match(text.fields, names);
}

void Prepared::bind_columns() {
  for (std::size_t index = 0; index < columns_.size(); ++index) {
    Column& column = columns_[index];
    MYSQL_BIND& bind = results_[index];
    bind = {};
    bind.is_null = &column.null;
    bind.length = &column.length;
    switch (column.digits ? Kind::text : column.kind) {
      case Kind::integer:
      case Kind::unsigned_integer:
        bind.buffer_type = MYSQL_TYPE_LONGLONG;
        bind.is_unsigned = column.kind == Kind::unsigned_integer ? 1 : 0;
        bind.buffer = &column.integer;
        break;
      case Kind::real:
        bind.buffer_type = MYSQL_TYPE_DOUBLE;
        bind.buffer = &column.real;
        break;
      default:
        bind.buffer_type = column.kind == Kind::bytes ? MYSQL_TYPE_BLOB : MYSQL_TYPE_STRING;
        bind.buffer = column.text.data();
        bind.buffer_length = column.text.size();
        break;
    }
  }
  if (!columns_.empty() && mysql_stmt_bind_result(handle_.get(), results_.data()) != 0) {
    fail("cannot read the columns");
  }
}

void Prepared::start(std::span<const sql::Value> values) {
  if (values.size() != parameters_.size()) {
    throw Error(ErrorCode::failed_precondition,
                "MariaDB: the statement takes another number of parameters");
  }
  struct Number {
    std::int64_t integer = 0;
    double real = 0;
  };
  std::vector<Number> numbers(values.size());
  for (std::size_t index = 0; index < values.size(); ++index) {
    bind_value(parameters_[index], values[index], numbers[index].integer, numbers[index].real);
  }
  asked_ns_ = now_ns();
  MYSQL_STMT* const handle = handle_.get();
  if (!values.empty() && mysql_stmt_bind_param(handle, parameters_.data()) != 0) {
    fail("cannot bind the parameters");
  }
  if (mysql_stmt_execute(handle) != 0) fail("the statement failed");
}

bool Prepared::next() {
  if (columns_.empty()) return false;
  asked_ns_ = now_ns();
  switch (mysql_stmt_fetch(handle_.get())) {
    case 0:
      return true;
    case MYSQL_NO_DATA:
      return false;
    case MYSQL_DATA_TRUNCATED:
      fetch_long_texts();
      return true;
    default:
      fail("the statement failed");
  }
}

// A text longer than any before: more room, for this one and for those to come.
void Prepared::fetch_long_texts() {
  bool grown = false;
  for (std::size_t index = 0; index < columns_.size(); ++index) {
    Column& column = columns_[index];
    const bool text = column.kind == Kind::text || column.kind == Kind::bytes;
    if (!text || column.null != 0 || column.length <= column.text.size()) continue;
    column.text.resize(column.length);
    results_[index].buffer = column.text.data();
    results_[index].buffer_length = column.text.size();
    if (mysql_stmt_fetch_column(handle_.get(), &results_[index], static_cast<unsigned>(index), 0) !=
        0) {
      fail("cannot read a long column");
    }
    grown = true;
  }
  if (grown) bind_columns();
}

void Prepared::finish() {
  while (next()) {
  }
}

sql::Value Prepared::integer_of(const Column& column) {
  const char* const begin = column.text.data();
  const char* const end = begin + column.length;
  std::int64_t number = 0;
  if (const auto read = std::from_chars(begin, end, number);
      read.ec == std::errc{} && read.ptr == end) {
    return number;
  }
  std::uint64_t large = 0;
  if (const auto read = std::from_chars(begin, end, large);
      read.ec == std::errc{} && read.ptr == end) {
    return large;
  }
  sql::throw_does_not_fit(column.name);
}

sql::Value Prepared::value(unsigned index) const {
  const Column& column = columns_[index];
  if (column.null != 0) return {};
  switch (column.kind) {
    case Kind::integer:
      if (column.digits) return integer_of(column);
      return column.integer;
    case Kind::unsigned_integer:
      return static_cast<std::uint64_t>(column.integer);
    case Kind::real:
      return column.real;
    case Kind::bytes:
      return sql::bytes(std::string_view(column.text.data(), column.length));
    case Kind::text:
      return std::string_view(column.text.data(), column.length);
    case Kind::null:
      break;
  }
  return {};
}

void Prepared::stop() noexcept {
  if (mysql_stmt_free_result(handle_.get()) != 0) connection_.lost = true;
}

void Prepared::fail(const char* doing) {
  unsigned number = mysql_stmt_errno(handle_.get());
  const char* said = mysql_stmt_error(handle_.get());
  if (number == 0) {
    // A row that did not come is noted with the connection only.
    number = mysql_errno(connection_.get());
    said = mysql_error(connection_.get());
  }
  if (is_lost(number)) {
    connection_.lost = true;
    if (now_ns() >= after(asked_ns_, connection_.timeout_ns)) {
      throw Error(ErrorCode::deadline_exceeded, "MariaDB: no answer within the timeout");
    }
  }
  throw_error(number, doing, said);
}

}  // namespace penstock::mariadb
