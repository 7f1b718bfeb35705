#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>

namespace penstock::call {

/// The number that stands for a field's value among the partitions: equal values, equal numbers.
/// Integers, bools, enums, strings, and optional ones of them (none is a value, too).
template <class Field>
[[nodiscard]] std::uint64_t key_of(const Field& value) noexcept {
  if constexpr (std::is_enum_v<Field> || std::is_integral_v<Field>) {
    return static_cast<std::uint64_t>(value);
  } else {
    static_assert(std::is_convertible_v<const Field&, std::string_view>,
                  "partitions are by an integer, bool, enum or string");
    return std::hash<std::string_view>{}(value);
  }
}
template <class Field>
[[nodiscard]] std::uint64_t key_of(const std::optional<Field>& value) noexcept {
  return value.has_value() ? key_of(*value) : 0x6E6F6E65U;
}

/// A handler class says by which field of its requests it is partitioned:
/// `static constexpr auto partition_by = &Order::customer;`
template <class H>
concept Partitioned = requires { H::partition_by; };

}  // namespace penstock::call
