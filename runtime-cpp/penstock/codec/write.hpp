#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <penstock/codec/beside.hpp>
#include <penstock/codec/message.hpp>
#include <penstock/message/boxed.hpp>
#include <penstock/message/buffer.hpp>
#include <protozero/types.hpp>
#include <string>
#include <string_view>
#include <vector>

// Writing goes from the last byte to the first. The length of a nested message stands before its
// bytes; written backwards it is simply known when its turn comes, without a second look at the
// message and without moving bytes (as protobuf's upb does).

namespace penstock::codec {

using Wire = protozero::pbf_wire_type;

inline std::size_t varint_size(std::uint64_t value) noexcept {
  // 7 bits a byte; 9 * bits + 64 over 64 is bits / 7 rounded up for 1 to 64 bits.
  return (static_cast<std::size_t>(std::bit_width(value | 1)) * 9 + 64) / 64;
}

constexpr std::uint32_t key_of(std::uint32_t tag, Wire wire) noexcept {
  return (tag << 3U) | static_cast<std::uint32_t>(wire);
}

/// Fills a buffer of exactly the message's size from its end.
class Writer {
 public:
  explicit Writer(char* end) noexcept : at_(end) {}

  void varint(std::uint64_t value) noexcept {
    if (value < 0x80U) {
      *--at_ = static_cast<char>(value);
      return;
    }
    at_ -= varint_size(value);
    char* out = at_;
    for (; value >= 0x80U; value >>= 7U) *out++ = static_cast<char>((value & 0x7fU) | 0x80U);
    *out = static_cast<char>(value);
  }
  template <class T>
  void fixed(T value) noexcept {
    static_assert(std::endian::native == std::endian::little, "the wire is little-endian");
    at_ -= sizeof value;
    std::memcpy(at_, &value, sizeof value);
  }
  void text(std::string_view value) noexcept {
    if (value.empty()) return;
    at_ -= value.size();
    std::memcpy(at_, value.data(), value.size());
  }
  void key(std::uint32_t tag, Wire wire) noexcept { varint(key_of(tag, wire)); }
  [[nodiscard]] const char* position() const noexcept { return at_; }

