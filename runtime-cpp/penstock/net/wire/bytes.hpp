#pragma once

#include <bit>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace penstock::net::wire {

static_assert(std::endian::native == std::endian::little, "the wire is little-endian");

template <class Number>
char* put(char* at, Number number) noexcept {
  static_assert(std::is_integral_v<Number>);
  std::memcpy(at, &number, sizeof number);
  return at + sizeof number;
}

inline char* put_text(char* at, std::string_view text) noexcept {
  if (text.empty()) return at;
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

/// Takes numbers and texts from the front of bytes, as far as there are any.
class Taker {
 public:
  explicit Taker(std::string_view bytes) noexcept : left_(bytes) {}

  template <class Number>
  [[nodiscard]] bool take(Number& number) noexcept {
    static_assert(std::is_integral_v<Number>);
    if (left_.size() < sizeof number) return false;
    std::memcpy(&number, left_.data(), sizeof number);
    left_.remove_prefix(sizeof number);
    return true;
  }
  [[nodiscard]] bool take(std::size_t size, std::string_view& text) noexcept {
    if (left_.size() < size) return false;
    text = left_.substr(0, size);
    left_.remove_prefix(size);
    return true;
  }
  [[nodiscard]] std::string_view left() const noexcept { return left_; }

 private:
  std::string_view left_;
};

}  // namespace penstock::net::wire
