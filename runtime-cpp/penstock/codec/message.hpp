#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace penstock::codec {

class Writer;
class Reader;

/// How one message type goes over the wire. Generated code specialises it for each message:
///   static std::size_t size(const T&);           bytes that write() will produce
///   static void write(Writer&, const T&);        last field first
///   static bool read(Reader, T&);                false when the bytes are malformed
///   static constexpr bool kHasBuffers            of one that holds Buffers, itself or deeper: true
template <class T>
struct Message;

template <class T>
constexpr bool has_buffers() {
  if constexpr (requires { Message<T>::kHasBuffers; }) return Message<T>::kHasBuffers;
  return false;
}

template <class T>
concept Integer =
    std::same_as<T, bool> || std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t> ||
    std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t> || std::is_enum_v<T>;
template <class T>
concept Floating = std::same_as<T, float> || std::same_as<T, double>;
/// How a whole number lies on the wire: `int32`, `sint32` or `fixed32` of the .proto file.
enum class Coding : std::uint8_t { varint, zigzag, fixed };
/// What protobuf packs when it repeats.
template <class T>
concept Scalar = Integer<T> || Floating<T>;

/// None of the members of a oneof has a value.
template <class... Holders>
bool none(const Holders&... holders) {
  return !(holders.has_value() || ...);
}

/// Nested messages deeper than this are malformed: the bytes may come from anyone.
inline constexpr int kMaxDepth = 100;

}  // namespace penstock::codec
