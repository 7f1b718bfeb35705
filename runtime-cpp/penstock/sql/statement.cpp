#include "penstock/sql/statement.hpp"

#include <algorithm>
#include <cctype>

namespace penstock::sql {
namespace {

// `user_id`, `userId` and `USER_ID` are one name, as they are in JSON.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char letter : name) {
    if (letter != '_') {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
  }
  return plain;
}

std::string_view words(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::integer:
    case Value::Kind::unsigned_integer:
      return "an integer";
    case Value::Kind::real:
      return "a number";
    case Value::Kind::text:
      return "a text";
    case Value::Kind::bytes:
      return "bytes";
    case Value::Kind::null:
      break;
  }
  return "nothing";
}

}  // namespace

void throw_other_kind(std::string_view column, Value value, std::string_view wanted) {
  throw Error(ErrorCode::failed_precondition, "column " + std::string(column) + " holds " +
                                                  std::string(words(value.kind())) +
                                                  ", its field takes " + std::string(wanted));
}

void throw_does_not_fit(std::string_view column) {
  throw Error(ErrorCode::out_of_range,
              "the number in column " + std::string(column) + " does not fit into its field");
}

void Rows::match(const std::vector<std::string>& fields, const std::vector<std::string>& columns) {
  columns_.assign(fields.size(), -1);
  // A statement without fields (an INSERT, a mode that throws rows away) may give what it likes.
  if (fields.empty()) return;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const auto same = [&](const std::string& field) {
      return plain_name(field) == plain_name(columns[column]);
    };
    const auto field = std::find_if(fields.begin(), fields.end(), same);
    if (field == fields.end()) {
      throw Error(ErrorCode::failed_precondition,
                  "column " + columns[column] +
                      " is no field of the response: name it with AS, or leave it out");
    }
    columns_[static_cast<std::size_t>(field - fields.begin())] = static_cast<int>(column);
  }
}

std::int64_t Statement::execute(std::initializer_list<Value> values) {
  Rows& rows = backend_->run({values.begin(), values.size()});
  const Result result(*backend_, rows, fields_);
  while (rows.next()) {
    // An INSERT ... RETURNING: what it returns is read to the end, so that it is done.
  }
  return rows.changed();
}

}  // namespace penstock::sql
