#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "penstock/json/reader.hpp"

namespace penstock::json {

namespace {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Length of the JSON number that `text` starts with (RFC 8259); 0: none.
std::size_t number_length(std::string_view text) noexcept {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t from = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - from;
  };
  if (at < text.size() && text[at] == '-') ++at;
  if (at < text.size() && text[at] == '0') {
    ++at;
  } else if (digits() == 0) {
    return 0;
  }
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0) return 0;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return 0;
  }
  return at;
}

/// Whether a number that no double holds is so because it is large, not because it is small: by
/// where its first digit stands, as 0.00...1 has no exponent and 100...0e-1 has one below 0.
bool is_large(std::string_view number) noexcept {
  constexpr std::int64_t kFarthest = 1'000'000'000'000;
  const std::size_t mantissa_end = std::min(number.find_first_of("eE"), number.size());
  std::int64_t exponent = 0;
  if (mantissa_end != number.size()) {
    std::string_view text = number.substr(mantissa_end + 1);
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto read = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (read.ec != std::errc{}) exponent = text.starts_with('-') ? -kFarthest : kFarthest;
  }
  const std::string_view mantissa = number.substr(0, mantissa_end);
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const auto ahead = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  return ahead + std::clamp(exponent, -kFarthest, kFarthest) > 0;
}

}  // namespace

std::string_view JsonReader::peek_number() {
  if (kind() != Kind::number) return {};
  return text_.substr(at_, number_length(text_.substr(at_)));
}

std::optional<std::string_view> JsonReader::number_text(std::string_view wanted) {
  const Kind found = kind();
  if (found == Kind::text) {
    if (!text(scratch_)) return std::nullopt;
    return scratch_;
  }
  if (found != Kind::number) {
    mismatch(wanted);
    return std::nullopt;
  }
  const std::string_view digits = peek_number();
  if (digits.empty()) {
    fail("is no number");
    return std::nullopt;
  }
  at_ += digits.size();
  return digits;
}

bool JsonReader::whole(std::string_view wanted, std::int64_t low, std::uint64_t high,
                       std::uint64_t& value) {
  const std::optional<std::string_view> digits = number_text(wanted);
  if (!digits) return false;
  const char* const end = digits->data() + digits->size();
  const bool negative = digits->starts_with('-');
  const auto refuse = [&] {
    return fail_here("is " + std::string(digits->substr(0, 40)) + ", not " + std::string(wanted));
  };
  if (digits->empty() || number_length(*digits) != digits->size()) return refuse();
  if (digits->find_first_of(".eE") == std::string_view::npos) {
    if (negative) {
      std::int64_t number = 0;
      const auto read = std::from_chars(digits->data(), end, number);
      if (read.ec != std::errc{} || number < low) return refuse();
      value = static_cast<std::uint64_t>(number);
      return true;
    }
    const auto read = std::from_chars(digits->data(), end, value);
    return read.ec == std::errc{} && value <= high ? true : refuse();
  }
  // 1.0 and 1e3 are whole, too; beyond 2^53 such a text no longer says which number is meant.
  double number = 0;
  const auto read = std::from_chars(digits->data(), end, number);
  if (read.ec != std::errc{} || !(std::abs(number) <= 9007199254740992.0) ||
      std::trunc(number) != number || number < static_cast<double>(low) ||
      (number > 0 && static_cast<std::uint64_t>(number) > high)) {
    return refuse();
  }
  value = static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  return true;
}

bool JsonReader::floating(double& value) {
  const std::optional<std::string_view> digits = number_text("a number");
  if (!digits) return false;
  if (*digits == "NaN") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (*digits == "Infinity") {
    value = std::numeric_limits<double>::infinity();
  } else if (*digits == "-Infinity") {
    value = -std::numeric_limits<double>::infinity();
  } else if (digits->empty() || number_length(*digits) != digits->size()) {
    return fail_here("is a string, not a number");
  } else if (const auto read =
                 std::from_chars(digits->data(), digits->data() + digits->size(), value);
             read.ec == std::errc::result_out_of_range) {
    // Too small is 0, as any rounding; too large is no number.
    if (is_large(*digits)) return fail_here("is too large for a number");
    value = 0;
  }
  return true;
}

}  // namespace penstock::json
