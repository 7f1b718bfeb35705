#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "penstock/net/layers/acknowledgement.hpp"
#include "penstock/net/layers/buffers.hpp"
#include "penstock/net/layers/congestion.hpp"
#include "penstock/net/layers/packet.hpp"
#include "penstock/net/layers/round_trip.hpp"

namespace penstock::net::layers {

/// Each packet comes once, in whatever order, as long as the other end is there. A packet is sent
/// again, under a new number, when others sent after it have come (RFC 9002) or nothing does.
///
/// On the wire: u8 what there is (1: an acknowledgement, 2: a packet, 4: a ping, 8: the end), the
/// acknowledgement, then of a packet u32 its number, u32 its place and its bytes, of a ping its
/// number.
class Delivery {
 public:
  struct Limits {
    Nanos round_trip = 100'000'000;  ///< expected until it is known
    Nanos delay = 1'000'000;  ///< with which an acknowledgement waits for a packet to go along
    Nanos most_backoff = 1'000'000'000;  ///< from one try to the next one, where nothing comes
    Nanos give_up = 20'000'000'000;      ///< of no word on what went twice
    Nanos keep_alive = 0;                ///< of silence, then a ping; 0: none
    std::uint32_t first_number = 0;      ///< of packets and places, the same at both ends
  };
  static constexpr std::size_t kRangesAlong = 4;
  static constexpr std::size_t kHeader =
      1 + Acknowledgement::kHead + (kRangesAlong - 1) * Acknowledgement::kEach + 8;

  struct Figures {
    std::uint64_t sent = 0;        ///< datagrams with a packet or a ping
    std::uint64_t sent_again = 0;  ///< of those
    std::uint64_t came = 0;        ///< packets, each once
    std::uint64_t came_again = 0;
    std::uint64_t malformed = 0;  ///< datagrams that no end sends, dropped
  };

  /// `datagram`: bytes of the largest one of the transport.
  Delivery(std::size_t datagram, const Limits& limits, Nanos now);

  // --- a layer ---

  template <class At>
  bool send(Packet packet, At at) {
    static_assert(At::kMost > kHeader + Acknowledgement::kMostBytes);
    if (room(1) == 0) return false;
    keep(packet.bytes(), At::kHeadroom + kHeader);
    push(at);
    return true;
  }
  template <class At>
  void receive(std::string_view datagram, At at) {
    if (const auto packet = take(datagram, at.now())) at.receive(*packet);
    push(at);
  }
  template <class At>
  void timer(At at) {
    const Nanos now = at.now();
    if (lost_at_ != 0 && now >= lost_at_) find_lost(now);
    if (const Nanos due = probe_at(); due != 0 && now >= due) probe(now, at);
    if (const Nanos due = ping_at(); due != 0 && now >= due) ping(at);
    push(at);
    if (acknowledge_at_ != 0 && now >= acknowledge_at_) acknowledge(at);
  }
  [[nodiscard]] Nanos next() const noexcept;
  [[nodiscard]] std::size_t room(std::size_t /*below*/) const noexcept {
    return failed_ ? 0 : static_cast<std::size_t>(kWindow - (next_place_ - first_place_));
  }
  [[nodiscard]] std::size_t memory() const noexcept {
    return buffers_.bytes() + sizeof(Slot) * kWindow + sizeof(Sent) * kSentKept;
  }

  // --- whoever has the stack ---

  /// The other end has said nothing for too long: nothing more is sent.
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  /// The other end has said that it ends.
  [[nodiscard]] bool ended() const noexcept { return ended_; }
  /// Nothing that was sent is not acknowledged.
  [[nodiscard]] bool is_quiet() const noexcept { return first_place_ == next_place_; }
  [[nodiscard]] const Figures& figures() const noexcept { return figures_; }
  [[nodiscard]] const RoundTrip& round_trip() const noexcept { return round_trip_; }
  [[nodiscard]] const Congestion& congestion() const noexcept { return congestion_; }
  /// Says that this end ends, which may be lost.
  template <class At>
  void end(At at) {
    std::array<char, At::kHeadroom + 1> bytes;  // NOLINT: written before it is read
    bytes.back() = static_cast<char>(kEnds);
    at.send(Packet{&bytes.back(), 1});
  }

 private:
  static constexpr std::uint8_t kAcknowledges = 1;
  static constexpr std::uint8_t kHasPacket = 2;
  static constexpr std::uint8_t kPings = 4;
  static constexpr std::uint8_t kEnds = 8;
  static constexpr std::uint64_t kSentKept = 2 * kWindow;
  static constexpr std::uint64_t kPingPlace = 0;
  static constexpr std::uint64_t kThreshold = 3;

