#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <penstock/json/error.hpp>
#include <string>
#include <string_view>
#include <type_traits>

namespace penstock::json {

/// What is nested deeper than this is refused: the text may come from anyone.
inline constexpr std::size_t kMostLevels = 100;

template <class T>
concept Number = std::integral<T> || std::floating_point<T>;

/// A JSON text that anyone may have sent, read value by value from the front: no document in
/// between, every byte looked at once, nesting bounded by a counter. A byte order mark is skipped;
/// comments and bytes that are no UTF-8 are refused. What goes wrong first is kept with its place;
/// after that every read fails.
class JsonReader {
 public:
  enum class Kind : std::uint8_t { object, list, text, number, boolean, null, none };

  /// `text` outlives it; `most_levels` is at most kMostLevels.
  explicit JsonReader(std::string_view text, std::size_t most_levels = kMostLevels);

  /// What the next value is; none: no value starts here.
  [[nodiscard]] Kind kind();
  /// Takes a `null`; false: the next value is another one.
  bool take_null();

  /// Enter an object or a list; then next_key() or next_element() until false, for which failed()
  /// tells the end from an error.
  bool enter_object();
  bool next_key();
  /// Of the present member, with its escapes undone; until the next read of a key.
  [[nodiscard]] std::string_view key() const noexcept { return key_; }
  bool enter_list();
  bool next_element();

  bool boolean(bool& value);
  /// A number, or a text that holds one (proto3's rule for whole numbers of 64 bits).
  template <Number T>
  bool number(T& value);
  /// The number that is next, as it is written; empty: none is.
  [[nodiscard]] std::string_view peek_number();
  bool text(std::string& value);
  /// Base64, of either alphabet, padded or not.
  bool bytes(std::string& value);

  /// Takes the next value, whatever it is.
  bool skip();

  /// Nothing may follow the value.
  bool end();

  /// Always false.
  bool fail(std::string reason);
  /// The same, about the present member or element as a whole, at its beginning.
  bool fail_here(std::string reason);
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  [[nodiscard]] JsonError take_error() && { return std::move(error_); }

 private:
  /// Not initialised: a reader of a short text would spend most of its time with that.
  struct Level {
    bool list;
    bool fresh;          // nothing read in it yet
    std::size_t index;   // of the present element
    std::size_t key_at;  // where the present member's name starts; 0: none does
  };

  void skip_blanks() noexcept;
  /// The end of what needs no second look: a quote, a backslash, a control character, a byte that
  /// is no ASCII, or the end of the text.
  [[nodiscard]] std::size_t plain_until(std::size_t from) const noexcept;
  bool read_key();
  bool enter(char open, std::string_view wanted, bool list);
  bool literal(std::string_view word);
  /// The text of the next number, with or without quotes; nothing: there is none.
  std::optional<std::string_view> number_text(std::string_view wanted);
  bool whole(std::string_view wanted, std::int64_t low, std::uint64_t high, std::uint64_t& value);
  bool floating(double& value);
  bool escape(std::string& value);
  bool four_hex(std::uint32_t& value);
  bool mismatch(std::string_view wanted);
  [[nodiscard]] std::string pointer() const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t value_at_ = 0;  // where the present value starts
  std::size_t depth_ = 0;
  std::size_t most_levels_;
  std::array<Level, kMostLevels> levels_;
  std::string_view key_;
  std::string unescaped_key_;
  std::string scratch_;
  bool failed_ = false;
  JsonError error_;
};

template <Number T>
bool JsonReader::number(T& value) {
  if constexpr (std::floating_point<T>) {
    double wide = 0;
    if (!floating(wide)) return false;
    if constexpr (sizeof(T) < sizeof(double)) {
      // From here on it rounds to infinity.
      if (std::abs(wide) >= 0x1.ffffffp127 && std::isfinite(wide)) {
        return fail_here("is too large for a number");
      }
    }
    value = static_cast<T>(wide);
    return true;
  } else {
    constexpr bool kSigned = std::is_signed_v<T>;
    constexpr std::size_t kBits = sizeof(T) * 8;
    constexpr auto kHigh = static_cast<std::uint64_t>(
        kSigned ? (std::uint64_t{1} << (kBits - 1)) - 1 : ~std::uint64_t{0} >> (64 - kBits));
    constexpr std::int64_t kLow = kSigned ? -static_cast<std::int64_t>(kHigh) - 1 : 0;
    std::uint64_t bits = 0;
    if (!whole(kSigned ? (kBits == 32 ? "a whole number of 32 bits" : "a whole number of 64 bits")
                       : (kBits == 32 ? "a whole number from 0 of 32 bits"
                                      : "a whole number from 0 of 64 bits"),
               kLow, kHigh, bits)) {
      return false;
    }
    value = static_cast<T>(bits);
    return true;
  }
}

}  // namespace penstock::json