 private:
  char* at_;
};

// --- one value, without its key -------------------------------------------------------------

template <Coding coding = Coding::varint, Integer T>
constexpr std::uint64_t varint_of(T value) noexcept {
  if constexpr (coding == Coding::zigzag) {
    const auto wide = static_cast<std::int64_t>(value);
    return (static_cast<std::uint64_t>(wide) << 1U) ^ static_cast<std::uint64_t>(wide >> 63U);
  }
  // Negative numbers are sign-extended to 64 bits, enums are int32: protobuf's rule.
  if constexpr (std::is_enum_v<T>)
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  else if constexpr (std::is_signed_v<T>)
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  else
    return static_cast<std::uint64_t>(value);
}

inline std::string_view text_of(const std::string& value) noexcept { return value; }
inline std::string_view text_of(const Buffer& value) noexcept { return value.view(); }

template <class T, Coding coding = Coding::varint>
constexpr Wire wire_of() noexcept {
  if constexpr (coding == Coding::fixed) return sizeof(T) == 4 ? Wire::fixed32 : Wire::fixed64;
  if constexpr (Integer<T>) return Wire::varint;
  if constexpr (std::same_as<T, float>) return Wire::fixed32;
  if constexpr (std::same_as<T, double>) return Wire::fixed64;
  return Wire::length_delimited;
}

/// Of a value, as it is written now.
template <Coding coding = Coding::varint, class T>
Wire wire_for(const T& value) noexcept {
  if constexpr (std::same_as<T, Buffer>) {
    if (goes_beside(value)) return Wire::fixed32;
  }
  return wire_of<T, coding>();
}

template <Coding coding = Coding::varint, class T>
std::size_t value_size(const T& value) {
  if constexpr (std::same_as<T, Buffer>) {
    if (goes_beside(value)) return sizeof(std::uint32_t);
  }
  if constexpr (Floating<T> || coding == Coding::fixed) {
    return sizeof value;
  } else if constexpr (Integer<T>) {
    return varint_size(varint_of<coding>(value));
  } else if constexpr (requires { text_of(value); }) {
    return varint_size(text_of(value).size()) + text_of(value).size();
  } else {
    const std::size_t bytes = Message<T>::size(value);
    return varint_size(bytes) + bytes;
  }
}

template <Coding coding = Coding::varint, class T>
void write_value(Writer& out, const T& value) {
  if constexpr (std::same_as<T, Buffer>) {
    if (goes_beside(value)) {
      out.fixed(static_cast<std::uint32_t>(buffers_written->size()));
      return buffers_written->push_back(&value);
    }
  }
  if constexpr (Floating<T> || coding == Coding::fixed) {
    out.fixed(value);
  } else if constexpr (Integer<T>) {
    out.varint(varint_of<coding>(value));
  } else if constexpr (requires { text_of(value); }) {
    out.text(text_of(value));
    out.varint(text_of(value).size());
  } else {
    const char* const end = out.position();
    Message<T>::write(out, value);
    out.varint(static_cast<std::uint64_t>(end - out.position()));
  }
}

/// proto3 leaves out what is as it starts; for floats by their bits, so that -0.0 is kept.
template <class T>
bool is_default(const T& value) {
  if constexpr (Integer<T>) return varint_of(value) == 0;
  if constexpr (std::same_as<T, float>) return std::bit_cast<std::uint32_t>(value) == 0;
  if constexpr (std::same_as<T, double>) return std::bit_cast<std::uint64_t>(value) == 0;
  if constexpr (requires { text_of(value); }) return text_of(value).empty();
  return false;
}

// --- one field, by what holds it --------------------------------------------------------------

template <Coding coding = Coding::varint, class T>
std::size_t present_size(std::uint32_t tag, const T& value) {
  return varint_size(key_of(tag, wire_of<T, coding>())) + value_size<coding>(value);
}
template <Coding coding = Coding::varint, class T>
void write_present(Writer& out, std::uint32_t tag, const T& value) {
  write_value<coding>(out, value);
  out.key(tag, wire_for<coding>(value));
}

template <Coding coding = Coding::varint, class Elements>
std::size_t elements_size(std::uint32_t tag, const Elements& elements) {
  using T = typename Elements::value_type;
  if (elements.empty()) return 0;
  std::size_t bytes = 0;
  if constexpr (Floating<T> || coding == Coding::fixed) {
    bytes = elements.size() * sizeof(T);
  } else if constexpr (Integer<T>) {
    for (const T element : elements) bytes += varint_size(varint_of<coding>(element));
  }
  if constexpr (Scalar<T>)
    return varint_size(key_of(tag, Wire::length_delimited)) + varint_size(bytes) + bytes;
  if constexpr (!Scalar<T>)
    for (const T& element : elements) bytes += present_size(tag, element);
  return bytes;
}
template <Coding coding = Coding::varint, class Elements>
void write_elements(Writer& out, std::uint32_t tag, const Elements& elements) {
  using T = typename Elements::value_type;
  if (elements.empty()) return;
  const char* const end = out.position();
  for (auto element = elements.rbegin(); element != elements.rend(); ++element) {
    if constexpr (Scalar<T>)
      write_value<coding, T>(out, *element);
    else
      write_present(out, tag, *element);
  }
  if constexpr (Scalar<T>) {
    out.varint(static_cast<std::uint64_t>(end - out.position()));
    out.key(tag, Wire::length_delimited);
  }
}

template <Coding coding = Coding::varint, class T>
std::size_t size(std::uint32_t tag, const T& value) {
  if constexpr (Scalar<T> || requires { text_of(value); }) {
    return is_default(value) ? 0 : present_size<coding>(tag, value);
  } else {
    // A message without a byte to say is left out as any other default.
    const std::size_t bytes = Message<T>::size(value);
    if (bytes == 0) return 0;
    return varint_size(key_of(tag, Wire::length_delimited)) + varint_size(bytes) + bytes;
  }
}
template <Coding coding = Coding::varint, class T>
std::size_t size(std::uint32_t tag, const std::optional<T>& value) {
  return value.has_value() ? present_size<coding>(tag, *value) : 0;
}
template <Coding coding = Coding::varint, class T>
std::size_t size(std::uint32_t tag, const Boxed<T>& value) {
  return value.has_value() ? present_size<coding>(tag, *value) : 0;
}
template <Coding coding = Coding::varint, class T>
std::size_t size(std::uint32_t tag, const std::vector<T>& elements) {
  return elements_size<coding>(tag, elements);
}
template <Coding coding = Coding::varint, class T, std::size_t N>
std::size_t size(std::uint32_t tag, const std::array<T, N>& elements) {
  return elements_size<coding>(tag, elements);
}

template <Coding coding = Coding::varint, class T>
void write(Writer& out, std::uint32_t tag, const T& value) {
  if constexpr (Scalar<T> || requires { text_of(value); }) {
    if (!is_default(value)) write_present<coding>(out, tag, value);
  } else {
    const char* const end = out.position();
    Message<T>::write(out, value);
    if (out.position() == end) return;
    out.varint(static_cast<std::uint64_t>(end - out.position()));
    out.key(tag, Wire::length_delimited);
  }
}
template <Coding coding = Coding::varint, class T>
void write(Writer& out, std::uint32_t tag, const std::optional<T>& value) {
  if (value.has_value()) write_present<coding>(out, tag, *value);
}
template <Coding coding = Coding::varint, class T>
void write(Writer& out, std::uint32_t tag, const Boxed<T>& value) {
  if (value.has_value()) write_present<coding>(out, tag, *value);
}
template <Coding coding = Coding::varint, class T>
void write(Writer& out, std::uint32_t tag, const std::vector<T>& elements) {
  write_elements<coding>(out, tag, elements);
}
template <Coding coding = Coding::varint, class T, std::size_t N>
void write(Writer& out, std::uint32_t tag, const std::array<T, N>& elements) {
  write_elements<coding>(out, tag, elements);
}

// --- scalars that are repeated with a key each: `[packed = false]` of the .proto file ----------

template <Coding coding = Coding::varint, class Elements>
std::size_t size_unpacked(std::uint32_t tag, const Elements& elements) {
  using T = typename Elements::value_type;
  static_assert(Scalar<T>, "all else is never packed");
  std::size_t bytes = 0;
  for (const T element : elements) bytes += present_size<coding>(tag, element);
  return bytes;
}
template <Coding coding = Coding::varint, class Elements>
void write_unpacked(Writer& out, std::uint32_t tag, const Elements& elements) {
  using T = typename Elements::value_type;
  for (auto element = elements.rbegin(); element != elements.rend(); ++element)
    write_present<coding, T>(out, tag, *element);
}

/// Appends `message` to `out`; one growth of `out` at most.
template <class T>
void append(const T& message, std::string& out) {
  const std::size_t bytes = Message<T>::size(message);
  out.resize(out.size() + bytes);
  Writer writer(out.data() + out.size());
  Message<T>::write(writer, message);
}

}  // namespace penstock::codec
