#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The first that each end of a link says, as docs/wire.md has it. On any thread.

namespace penstock::net::wire {

/// The versions of the wire that this runtime speaks.
inline constexpr std::uint8_t kOldestVersion = 1;
inline constexpr std::uint8_t kNewestVersion = 1;

inline constexpr std::size_t kInstanceBytes = 16;
/// Bytes of a hello's message, at most: some 5,000 services.
inline constexpr std::uint32_t kLargestHello = 1U << 20U;
/// The smallest body of a frame that both ends have to take: an error with the longest text.
inline constexpr std::uint32_t kSmallestLargestBody = 8192;
/// Characters of a name, as in a drawing (`Bundle/Service` has two).
inline constexpr std::size_t kLongestName = 200;

/// A service that a binary offers to its peers.
struct OfferedService {
  std::uint32_t number = 0;  ///< below 65,536; what frames call it
  std::string name;          ///< `Bundle/Service`
  /// The first 64 bits of the SHA-256 of the definitions of its messages; of no answer: 0.
  std::uint64_t request_schema = 0;
  std::uint64_t answer_schema = 0;
  friend bool operator==(const OfferedService&, const OfferedService&) = default;
};

struct Hello {
  std::string project;
  std::string binary;
  std::string instance;            ///< 16 random bytes; each process of a binary has its own
  std::string topology;            ///< `sha256:…` of the drawing that it was made from
  std::string runtime;             ///< `0.1.0`
  std::uint64_t features = 0;      ///< bits that both must have for them to be used
  std::uint32_t largest_body = 0;  ///< of a frame that this end takes
  std::vector<OfferedService> services;
  friend bool operator==(const Hello&, const Hello&) = default;
};

/// All of its bytes. Throws std::bad_alloc, and Error(invalid_argument) for a hello that
/// read_hello() would refuse.
[[nodiscard]] std::string write_hello(const Hello& hello);

struct HelloRead {
  enum class Found : std::uint8_t {
    hello,
    part,           ///< of a hello: `bytes` says how many there are of it, as far as is known
    other_version,  ///< no version of the wire is spoken by both ends
    malformed,
  };
  Found found = Found::part;
  std::size_t bytes = 0;
  std::uint8_t version = 0;  ///< the newest that both ends speak
  Hello hello;
  std::string why;  ///< of `other_version` and `malformed`
};

/// The hello at the beginning of `bytes`. Throws std::bad_alloc.
[[nodiscard]] HelloRead read_hello(std::string_view bytes);

}  // namespace penstock::net::wire
