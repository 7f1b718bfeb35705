#include "penstock/net/layers/acknowledgement.hpp"

#include <algorithm>

#include "penstock/net/layers/packet.hpp"

namespace penstock::net::layers {
namespace {

constexpr std::uint64_t kMostOfOne = 0xFFFF;
constexpr Nanos kDelayUnit = 16'000;

}  // namespace

Received::Came Received::note(std::uint64_t number) noexcept {
  std::size_t place = 0;
  while (place < count_ && ranges_[place].low > number + 1) ++place;
  const Came how = number == next_ ? Came::in_order : Came::out_of_order;
  if (number >= next_) next_ = number + 1;
  if (place < count_ && number <= ranges_[place].high + 1) {
    Range& range = ranges_[place];
    if (number >= range.low && number <= range.high) return Came::again;
    if (number + 1 == range.low) {
      range.low = number;
      if (place + 1 < count_ && ranges_[place + 1].high + 1 == number) {
        range.low = ranges_[place + 1].low;
        remove(place + 1);
      }
      return Came::out_of_order;
    }
    range.high = number;
    return how;
  }
  if (place == kMostRanges) return Came::again;  // too long ago to be told
  if (count_ == kMostRanges) --count_;
  std::copy_backward(ranges_.begin() + place, ranges_.begin() + count_,
                     ranges_.begin() + count_ + 1);
  ranges_[place] = {number, number};
  ++count_;
  return how;
}

void Received::remove(std::size_t place) noexcept {
  std::copy(ranges_.begin() + place + 1, ranges_.begin() + count_, ranges_.begin() + place);
  --count_;
}

char* Acknowledgement::write(char* to, std::span<const Range> ranges, Nanos delay) noexcept {
  const auto cut = [](std::uint64_t packets) {
    return static_cast<std::uint16_t>(std::min(packets, kMostOfOne));
  };
  const Range& highest = ranges.front();
  to = wire::put(to, static_cast<std::uint32_t>(highest.high));
  to = wire::put(to, cut(static_cast<std::uint64_t>(std::max<Nanos>(delay, 0) / kDelayUnit)));
  char* const count_at = to++;
  to = wire::put(to, cut(highest.high - highest.low));
  std::uint8_t written = 0;
  std::uint64_t low = highest.high - cut(highest.high - highest.low);
  for (const Range& range : ranges.subspan(1)) {
    const std::uint64_t missing = low - range.high - 1;
    if (missing == 0 || missing - 1 > kMostOfOne) break;
    to = wire::put(to, cut(missing - 1));
    to = wire::put(to, cut(range.high - range.low));
    low = range.high - cut(range.high - range.low);
    ++written;
  }
  *count_at = static_cast<char>(written);
  return to;
}

bool Acknowledgement::read(wire::Taker& taker, std::uint64_t next) noexcept {
  std::uint32_t highest = 0;
  std::uint16_t ago = 0;
  std::uint8_t further = 0;
  std::uint16_t below = 0;
  if (!taker.take(highest) || !taker.take(ago) || !taker.take(further) || !taker.take(below))
    return false;
  if (further >= ranges.size()) return false;
  const std::uint64_t high = whole_number(highest, next - 1);
  if (high >= next || high < kNumbersFrom) return false;
  delay = ago * kDelayUnit;
  ranges[0] = {high - below, high};
  count = 1;
  while (count <= further) {
    std::uint16_t missing = 0;
    if (!taker.take(missing) || !taker.take(below)) return false;
    const std::uint64_t end = ranges[count - 1].low - missing - 2;
    ranges[count++] = {end - below, end};
  }
  // From 2^32 on, so that none of the subtractions above went below zero.
  return ranges[count - 1].low >= kNumbersFrom;
}

}  // namespace penstock::net::layers
