#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace penstock::net::nats {

/// What a process of a binary says of itself to those who look for it. A hint: anybody who may
/// publish can say it.
struct Announcement {
  static constexpr std::size_t kInstanceDigits = 16;
  static constexpr std::size_t kMostAddresses = 16;

  std::string binary;
  std::string instance;  ///< kInstanceDigits hex digits, new for each process
  /// `tls://10.0.0.5:41230`, `tcp://127.0.0.1:41230`, `udp+keys://10.0.0.5:41230`,
  /// `udp://127.0.0.1:41230`. Who reads them passes over those that it does not know.
  std::vector<std::string> addresses;
  bool gone = false;  ///< it takes no calls any more
};

/// `{"penstock":1,"binary":"models","instance":"...","addresses":["tls://10.0.0.5:41230"]}`, or
/// with
/// `"gone":true` in the place of the addresses. Throws std::bad_alloc.
[[nodiscard]] std::string write_announcement(const Announcement& announcement);
/// None: it is something else. Throws std::bad_alloc.
[[nodiscard]] std::optional<Announcement> read_announcement(std::string_view json);

}  // namespace penstock::net::nats
