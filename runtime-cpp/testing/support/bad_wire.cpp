#include "support/bad_wire.hpp"

namespace penstock::testing {
namespace {

constexpr Nanos kMs = 1'000'000;
constexpr std::size_t kIpHead = 20;
constexpr std::size_t kUdpHead = 8;
constexpr std::size_t kTcpHead = 20;
constexpr unsigned kTcp = 6;
constexpr unsigned kUdp = 17;

unsigned byte_at(const std::string& packet, std::size_t at) noexcept {
  return static_cast<unsigned char>(packet[at]);
}

/// Where what is carried begins, and where the sum over it stands; 0: it is no such packet.
struct Places {
  std::size_t segment = 0;
  std::size_t payload = 0;
  std::size_t sum = 0;
};
Places places_of(const std::string& packet) noexcept {
  if (packet.size() < kIpHead || byte_at(packet, 0) >> 4U != 4) return {};
  const std::size_t segment = std::size_t{byte_at(packet, 0) & 0xFU} * 4;
  switch (byte_at(packet, 9)) {
    case kTcp:
      if (packet.size() < segment + kTcpHead) return {};
      return {segment, segment + std::size_t{byte_at(packet, segment + 12) >> 4U} * 4,
              segment + 16};
    case kUdp:
      if (packet.size() < segment + kUdpHead) return {};
      return {segment, segment + kUdpHead, segment + 6};
    default:
      return {};
  }
}

/// The sum of the internet over the segment and what IP says of it (RFC 1071).
void make_right(std::string& packet, const Places& places) noexcept {
  packet[places.sum] = packet[places.sum + 1] = 0;
  std::uint32_t sum = byte_at(packet, 9);
  sum += static_cast<std::uint32_t>(packet.size() - places.segment);
  const auto add = [&](std::size_t from, std::size_t to) {
    for (std::size_t at = from; at < to; ++at)
      sum += byte_at(packet, at) << ((at - from) % 2 == 0 ? 8U : 0U);
  };
  add(12, kIpHead);  // both addresses
  add(places.segment, packet.size());
  while (sum >> 16U != 0) sum = (sum & 0xFFFFU) + (sum >> 16U);
  std::uint32_t right = ~sum & 0xFFFFU;
  if (right == 0) right = 0xFFFF;  // 0: UDP has none
  packet[places.sum] = static_cast<char>(right >> 8U);
  packet[places.sum + 1] = static_cast<char>(right);
}

}  // namespace

bool corrupt(std::string& packet, world::Random& random, bool sums) {
  const Places places = places_of(packet);
  if (places.payload == 0 || places.payload >= packet.size()) return false;
  const std::size_t at = places.payload + random.below(packet.size() - places.payload);
  packet[at] = static_cast<char>(byte_at(packet, at) ^ (1U + random.below(255)));
  if (sums) make_right(packet, places);
  return true;
}

void BadWire::take(std::string packet, Nanos now) {
  if (faults_.cut || draws(faults_.lost)) return;
  if (draws(faults_.corrupted)) corrupt(packet, random_, faults_.sums);
  if (draws(faults_.doubled)) send(packet, now);
  send(std::move(packet), now);
}

void BadWire::send(std::string packet, Nanos now) {
  Nanos due = now;
  if (faults_.kbit != 0) {
    free_at_ = std::max(free_at_, now);
    if (free_at_ - now > kLongestQueue) return;
    // Bits by the thousand a second are bits a millisecond.
    free_at_ += static_cast<Nanos>(packet.size()) * 8 * kMs / faults_.kbit;
    due = free_at_;
  }
  due += Nanos{faults_.delay_ms} * kMs;
  if (draws(faults_.reordered)) due += static_cast<Nanos>(random_.below(20)) * kMs;
  under_way_.push_back({due, count_++, std::move(packet)});
  std::push_heap(under_way_.begin(), under_way_.end());
}

std::string BadWire::give(Nanos now) {
  if (under_way_.empty() || under_way_.front().due > now) return {};
  std::pop_heap(under_way_.begin(), under_way_.end());
  std::string bytes = std::move(under_way_.back().bytes);
  under_way_.pop_back();
  return bytes;
}

}  // namespace penstock::testing
