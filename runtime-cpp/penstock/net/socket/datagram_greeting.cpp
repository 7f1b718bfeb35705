#include "penstock/net/socket/datagram_greeting.hpp"

#include <bit>
#include <cstring>

#include "penstock/net/wire/bytes.hpp"

namespace penstock::net {
namespace {

constexpr std::string_view kGreetingMagic{"PSTKUDP\1", 8};
constexpr Nanos kCookiePeriod = 10'000'000'000;

struct Sip {
  std::uint64_t a;
  std::uint64_t b;
  std::uint64_t c;
  std::uint64_t d;

  void round() noexcept {
    a += b;
    b = std::rotl(b, 13) ^ a;
    a = std::rotl(a, 32);
    c += d;
    d = std::rotl(d, 16) ^ c;
    a += d;
    d = std::rotl(d, 21) ^ a;
    c += b;
    b = std::rotl(b, 17) ^ c;
    c = std::rotl(c, 32);
  }
  void take(std::uint64_t word) noexcept {
    d ^= word;
    round();
    round();
    a ^= word;
  }
};

}  // namespace

std::uint64_t siphash(const std::array<std::uint64_t, 2>& key, std::string_view bytes) noexcept {
  Sip sip{key[0] ^ 0x736f6d6570736575U, key[1] ^ 0x646f72616e646f6dU, key[0] ^ 0x6c7967656e657261U,
          key[1] ^ 0x7465646279746573U};
  std::uint64_t last = static_cast<std::uint64_t>(bytes.size()) << 56U;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    sip.take(word);
  }
  std::uint64_t rest = 0;
  if (!bytes.empty()) std::memcpy(&rest, bytes.data(), bytes.size());
  last |= rest;
  sip.take(last);
  sip.c ^= 0xFFU;
  for (int round = 0; round < 4; ++round) sip.round();
  return sip.a ^ sip.b ^ sip.c ^ sip.d;
}

std::array<char, DatagramGreeting::kBytes> DatagramGreeting::bytes() const noexcept {
  std::array<char, kBytes> bytes{};
  char* at = wire::put_text(bytes.data(), kGreetingMagic);
  at = wire::put(at, static_cast<std::uint64_t>(kind));
  at = wire::put(at, number);
  std::memcpy(at, cookie.data(), cookie.size());
  return bytes;
}

std::optional<DatagramGreeting> DatagramGreeting::read(std::string_view bytes) noexcept {
  wire::Taker taker(bytes);
  std::string_view magic;
  std::uint64_t kind = 0;
  DatagramGreeting greeting;
  if (bytes.size() != kBytes || !taker.take(kGreetingMagic.size(), magic) ||
      magic != kGreetingMagic || !taker.take(kind) || kind < 1 || kind > 6 ||
      !taker.take(greeting.number) || greeting.number == 0)
    return std::nullopt;
  greeting.kind = static_cast<Kind>(kind);
  std::memcpy(greeting.cookie.data(), taker.left().data(), greeting.cookie.size());
  return greeting;
}

DatagramCookies::DatagramCookies(std::string_view secret) noexcept {
  std::memcpy(key_.data(), secret.data(), sizeof key_);
}

DatagramGreeting::Cookie DatagramCookies::of_period(std::string_view address, std::uint64_t number,
                                                    std::uint64_t period) const noexcept {
  std::array<char, 160> about{};
  address = address.substr(0, about.size() - 17);
  char* at = wire::put(about.data() + 1, number);
  at = wire::put(at, period);
  at = wire::put_text(at, address);
  const std::string_view all(about.data(), static_cast<std::size_t>(at - about.data()));
  DatagramGreeting::Cookie cookie;
  const std::uint64_t one = siphash(key_, all);
  about[0] = 1;
  const std::uint64_t other = siphash(key_, all);
  std::memcpy(cookie.data(), &one, sizeof one);
  std::memcpy(cookie.data() + sizeof one, &other, sizeof other);
  return cookie;
}

DatagramGreeting::Cookie DatagramCookies::make(std::string_view address, std::uint64_t number,
                                               Nanos now) const noexcept {
  return of_period(address, number, static_cast<std::uint64_t>(now / kCookiePeriod));
}

bool DatagramCookies::is_good(const DatagramGreeting::Cookie& cookie, std::string_view address,
                              std::uint64_t number, Nanos now) const noexcept {
  const auto period = static_cast<std::uint64_t>(now / kCookiePeriod);
  return cookie == of_period(address, number, period) ||
         cookie == of_period(address, number, period - 1);
}

}  // namespace penstock::net
