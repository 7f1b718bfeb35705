// One suite over every stack: what a bad network does to messages, and what each stack promises
// nevertheless.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "penstock/net/layers/stacks.hpp"
#include "world/explore.hpp"
#include "world/toy_cipher.hpp"
#include "world/two_stacks.hpp"

namespace penstock::net::layers_world {
namespace {

using namespace penstock::net::layers;
using world::Network;
using world::OnNetwork;
using world::Promises;
using world::Random;
using world::TwoStacks;

constexpr Nanos kMs = 1'000'000;
constexpr Nanos kSecond = 1'000 * kMs;
constexpr std::size_t kMiB = std::size_t{1} << 20U;
constexpr std::size_t kDatagram = 1200;
/// Of an MTU of 576, less the headers of IP and UDP.
constexpr std::size_t kSmall = 548;

/// Numbers that begin near where they are 0 again.
constexpr std::uint32_t kNearTheEnd = 0xFFFF'FFF0;

Delivery a_delivery(std::size_t datagram, Nanos now) {
  Delivery::Limits limits;
  limits.first_number = kNearTheEnd;
  return Delivery(datagram, limits, now);
}
Ordering an_ordering(Nanos gap, bool late = false) { return Ordering({gap, late, kNearTheEnd}); }

constexpr Reassembly::Bounds kForgetful{16, 2 * kMiB, 2 * kSecond};
constexpr Reassembly::Bounds kPatient{1024, 8 * kMiB, 0};
/// Packets that wait to be acknowledged, others that wait for one before them, and their tables.
constexpr std::size_t kWaiting = kWindow * (2 * kDatagram + 160);

template <std::size_t datagram>
struct OfDatagrams {
  using Type = Datagrams<OnNetwork<datagram>>;
  static constexpr Promises kPromises{false, false, false, 2 * kMiB + 65'536};
  template <class Transport>
  static Type make(int /*end*/, Transport transport, Nanos /*now*/) {
    return Type(transport, Checksum(7), Slicing<>(kForgetful, kNearTheEnd));
  }
};
struct OfOrdered {
  using Type = Ordered<OnNetwork<kDatagram>>;
  static constexpr Promises kPromises{false, true, true, 2 * kMiB + 65'536 + kWaiting};
  template <class Transport>
  static Type make(int /*end*/, Transport transport, Nanos /*now*/) {
    return Type(transport, Checksum(7), an_ordering(20 * kMs), Slicing<>(kForgetful));
  }
};
/// Pieces of which those that come late are given.
struct OfLate {
  using Type = Stack<OnNetwork<kDatagram>, Checksum, Ordering>;
  static constexpr Promises kPromises{false, true, false, kWaiting};
  template <class Transport>
  static Type make(int /*end*/, Transport transport, Nanos /*now*/) {
    return Type(transport, Checksum(7), an_ordering(2 * kMs, true));
  }
};
struct OfReliable {
  using Type = Reliable<OnNetwork<kDatagram>>;
  static constexpr Promises kPromises{true, true, false, 8 * kMiB + 262'144 + kWaiting};
  template <class Transport>
  static Type make(int /*end*/, Transport transport, Nanos now) {
    return Type(transport, Checksum(7), a_delivery(kDatagram, now), Slicing<>(kPatient));
  }
};
template <std::size_t datagram>
struct OfReliableOrdered {
  using Type = ReliableOrdered<OnNetwork<datagram>>;
  static constexpr Promises kPromises{true, true, true, 4 * kMiB + kWaiting};
  template <class Transport>
  static Type make(int /*end*/, Transport transport, Nanos now) {
    return Type(transport, Checksum(7), a_delivery(datagram, now), an_ordering(0),
                Slicing<>({4, 4 * kMiB, 0}));
  }
};
struct OfStream {
  using Type = Stream<OnNetwork<kDatagram>>;
  static constexpr Promises kPromises{true, true, true, kWaiting};
  template <class Transport>
  static Type make(int /*end*/, Transport transport, Nanos now) {
    return Type(transport, Checksum(7), a_delivery(kDatagram, now), an_ordering(0));
  }
};
/// With a key for as few datagrams as can be.
struct OfSealedStream {
  using Type = SealedStream<OnNetwork<kDatagram>>;
  static constexpr Promises kPromises{true, true, true, kWaiting};
  template <class Transport>
  static Type make(int end, Transport transport, Nanos now) {
    return Type(transport, Sealed(world::ToyCipher::of_end(end), 1), a_delivery(kDatagram, now),
                an_ordering(0));
  }
};

Network::Weather draw_weather(Random& random) {
  Network::Weather weather;
  const auto drawn = [&random](std::uint64_t most) {
    return random.once_in(2) ? 0 : random.below(most);
  };
  weather.lost = drawn(300);
  weather.doubled = drawn(200);
  weather.late = drawn(300);
  weather.corrupted = drawn(100);
  weather.delay = random.one_of<Nanos>({20'000, kMs, 30 * kMs});
  weather.jitter = random.once_in(2) ? 0 : weather.delay / 2;
  weather.lateness = 3 * weather.delay;
  weather.largest = kDatagram;
  if (random.once_in(8)) weather.byte = 8'000;  // 1 Mbit/s
  return weather;
}

std::size_t draw_size(Random& random, std::size_t most) {
  const auto up_to = [&](std::size_t bytes) { return 4 + random.below(std::min(most, bytes) - 4); };
  if (random.once_in(40)) return up_to(60'000);
  return random.once_in(4) ? up_to(5'000) : up_to(100);
}

/// What is wrong in the world of a seed; empty: nothing.
template <class Kind, class Made = typename Kind::Type>
std::string run_a_world(std::uint64_t seed) {
  Random random(seed);
  Network network(random, draw_weather(random));
  const bool calm = random.once_in(16);
  if (calm) network.weather() = Network::Weather{};
  Promises promises = Kind::kPromises;
  if (calm) promises.all = promises.once = promises.in_order = true;
  TwoStacks<Made> two(network, promises, [](int end, auto transport, Nanos now) {
    return Kind::make(end, transport, now);
  });
  Nanos last = two.now();
  for (int end : {0, 1}) {
    Nanos at = two.now();
    const Nanos pause = random.one_of<Nanos>({0, 100'000, 20 * kMs});
    for (int left = random.between(0, 40); left > 0; --left) {
      at += pause == 0 ? 0 : static_cast<Nanos>(random.below(static_cast<std::uint64_t>(pause)));
      two.plan(end, draw_size(random, Made::most()), at);
    }
    last = std::max(last, at);
  }
  if (random.once_in(3) && !calm) {
    const Nanos from = two.now() + static_cast<Nanos>(random.below(200)) * kMs;
    const Nanos until = from + static_cast<Nanos>(random.below(3'000)) * kMs;
    two.at(from, [until](Network& split) { split.split(until); });
    last = std::max(last, until);
  }
  const Nanos heals = last + static_cast<Nanos>(random.below(500)) * kMs;
  two.at(heals, [](Network& healed) {
    Network::Weather& weather = healed.weather();
    weather.lost = weather.doubled = weather.late = weather.corrupted = 0;
  });
  return two.run(heals + 60 * kSecond);
}

template <class Kind>
class LayersWorld : public ::testing::Test {};

using Kinds = ::testing::Types<OfDatagrams<kDatagram>, OfDatagrams<kSmall>, OfOrdered, OfLate,
                               OfReliable, OfReliableOrdered<kDatagram>, OfReliableOrdered<kSmall>,
                               OfStream, OfSealedStream>;
TYPED_TEST_SUITE(LayersWorld, Kinds);

#if defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t kSeeds = 200;
#else
constexpr std::uint64_t kSeeds = 1'000;
#endif

TYPED_TEST(LayersWorld, KeepsItsPromises) {
  for (const std::uint64_t seed : world::seeds(kSeeds))
    ASSERT_EQ(run_a_world<TypeParam>(seed), "") << "PENSTOCK_WORLD_SEED=" << seed;
}

// --- layers with a fault, which the same worlds find ---

/// Acknowledges a packet now and then without giving it.
struct Forgets : Delivery {
  using Delivery::Delivery;
  unsigned packets = 0;
  template <class At>
  struct Above : At {
    unsigned& packets;
    void receive(std::string_view bytes) const {
      if (++packets % 16 != 0) At::receive(bytes);
    }
  };
  template <class At>
  void receive(std::string_view bytes, At at) {
    Delivery::receive(bytes, Above<At>{at, packets});
  }
};
/// Gives one now and then twice.
struct Repeats : Delivery {
  using Delivery::Delivery;
  unsigned packets = 0;
  template <class At>
  struct Above : At {
    unsigned& packets;
    void receive(std::string_view bytes) const {
      At::receive(bytes);
      if (++packets % 16 == 0) At::receive(bytes);
    }
  };
  template <class At>
  void receive(std::string_view bytes, At at) {
    Delivery::receive(bytes, Above<At>{at, packets});
  }
};
/// Never sends again, neither after later ones nor by its timer.
struct NeverAgain : Delivery {
  using Delivery::Delivery;
  template <class At>
  void timer(At /*at*/) noexcept {}
  [[nodiscard]] Nanos next() const noexcept { return 0; }
};
/// Believes what comes.
struct Credulous : Checksum {
  using Checksum::Checksum;
  template <class At>
  void receive(std::string_view bytes, At at) {
    if (bytes.size() >= kHeader) at.receive(bytes.substr(kHeader));
  }
};
/// Opens what has another tag.
class Unlocked final : public Cipher {
 public:
  bool seal(std::uint64_t /*number*/, std::string_view bytes, char* to,
            char* /*tag*/) noexcept override {
    std::memcpy(to, bytes.data(), bytes.size());
    return true;
  }
  bool open(std::uint64_t /*number*/, std::string_view sealed, const char* /*tag*/,
            char* to) noexcept override {
    std::memcpy(to, sealed.data(), sealed.size());
    return true;
  }
  [[nodiscard]] std::unique_ptr<Cipher> next() const override {
    return std::make_unique<Unlocked>();
  }
};
struct WithoutTags : OfSealedStream {
  template <class Transport>
  static Type make(int /*end*/, Transport transport, Nanos now) {
    return Type(transport, Sealed({std::make_unique<Unlocked>(), std::make_unique<Unlocked>()}),
                a_delivery(kDatagram, now), an_ordering(0));
  }
};

template <class Sum, class Deliver>
struct Broken {
  using Type = Stack<OnNetwork<kDatagram>, Sum, Deliver, Slicing<>>;
  static constexpr Promises kPromises = OfReliable::kPromises;
  template <class Transport>
  static Type make(int /*end*/, Transport transport, Nanos now) {
    return Type(transport, Sum(7), Deliver(kDatagram, {}, now), Slicing<>(kPatient));
  }
};

template <class Kind>
bool is_found() {
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    if (!run_a_world<Kind>(seed).empty()) return true;
  return false;
}

TEST(LayersWorldFaults, AreFound) {
  EXPECT_FALSE((is_found<Broken<Checksum, Delivery>>()));
  EXPECT_TRUE((is_found<Broken<Checksum, Forgets>>()));
  EXPECT_TRUE((is_found<Broken<Checksum, Repeats>>()));
  EXPECT_TRUE((is_found<Broken<Checksum, NeverAgain>>()));
  EXPECT_TRUE((is_found<Broken<Credulous, Delivery>>()));
  EXPECT_TRUE(is_found<WithoutTags>());
}

}  // namespace
}  // namespace penstock::net::layers_world
