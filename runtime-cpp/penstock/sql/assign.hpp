#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "penstock/error.hpp"
#include "penstock/sql/value.hpp"

namespace penstock::sql {

/// Throws Error(failed_precondition): the column holds another kind of value than its field takes.
[[noreturn]] void throw_other_kind(std::string_view column, Value value, std::string_view wanted);
/// Throws Error(out_of_range).
[[noreturn]] void throw_does_not_fit(std::string_view column);

/// Puts a column's value into a field. NULL leaves a field as it is, and empties an optional one.
/// Never changes a value on the way: a text is no number, 300 is no 8-bit one, 1.5 no integer.
template <class T>
void assign(T& field, Value value, std::string_view column);

namespace detail {

template <class T>
void assign_integer(T& field, Value value, std::string_view column) {
  if (value.kind() == Value::Kind::unsigned_integer) {
    const auto number = static_cast<std::uint64_t>(value.integer());
    if (!std::in_range<T>(number)) throw_does_not_fit(column);
    field = static_cast<T>(number);
  } else if (value.kind() == Value::Kind::integer) {
    if (!std::in_range<T>(value.integer())) throw_does_not_fit(column);
    field = static_cast<T>(value.integer());
  } else if (value.kind() == Value::Kind::real && value.real() == std::trunc(value.real()) &&
             std::abs(value.real()) < 9007199254740992.0 &&
             std::in_range<T>(static_cast<std::int64_t>(value.real()))) {
    field = static_cast<T>(value.real());
  } else {
    throw_other_kind(column, value, "an integer");
  }
}

template <class T>
void assign_real(T& field, Value value, std::string_view column) {
  switch (value.kind()) {
    case Value::Kind::real:
      if constexpr (sizeof(T) < sizeof(double)) {
        // From here on it rounds to infinity.
        if (std::abs(value.real()) >= 0x1.ffffffp127 && std::isfinite(value.real())) {
          throw_does_not_fit(column);
        }
      }
      field = static_cast<T>(value.real());
      break;
    case Value::Kind::integer:
      field = static_cast<T>(value.integer());
      break;
    case Value::Kind::unsigned_integer:
      field = static_cast<T>(static_cast<std::uint64_t>(value.integer()));
      break;
    default:
      throw_other_kind(column, value, "a number");
  }
}

}  // namespace detail

template <class T>
void assign(std::optional<T>& field, Value value, std::string_view column) {
  if (value.is_null()) {
    field.reset();
  } else {
    assign(field.emplace(), value, column);
  }
}

template <class T>
void assign(T& field, Value value, std::string_view column) {
  if (value.is_null()) return;
  if constexpr (std::is_same_v<T, bool>) {
    std::int64_t number = 0;
    detail::assign_integer(number, value, column);
    field = number != 0;
  } else if constexpr (std::is_enum_v<T>) {
    auto number = static_cast<std::underlying_type_t<T>>(field);
    detail::assign_integer(number, value, column);
    field = static_cast<T>(number);
  } else if constexpr (std::is_integral_v<T>) {
    detail::assign_integer(field, value, column);
  } else if constexpr (std::is_floating_point_v<T>) {
    detail::assign_real(field, value, column);
  } else {
    if (value.kind() != Value::Kind::text && value.kind() != Value::Kind::bytes) {
      throw_other_kind(column, value, "a text");
    }
    field.assign(value.text());
  }
}

}  // namespace penstock::sql
