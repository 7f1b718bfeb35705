#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "penstock/base/time.hpp"

namespace penstock::net {

/// What two ends say over UDP before they have a connection, and when one has lost it: 40 bytes
/// each, so that who asks gets no more than it said. The number is the connection's, drawn by the
/// end that connects.
struct DatagramGreeting {
  enum class Kind : std::uint8_t {
    asks = 1,      ///< who connects, with the cookie once it has one
    cookie = 2,    ///< say that again with this: then I know that you are there
    accepted = 3,  ///< go on
    unknown = 4,   ///< to what is no greeting: I have no connection with you
    still = 5,     ///< who was told that: do you have that connection?
    gone = 6,      ///< I do not
  };
  using Cookie = std::array<char, 16>;
  static constexpr std::size_t kBytes = 40;

  Kind kind = Kind::asks;
  std::uint64_t number = 0;
  Cookie cookie{};

  [[nodiscard]] std::array<char, kBytes> bytes() const noexcept;
  /// None: it is no greeting.
  [[nodiscard]] static std::optional<DatagramGreeting> read(std::string_view bytes) noexcept;
};

/// The cookies of an end that listens, which keeps nothing of those whom it gives one: they show
/// that who asks gets what is sent to its address. Good for 10 s at least.
class DatagramCookies {
 public:
  /// `secret`: 16 bytes that nobody else knows.
  explicit DatagramCookies(std::string_view secret) noexcept;

  [[nodiscard]] DatagramGreeting::Cookie make(std::string_view address, std::uint64_t number,
                                              Nanos now) const noexcept;
  [[nodiscard]] bool is_good(const DatagramGreeting::Cookie& cookie, std::string_view address,
                             std::uint64_t number, Nanos now) const noexcept;

 private:
  [[nodiscard]] DatagramGreeting::Cookie of_period(std::string_view address, std::uint64_t number,
                                                   std::uint64_t period) const noexcept;
  std::array<std::uint64_t, 2> key_{};
};

/// SipHash-2-4 (Aumasson and Bernstein, 2012).
[[nodiscard]] std::uint64_t siphash(const std::array<std::uint64_t, 2>& key,
                                    std::string_view bytes) noexcept;

}  // namespace penstock::net
