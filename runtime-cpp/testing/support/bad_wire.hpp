#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "penstock/base/time.hpp"
#include "world/random.hpp"

namespace penstock::testing {

/// What a wire does to the packets that go over it. Shares are in a thousand.
struct WireFaults {
  unsigned lost = 0;
  unsigned doubled = 0;
  unsigned reordered = 0;  ///< held back for up to 20 ms, while others overtake them
  unsigned corrupted = 0;  ///< a byte of what TCP or UDP carries
  bool sums = false;       ///< of corrupted ones are made right: whoever gets them is to notice
  unsigned delay_ms = 0;
  unsigned kbit = 0;  ///< a second, each way; 0: as much as comes
  bool cut = false;   ///< nothing comes through
};

/// One direction of a wire between two hosts. What becomes of each packet is drawn. One thread.
class BadWire {
 public:
  explicit BadWire(std::uint64_t seed) : random_(seed) {}

  void set(const WireFaults& faults) noexcept { faults_ = faults; }
  /// A packet enters, an IPv4 one as the system wrote it.
  void take(std::string packet, Nanos now);
  /// When the next one comes out; 0: there is none.
  [[nodiscard]] Nanos next() const noexcept {
    return under_way_.empty() ? 0 : under_way_.front().due;
  }
  /// The next one that has come out; empty: none has.
  [[nodiscard]] std::string give(Nanos now);

 private:
  struct Packet {
    Nanos due = 0;
    std::uint64_t number = 0;
    std::string bytes;
    /// Of a heap whose first is due first.
    bool operator<(const Packet& other) const noexcept {
      return std::pair(due, number) > std::pair(other.due, other.number);
    }
  };
  /// What waits for its turn at the wire, as the buffer of a slow router.
  static constexpr Nanos kLongestQueue = 200'000'000;

  [[nodiscard]] bool draws(unsigned in_a_thousand) noexcept {
    return random_.below(1000) < in_a_thousand;
  }
  void send(std::string packet, Nanos now);

  world::Random random_;
  WireFaults faults_;
  Nanos free_at_ = 0;
  std::uint64_t count_ = 0;
  std::vector<Packet> under_way_;
};

/// Changes a byte that an IPv4 packet carries behind the head of TCP or UDP, drawn by `random`;
/// `sums`: and the sum that tells. False: it carries none.
bool corrupt(std::string& packet, world::Random& random, bool sums);

}  // namespace penstock::testing
