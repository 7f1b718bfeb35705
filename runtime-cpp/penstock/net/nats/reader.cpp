#include "penstock/net/nats/reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace penstock::net::nats {
namespace {

constexpr std::string_view kEnd = "\r\n";
constexpr std::size_t kMostDigits = 9;

template <class Number>
std::optional<Number> number_of(std::string_view word) {
  if (word.empty() || word.size() > kMostDigits) return std::nullopt;
  Number number = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
  if (read.ec != std::errc{} || read.ptr != word.data() + word.size()) return std::nullopt;
  return number;
}

/// The next word, taken off.
std::string_view take_word(std::string_view& words) {
  words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
  const std::string_view word = words.substr(0, words.find_first_of(" \t"));
  words.remove_prefix(word.size());
  return word;
}

bool is_operation(std::string_view word, std::string_view operation) {
  return std::equal(word.begin(), word.end(), operation.begin(), operation.end(),
                    [](char one, char upper) {
                      return one == upper || (one >= 'a' && one <= 'z' && one - 'a' + 'A' == upper);
                    });
}

}  // namespace

bool Reader::take(std::string_view bytes) {
  while (!bytes.empty()) {
    if (expects_ == Expects::line) {
      const std::size_t end = bytes.find('\n');
      const std::string_view piece = bytes.substr(0, end);
      if (kept_.size() + piece.size() > kLongestLine) return false;
      kept_ += piece;
      if (end == std::string_view::npos) return true;
      bytes.remove_prefix(end + 1);
      if (kept_.empty() || kept_.back() != '\r') return false;
      kept_.pop_back();
      line_.swap(kept_);
      kept_.clear();
      if (!take_line(line_)) return false;
      continue;
    }
    const std::size_t taken = std::min(bytes.size(), to_come_);
    if (expects_ == Expects::payload) kept_ += bytes.substr(0, taken);
    bytes.remove_prefix(taken);
    to_come_ -= taken;
    if (to_come_ == 0 && !end_payload()) return false;
  }
  return true;
}

bool Reader::take_line(std::string_view line) {
  const std::string_view operation = take_word(line);
  if (is_operation(operation, "MSG")) return begin_message(line);
  if (is_operation(operation, "PING")) {
    listener_.ping();
  } else if (is_operation(operation, "PONG")) {
    listener_.pong();
  } else if (is_operation(operation, "INFO")) {
    listener_.info(line);
  } else if (is_operation(operation, "-ERR")) {
    listener_.error(line);
  } else {
    return is_operation(operation, "+OK");
  }
  return true;
}

// MSG subject subscription [reply] bytes
bool Reader::begin_message(std::string_view words) {
  constexpr std::size_t kMostWords = 4;
  std::array<std::string_view, kMostWords> each;
  std::size_t count = 0;
  for (std::string_view word = take_word(words); !word.empty(); word = take_word(words)) {
    if (count == kMostWords) return false;
    each[count++] = word;
  }
  if (count < kMostWords - 1) return false;
  const auto subscription = number_of<std::uint64_t>(each[1]);
  const auto bytes = number_of<std::size_t>(each[count - 1]);
  if (!subscription || !bytes) return false;
  message_ = {*subscription, count == kMostWords ? each[2] : std::string_view{}, {}};
  to_come_ = *bytes + kEnd.size();
  expects_ = *bytes > kLargestPayload ? Expects::passed_over : Expects::payload;
  return true;
}

bool Reader::end_payload() {
  const bool kept = expects_ == Expects::payload;
  expects_ = Expects::line;
  if (!kept) return true;
  if (!std::string_view(kept_).ends_with(kEnd)) return false;
  message_.payload = std::string_view(kept_).substr(0, kept_.size() - kEnd.size());
  listener_.message(message_);
  kept_.clear();
  return true;
}

}  // namespace penstock::net::nats
