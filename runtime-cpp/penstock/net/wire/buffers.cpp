#include "penstock/net/wire/buffers.hpp"

#include "penstock/net/wire/bytes.hpp"

namespace penstock::net::wire {
namespace {

constexpr std::size_t kCountBytes = 2;
constexpr std::size_t kPartBytes = 24;

bool take_part(Taker& in, BufferPart& part) noexcept {
  std::uint32_t kind = 0;
  if (!in.take(kind) || !in.take(part.segment) || !in.take(part.generation) ||
      !in.take(part.length) || kind > static_cast<std::uint32_t>(BufferPart::Kind::back))
    return false;
  part.kind = static_cast<BufferPart::Kind>(kind);
  if (part.kind == BufferPart::Kind::pieces) return part.segment == 0 && part.generation == 0;
  return part.generation != 0;
}

}  // namespace

std::size_t parts_size(std::size_t count) noexcept { return kCountBytes + count * kPartBytes; }

char* write_parts(char* at, const std::vector<BufferPart>& parts) noexcept {
  at = put(at, static_cast<std::uint16_t>(parts.size()));
  for (const BufferPart& part : parts) {
    at = put(put(at, static_cast<std::uint32_t>(part.kind)), part.segment);
    at = put(put(at, part.generation), part.length);
  }
  return at;
}

bool read_parts(std::string_view& bytes, std::vector<BufferPart>& parts) {
  Taker in(bytes);
  std::uint16_t count = 0;
  if (!in.take(count) || count == 0 || count > kMostBuffers) return false;
  std::uint64_t left = kMostBufferBytes;
  parts.resize(count);
  for (BufferPart& part : parts) {
    if (!take_part(in, part) || part.length == 0 || part.length > left) return false;
    left -= part.length;
  }
  bytes = in.left();
  return true;
}

}  // namespace penstock::net::wire
