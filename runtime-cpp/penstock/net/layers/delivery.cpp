#include "penstock/net/layers/delivery.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "penstock/net/wire/bytes.hpp"

namespace penstock::net::layers {
namespace {

/// No end sends as many datagrams without one that comes.
constexpr std::uint64_t kMostAhead = 1U << 16U;

}  // namespace

Delivery::Delivery(std::size_t datagram, const Limits& limits, Nanos now)
    : limits_(limits),
      slots_(std::make_unique<Slot[]>(kWindow)),
      sent_(std::make_unique<Sent[]>(kSentKept)),
      first_place_(kNumbersFrom + limits.first_number),
      unsent_place_(first_place_),
      next_place_(first_place_),
      lost_from_(first_place_),
      first_number_(first_place_),
      next_number_(first_place_),
      datagram_(datagram),
      round_trip_(limits.round_trip),
      congestion_(datagram),
      heard_(now),
      waiting_(now),
      received_(first_place_),
      expected_(first_place_) {}

Nanos Delivery::next() const noexcept {
  Nanos first = acknowledge_at_;
  for (const Nanos at : {lost_at_, paced_at_, probe_at(), ping_at()})
    if (at != 0 && (first == 0 || at < first)) first = at;
  return first;
}

// --- what goes ---

void Delivery::keep(std::string_view bytes, std::size_t headroom) {
  Slot& kept = slot(next_place_);
  kept.buffer = buffers_.take(datagram_);
  kept.size = static_cast<std::uint32_t>(bytes.size());
  kept.lost = kept.went = false;
  if (!bytes.empty()) std::memcpy(kept.buffer + headroom, bytes.data(), bytes.size());
  ++next_place_;
}

std::uint64_t Delivery::next_to_send(Nanos now) noexcept {
  paced_at_ = 0;
  if (failed_ || !has_to_send() || !congestion_.has_room()) return 0;
  if (next_number_ - first_number_ == kSentKept) return 0;
  const Nanos at = congestion_.may_go(now, round_trip_.smoothed());
  if (at > now) {
    paced_at_ = at;
    return 0;
  }
  if (lost_count_ == 0) return unsent_place_++;
  std::uint64_t place = std::max(lost_from_, first_place_);
  while (!slot(place).lost) ++place;
  lost_from_ = place + 1;
  return place;
}

void Delivery::write_head(Packet& packet, std::uint64_t place, Nanos now) noexcept {
  const std::uint64_t number = next_number_++;
  std::uint8_t what = kPings;
  if (place != kPingPlace) {
    what = kHasPacket;
    wire::put(packet.prepend(4), static_cast<std::uint32_t>(place));
    Slot& kept = slot(place);
    if (kept.lost) {
      kept.lost = false;
      --lost_count_;
    }
    if (std::exchange(kept.went, true)) ++figures_.sent_again;
  }
  wire::put(packet.prepend(4), static_cast<std::uint32_t>(number));
  if (unacknowledged_ != 0) {
    what |= kAcknowledges;
    std::array<char, kHeader> bytes;  // NOLINT: written before it is read
    const char* const end = write_acknowledgement(bytes.data(), kRangesAlong, now);
    const auto size = static_cast<std::size_t>(end - bytes.data());
    std::memcpy(packet.prepend(size), bytes.data(), size);
  }
  *packet.prepend(1) = static_cast<char>(what);
  if (congestion_.under_way() == 0) waiting_ = now;
  sent_at_ = now;
  sent(number) = {place, now, static_cast<std::uint32_t>(packet.size)};
  congestion_.sent(packet.size);
  ++figures_.sent;
}

Nanos Delivery::probe_at() const noexcept {
  if (congestion_.under_way() == 0 || failed_) return 0;
  const Nanos wait = (round_trip_.timeout() + limits_.delay) << std::min(probes_, 16U);
  return sent_at_ + std::min(wait, std::max(limits_.most_backoff, round_trip_.timeout()));
}

Nanos Delivery::ping_at() const noexcept {
  if (limits_.keep_alive == 0 || congestion_.under_way() != 0 || failed_) return 0;
  return std::max(heard_, sent_at_) + limits_.keep_alive;
}

bool Delivery::begins_probe(Nanos now) noexcept {
  // Not for one packet that was lost: it goes again first.
  if (probes_ != 0 && now - std::max(heard_, waiting_) >= limits_.give_up) {
    failed_ = true;
    lost_at_ = 0;
    return false;
  }
  if (++probes_ == kThreshold) congestion_.persists(next_number_);
  // Two more numbers must be free: what was sent that long ago has not come.
  while (next_number_ + 2 - first_number_ > kSentKept) lose(first_number_++);
  return true;
}

std::uint64_t Delivery::oldest_under_way(std::uint64_t from) noexcept {
  for (std::uint64_t place = from; place < unsent_place_; ++place)
    if (slot(place).buffer != nullptr) return place;
  return 0;
}

// --- what the other end says of it ---

void Delivery::take(const Acknowledgement& acknowledgement, Nanos now) noexcept {
  const std::uint64_t highest = acknowledgement.ranges[0].high;
  if (highest >= first_number_ && sent(highest).size != 0) {
    round_trip_.measured(now - sent(highest).at, acknowledgement.delay);
    probes_ = 0;
  }
  for (std::size_t at = 0; at < acknowledgement.count; ++at) {
    const Range& range = acknowledgement.ranges[at];
    for (std::uint64_t number = std::max(range.low, first_number_); number <= range.high; ++number)
      came(number);
  }
  highest_acknowledged_ = std::max(highest_acknowledged_, highest);
  find_lost(now);
}

void Delivery::came(std::uint64_t number) noexcept {
  Sent& one = sent(number);
  if (one.size == 0) return;
  congestion_.acknowledged(one.size, number);
  one.size = 0;
  if (one.place < first_place_) return;  // a ping, or it came under another number
  Slot& kept = slot(one.place);
  if (kept.buffer == nullptr) return;
  buffers_.give(kept.buffer);
  kept.buffer = nullptr;
  if (kept.lost) {
    kept.lost = false;
    --lost_count_;
  }
  while (first_place_ < unsent_place_ && slot(first_place_).buffer == nullptr) ++first_place_;
}

void Delivery::find_lost(Nanos now) noexcept {
  lost_at_ = 0;
  const Nanos lost_after = round_trip_.lost_after();
  for (std::uint64_t number = first_number_; number < highest_acknowledged_; ++number) {
    Sent& one = sent(number);
    if (one.size == 0) continue;
    if (highest_acknowledged_ - number < kThreshold && one.at + lost_after > now) {
      lost_at_ = one.at + lost_after;
      break;  // those after it were sent later
    }
    lose(number);
  }
  while (first_number_ < next_number_ && sent(first_number_).size == 0) ++first_number_;
}

void Delivery::lose(std::uint64_t number) noexcept {
  Sent& one = sent(number);
  if (one.size == 0) return;
  congestion_.lost(one.size, number, next_number_);
  one.size = 0;
  if (one.place < first_place_) return;
  Slot& kept = slot(one.place);
  if (kept.buffer == nullptr || kept.lost) return;
  kept.lost = true;
  ++lost_count_;
  lost_from_ = std::min(lost_from_, one.place);
}

// --- what comes ---

std::optional<std::string_view> Delivery::take(std::string_view datagram, Nanos now) {
  wire::Taker taker(datagram);
  std::uint8_t what = 0;
  Acknowledgement acknowledgement;
  std::uint32_t number = 0;
  std::uint32_t place = 0;
  const bool sound = taker.take(what) && what != 0 && what <= kEnds &&
                     (what & (kHasPacket | kPings)) != 6 &&
                     (what == kEnds || (what & kEnds) == 0) &&
                     ((what & kAcknowledges) == 0 || acknowledgement.read(taker, next_number_)) &&
                     ((what & (kHasPacket | kPings)) == 0 || taker.take(number)) &&
                     ((what & kHasPacket) == 0 || taker.take(place)) &&
                     ((what & kHasPacket) != 0 || taker.left().empty());
  const std::uint64_t whole_place = whole_number(place, expected_);
  const std::uint64_t highest =
      received_.ranges().empty() ? expected_ : received_.ranges().front().high;
  const std::uint64_t whole = whole_number(number, highest);
  if (!sound || ((what & kHasPacket) != 0 && whole_place >= expected_ + kWindow) ||
      whole < kNumbersFrom || whole > highest + kMostAhead) {
    ++figures_.malformed;
    return std::nullopt;
  }
  heard_ = now;
  if (what == kEnds) {
    ended_ = true;
    return std::nullopt;
  }
  if ((what & kAcknowledges) != 0) take(acknowledgement, now);
  if ((what & (kHasPacket | kPings)) != 0) note_received(whole, now);
  if ((what & kHasPacket) == 0) return std::nullopt;
  if (!is_new(whole_place)) {
    ++figures_.came_again;
    return std::nullopt;
  }
  ++figures_.came;
  return taker.left();
}

bool Delivery::is_new(std::uint64_t place) noexcept {
  if (place < expected_ || seen_[place % kWindow]) return false;
  seen_[place % kWindow] = true;
  while (seen_[expected_ % kWindow]) seen_[expected_++ % kWindow] = false;
  return true;
}

// One that is out of order is told at once, so that the other end learns of what is missing.
void Delivery::note_received(std::uint64_t number, Nanos now) noexcept {
  const auto ranges = received_.ranges();
  if (ranges.empty() || number > ranges.front().high) highest_came_ = now;
  const Received::Came how = received_.note(number);
  ++unacknowledged_;
  const bool at_once = how != Received::Came::in_order || unacknowledged_ >= 2;
  const Nanos due = at_once ? now : now + limits_.delay;
  if (acknowledge_at_ == 0 || due < acknowledge_at_) acknowledge_at_ = due;
}

char* Delivery::write_acknowledgement(char* to, std::size_t ranges, Nanos now) noexcept {
  const auto all = received_.ranges();
  unacknowledged_ = 0;
  acknowledge_at_ = 0;
  return Acknowledgement::write(to, all.first(std::min(all.size(), ranges)), now - highest_came_);
}

}  // namespace penstock::net::layers
