#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <penstock/codec/memory.hpp>
#include <penstock/codec/message.hpp>
#include <penstock/codec/write.hpp>
#include <penstock/message/boxed.hpp>
#include <penstock/message/buffer.hpp>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <string_view>
#include <vector>

// Reading is for bytes that anyone may have sent: every length is checked against what is left
// before memory is taken (by protozero), nesting is counted, nothing is trusted. Fields that are
// not known, or known with another wire type, are skipped; the last of several wins, repeated ones
// are gathered, packed or not.

namespace penstock::codec {

/// The fields of one message. Throws protozero's exceptions inside; `parse` catches them.
class Reader {
 public:
  Reader(std::string_view bytes, int depth) : fields_(bytes.data(), bytes.size()), depth_(depth) {}

  /// Moves to the next field; false at the end.
  bool next() { return fields_.next(); }
  [[nodiscard]] std::uint32_t tag() const { return fields_.tag(); }
  [[nodiscard]] bool has(Wire wire) const { return fields_.has_wire_type(wire); }
  void skip() { fields_.skip(); }
  protozero::pbf_reader& fields() { return fields_; }
  /// The nested message of the current field, one level deeper.
  Reader nested() {
    const protozero::data_view view = fields_.get_view();
    return {std::string_view(view.data(), view.size()), depth_ + 1};
  }
  [[nodiscard]] bool too_deep() const noexcept { return depth_ > kMaxDepth; }

