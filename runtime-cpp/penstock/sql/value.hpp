#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace penstock::sql {

/// A value on its way into a statement or out of a column. It refers to the text it was made from:
/// valid as long as the message's field, or until the next row.
class Value {
 public:
  enum class Kind : std::uint8_t { null, integer, unsigned_integer, real, text, bytes };

  constexpr Value() noexcept = default;
  template <class T>
    requires std::integral<T>
  constexpr Value(T number) noexcept  // NOLINT(google-explicit-constructor): fields become values
      : kind_(std::is_unsigned_v<T> && sizeof(T) == 8 ? Kind::unsigned_integer : Kind::integer),
        integer_(static_cast<std::int64_t>(number)) {}
  template <class T>
    requires std::is_enum_v<T>
  constexpr Value(T value) noexcept  // NOLINT(google-explicit-constructor)
      : Value(static_cast<std::underlying_type_t<T>>(value)) {}
  template <class T>
    requires std::floating_point<T>
  constexpr Value(T number) noexcept  // NOLINT(google-explicit-constructor)
      : kind_(Kind::real), real_(static_cast<double>(number)) {}
  constexpr Value(std::string_view text) noexcept  // NOLINT(google-explicit-constructor)
      : kind_(Kind::text), text_(text) {}
  Value(const std::string& text) noexcept  // NOLINT(google-explicit-constructor)
      : Value(std::string_view(text)) {}
  template <class T>
  constexpr Value(const std::optional<T>& field) noexcept  // NOLINT(google-explicit-constructor)
      : Value(field ? Value(*field) : Value()) {}

  [[nodiscard]] constexpr Kind kind() const noexcept { return kind_; }
  [[nodiscard]] constexpr bool is_null() const noexcept { return kind_ == Kind::null; }
  /// Of `integer`, and the bits of `unsigned_integer`.
  [[nodiscard]] constexpr std::int64_t integer() const noexcept { return integer_; }
  [[nodiscard]] constexpr double real() const noexcept { return real_; }
  /// Of `text` and `bytes`.
  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }

 private:
  friend constexpr Value bytes(std::string_view data) noexcept;

  Kind kind_ = Kind::null;
  std::int64_t integer_ = 0;
  double real_ = 0;
  std::string_view text_;
};

/// Bytes that are no text: a blob.
[[nodiscard]] constexpr Value bytes(std::string_view data) noexcept {
  Value value(data);
  value.kind_ = Value::Kind::bytes;
  return value;
}
template <std::same_as<std::optional<std::string>> Field>
[[nodiscard]] Value bytes(const Field& data) noexcept {
  return data ? bytes(std::string_view(*data)) : Value();
}

}  // namespace penstock::sql
