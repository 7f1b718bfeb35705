#pragma once

#include <concepts>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace penstock::flow {

/// What may be done with the value of an event, whose type only registration knew.
struct ValueType {
  /// Null: nothing is to be done.
  void (*destroy)(void* value) noexcept = nullptr;
  /// Makes a copy in raw memory. Throws what the value's copy constructor throws.
  void (*copy)(const void* value, void* memory) = nullptr;
  /// Moves the value to raw memory; nothing is left where it was. Null: moving may throw.
  void (*move)(void* value, void* memory) noexcept = nullptr;
  /// Appends the value as JSON; null: its type has none.
  void (*append_json)(const void* value, std::string& out) = nullptr;
};

template <class T>
concept HasJson = requires(const T& value, std::string& out) { encode_json(value, out); };

template <class T>
void destroy_value(void* value) noexcept {
  std::destroy_at(static_cast<T*>(value));
}
template <std::copy_constructible T>
void copy_value(const void* value, void* memory) {
  ::new (memory) T(*static_cast<const T*>(value));
}
template <class T>
inline constexpr bool moves_safely =
    std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>;
template <class T>
void move_value(void* value, void* memory) noexcept {
  T& from = *static_cast<T*>(value);
  ::new (memory) T(std::move(from));
  std::destroy_at(&from);
}
template <HasJson T>
void append_json(const void* value, std::string& out) {
  encode_json(*static_cast<const T*>(value), out);
}
template <class T>
[[nodiscard]] constexpr ValueType describe_value() {
  ValueType type;
  if constexpr (!std::is_trivially_destructible_v<T>) type.destroy = &destroy_value<T>;
  type.copy = &copy_value<T>;
  if constexpr (moves_safely<T>) type.move = &move_value<T>;
  if constexpr (HasJson<T>) type.append_json = &append_json<T>;
  return type;
}

/// One for each type, so that its address names the type.
template <class T>
inline constexpr ValueType value_type = describe_value<T>();

}  // namespace penstock::flow
