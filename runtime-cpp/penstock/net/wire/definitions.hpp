#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// What two ends say about a service whose messages are not the same at both, and whether they
// understand each other nevertheless, as docs/wire.md has it. On any thread.

namespace penstock::net::wire {

/// The bit of a hello's features of an end that says, and asks for, definitions.
inline constexpr std::uint64_t kTellsDefinitions = 2;
/// Bytes of the definitions of one message, at most: longer ones are not said, nor compared.
inline constexpr std::size_t kLongestDefinitions = 65'536;

/// The definitions of the messages of a service; empty: of no message, or not known.
struct Definitions {
  std::string request;
  std::string answer;
  friend bool operator==(const Definitions&, const Definitions&) = default;
};

/// Bytes of the frame that says them. Of no frame at all if they are too long: both empty, then.
[[nodiscard]] std::size_t size(const Definitions& definitions) noexcept;
char* write(char* at, const Definitions& definitions) noexcept;
/// False: it is malformed. Throws std::bad_alloc.
[[nodiscard]] bool read_definitions(std::string_view body, Definitions& out);

/// Whose definitions are whose.
enum class Writer : std::uint8_t { here, there };
struct BothDefinitions {
  std::string_view here;
  std::string_view there;
  Writer writer = Writer::here;  ///< the other one reads
  /// What the first of its fields hold replaces what the reader has: nothing may be lost of it.
  bool is_kept = false;
};

/// Why a message as its writer defines it cannot be read as its reader does; empty: it can. Fields
/// that only one of the two knows are skipped, or left as they start. The first field that differs
/// is named, those of the message itself before those of what it holds:
/// `user.age is an int32 here and a string there`. Throws std::bad_alloc.
[[nodiscard]] std::string why_unreadable(const BothDefinitions& definitions);

}  // namespace penstock::net::wire