 private:
  protozero::pbf_reader fields_;
  int depth_;
};

template <Coding coding, Integer T>
T from_varint(std::uint64_t value) noexcept {
  if constexpr (coding == Coding::zigzag) {
    // Of 32 bits the others are cut off before, as protobuf does.
    if constexpr (sizeof(T) == 4) value = static_cast<std::uint32_t>(value);
    return static_cast<T>((value >> 1U) ^ (0U - (value & 1U)));
  }
  if constexpr (std::same_as<T, bool>)
    return value != 0;
  else if constexpr (std::is_enum_v<T>)
    return static_cast<T>(static_cast<std::int32_t>(static_cast<std::uint32_t>(value)));
  else
    return static_cast<T>(value);
}

/// The current field has a value of T.
template <class T, Coding coding = Coding::varint>
bool has_value(const Reader& in) {
  if constexpr (std::same_as<T, Buffer>) {
    if (buffers_read != nullptr && in.has(Wire::fixed32)) return true;
  }
  return in.has(wire_of<T, coding>());
}

/// One value of the current field, which has one of T.
template <Coding coding = Coding::varint, class T>
bool read_value(Reader& in, T& value) {
  if constexpr (std::same_as<T, Buffer>) {
    if (in.has(Wire::fixed32)) return take_beside(in.fields().get_fixed32(), value);
  }
  if constexpr (coding == Coding::fixed) {
    if constexpr (sizeof(T) == 4) {
      value = static_cast<T>(in.fields().get_fixed32());
    } else {
      value = static_cast<T>(in.fields().get_fixed64());
    }
  } else if constexpr (Integer<T>) {
    value = from_varint<coding, T>(in.fields().get_uint64());
  } else if constexpr (std::same_as<T, float>) {
    value = in.fields().get_float();
  } else if constexpr (std::same_as<T, double>) {
    value = in.fields().get_double();
  } else if constexpr (requires { text_of(value); }) {
    const protozero::data_view view = in.fields().get_view();
    if constexpr (std::same_as<T, Buffer>) {
      if (!view.empty() && !take_memory(kMemoryOfBuffer)) return false;
    }
    value = T(std::string_view(view.data(), view.size()));
  } else {
    const Reader nested = in.nested();
    return !nested.too_deep() && Message<T>::read(nested, value);
  }
  return true;
}

/// Calls `add` with each scalar of the current field, packed or single; skips what is neither.
template <Coding coding, Scalar T, class Add>
bool read_scalars(Reader& in, Add add) {
  if (in.has(wire_of<T, coding>())) {
    T value{};
    read_value<coding>(in, value);
    return add(value);
  }
  if (!in.has(Wire::length_delimited)) {
    in.skip();
    return true;
  }
  const auto add_all = [&add](auto range) {
    for (const auto raw : range) {
      T value{};
      if constexpr (coding == Coding::fixed)
        value = static_cast<T>(raw);
      else if constexpr (Integer<T>)
        value = from_varint<coding, T>(raw);
      else
        value = raw;
      if (!add(value)) return false;
    }
    return true;
  };
  if constexpr (coding == Coding::fixed) {
    if constexpr (sizeof(T) == 4) {
      return add_all(in.fields().get_packed_fixed32());
    } else {
      return add_all(in.fields().get_packed_fixed64());
    }
  } else if constexpr (Integer<T>) {
    return add_all(in.fields().get_packed_uint64());
  } else if constexpr (std::same_as<T, float>) {
    return add_all(in.fields().get_packed_float());
  } else {
    return add_all(in.fields().get_packed_double());
  }
}

template <Coding coding = Coding::varint, class T>
bool read(Reader& in, T& value) {
  if (has_value<T, coding>(in)) return read_value<coding>(in, value);
  in.skip();
  return true;
}
template <Coding coding = Coding::varint, class Holder>
bool read_held(Reader& in, Holder& value) {
  if (!has_value<typename Holder::value_type, coding>(in)) {
    in.skip();
    return true;
  }
  // A message that comes twice is merged, as protobuf does.
  if (!value.has_value()) {
    using T = typename Holder::value_type;
    if constexpr (std::same_as<Holder, Boxed<T>>) {
      if (!take_memory(sizeof(T))) return false;
    }
    value.emplace();
  }
  return read_value<coding>(in, *value);
}
template <Coding coding = Coding::varint, class T>
bool read(Reader& in, std::optional<T>& value) {
  return read_held<coding>(in, value);
}
template <Coding coding = Coding::varint, class T>
bool read(Reader& in, Boxed<T>& value) {
  return read_held<coding>(in, value);
}
template <Coding coding = Coding::varint, class T>
bool read(Reader& in, std::vector<T>& elements) {
  if constexpr (Scalar<T>) {
    const std::size_t before = elements.size();
    return read_scalars<coding, T>(in,
                                   [&elements](T value) {
                                     elements.push_back(value);
                                     return true;
                                   }) &&
           take_memory((elements.size() - before) * sizeof(T));
  } else {
    if (has_value<T, coding>(in)) {
      return take_memory(sizeof(T)) && read_value<coding>(in, elements.emplace_back());
    }
    in.skip();
    return true;
  }
}
/// `seen` counts the elements so far; more than N are malformed, and so are fewer (see `whole`).
template <Coding coding = Coding::varint, class T, std::size_t N>
bool read(Reader& in, std::array<T, N>& elements, std::size_t& seen) {
  if constexpr (Scalar<T>) {
    return read_scalars<coding, T>(in, [&elements, &seen](T value) {
      if (seen == N) return false;
      elements[seen++] = value;
      return true;
    });
  } else {
    if (!has_value<T, coding>(in)) {
      in.skip();
      return true;
    }
    return seen < N && read_value<coding>(in, elements[seen++]);
  }
}
/// A member of a oneof: the last one that comes wins, so the others are none then.
template <Coding coding = Coding::varint, class Holder, class... Others>
bool read_one(Reader& in, Holder& value, Others&... others) {
  if (has_value<typename Holder::value_type, coding>(in)) (others.reset(), ...);
  return read_held<coding>(in, value);
}

/// Reads all of `bytes` into `message`, which starts afresh. False when they are malformed; what
/// `message` holds then is of no use.
template <class T>
[[nodiscard]] bool parse(std::string_view bytes, T& message) {
  message = T{};
  try {
    return Message<T>::read(Reader(bytes, 1), message);
  } catch (const protozero::exception&) {
    return false;
  }
}

}  // namespace penstock::codec