  /// A packet of the user's from send() until it is acknowledged.
  struct Slot {
    char* buffer = nullptr;  ///< null: acknowledged
    std::uint32_t size = 0;
    bool lost = false;  ///< to be sent again
    bool went = false;  ///< once at least
  };
  /// A datagram on its way.
  struct Sent {
    std::uint64_t place = 0;  ///< of its packet
    Nanos at = 0;
    std::uint32_t size = 0;  ///< 0: acknowledged, or given up
  };

  [[nodiscard]] Slot& slot(std::uint64_t place) noexcept { return slots_[place % kWindow]; }
  [[nodiscard]] Sent& sent(std::uint64_t number) noexcept { return sent_[number % kSentKept]; }

  void keep(std::string_view bytes, std::size_t headroom);
  /// The packet in a datagram that has not come before.
  [[nodiscard]] std::optional<std::string_view> take(std::string_view datagram, Nanos now);
  [[nodiscard]] bool is_new(std::uint64_t place) noexcept;
  void take(const Acknowledgement& acknowledgement, Nanos now) noexcept;
  void came(std::uint64_t number) noexcept;
  void find_lost(Nanos now) noexcept;
  void lose(std::uint64_t number) noexcept;
  [[nodiscard]] Nanos probe_at() const noexcept;
  [[nodiscard]] Nanos ping_at() const noexcept;
  void note_received(std::uint64_t number, Nanos now) noexcept;
  [[nodiscard]] bool has_to_send() const noexcept {
    return lost_count_ != 0 || unsent_place_ != next_place_;
  }
  /// 0: nothing is to be sent, or not yet.
  [[nodiscard]] std::uint64_t next_to_send(Nanos now) noexcept;
  void write_head(Packet& packet, std::uint64_t place, Nanos now) noexcept;
  [[nodiscard]] bool begins_probe(Nanos now) noexcept;
  [[nodiscard]] std::uint64_t oldest_under_way(std::uint64_t from) noexcept;
  char* write_acknowledgement(char* to, std::size_t ranges, Nanos now) noexcept;

  template <class At>
  void push(At at) {
    while (const std::uint64_t place = next_to_send(at.now())) transmit(place, at);
  }
  template <class At>
  void transmit(std::uint64_t place, At at) {
    Slot& kept = slot(place);
    Packet packet{kept.buffer + At::kHeadroom + kHeader, kept.size};
    write_head(packet, place, at.now());
    at.send(packet);
  }
  template <class At>
  void probe(Nanos now, At at) {
    if (!begins_probe(now)) return;
    const std::uint64_t first = oldest_under_way(first_place_);
    if (first == 0) return ping(at);
    transmit(first, at);
    if (const std::uint64_t second = oldest_under_way(first + 1)) transmit(second, at);
  }
  template <class At>
  void ping(At at) {
    std::array<char, At::kHeadroom + kHeader> bytes;  // NOLINT: written before it is read
    Packet packet{bytes.data() + bytes.size(), 0};
    write_head(packet, kPingPlace, at.now());
    at.send(packet);
  }
  template <class At>
  void acknowledge(At at) {
    std::array<char, At::kHeadroom + 1 + Acknowledgement::kMostBytes> bytes;  // NOLINT: as above
    char* const begin = bytes.data() + At::kHeadroom;
    *begin = static_cast<char>(kAcknowledges);
    char* const end = write_acknowledgement(begin + 1, Received::kMostRanges, at.now());
    at.send(Packet{begin, static_cast<std::size_t>(end - begin)});
  }

  Limits limits_;
  Figures figures_;
  bool failed_ = false;
  bool ended_ = false;

  // What goes.
  Buffers buffers_;
  std::unique_ptr<Slot[]> slots_;
  std::unique_ptr<Sent[]> sent_;
  std::uint64_t first_place_;   // that is not acknowledged
  std::uint64_t unsent_place_;  // that was never sent
  std::uint64_t next_place_;    // of what send() takes
  std::uint64_t lost_from_;     // none before is lost
  std::uint64_t lost_count_ = 0;
  std::uint64_t first_number_;  // that is not settled
  std::uint64_t next_number_;
  std::uint64_t highest_acknowledged_ = 0;
  std::size_t datagram_;
  RoundTrip round_trip_;
  Congestion congestion_;
  Nanos lost_at_ = 0;   // when a packet is, if it does not come; 0: none
  Nanos paced_at_ = 0;  // when the next one may go; 0: that is not what it waits for
  Nanos sent_at_ = 0;   // the last one
  unsigned probes_ = 0;
  Nanos heard_;    // the last word of the other end
  Nanos waiting_;  // since when something is under way

  // What comes.
  Received received_;
  std::bitset<kWindow> seen_;  // by place
  std::uint64_t expected_;     // the first place that is missing
  unsigned unacknowledged_ = 0;
  Nanos acknowledge_at_ = 0;
  Nanos highest_came_ = 0;
};

}  // namespace penstock::net::layers
