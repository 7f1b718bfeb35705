#include "penstock/net/ring/ring.hpp"

#include <algorithm>
#include <cstring>

namespace penstock::net {
namespace {

using Length = std::atomic<std::uint32_t>;
// As both ends lay them over the same bytes.
static_assert(sizeof(Length) == sizeof(std::uint32_t) && Length::is_always_lock_free);
constexpr std::uint64_t kUnit = 8;
/// Who reads begins while the rest is written.
constexpr std::size_t kLargestRecord = std::size_t{16} << 10U;

Length& length_at(const RingMemory& memory, std::uint64_t at) noexcept {
  return *reinterpret_cast<Length*>(memory.bytes + (at & (memory.capacity - 1)));
}

std::uint64_t whole_units(std::uint64_t bytes) noexcept {
  return (bytes + kUnit - 1) & ~(kUnit - 1);
}

/// `copy(bytes, count, done)` of the one or two pieces that are there in the ring.
template <class Copy>
void in_pieces(const RingMemory& memory, std::uint64_t at, std::size_t count, const Copy& copy) {
  const std::size_t begin = at & (memory.capacity - 1);
  const std::size_t first = std::min(count, memory.capacity - begin);
  copy(memory.bytes + begin, first, 0);
  if (first != count) copy(memory.bytes, count - first, first);
}

}  // namespace

// --- the end that writes ---

// Bytes that a record may have now: behind it there is a length of 0, which is nobody's else.
std::size_t RingWriter::room() const noexcept {
  const std::size_t free = memory_.capacity - (written_ - taken_);
  return free < 2 * kUnit ? 0 : free - kUnit - sizeof(Length);
}

bool RingWriter::look_for_room() noexcept {
  const std::uint64_t taken = memory_.control->taken.load(std::memory_order_acquire);
  if (taken % kUnit != 0 || taken - taken_ > written_ - taken_) return false;
  taken_ = taken;
  return true;
}

ssize_t RingWriter::write(std::string_view bytes) noexcept {
  blocked_ = false;
  std::size_t done = 0;
  while (done < bytes.size()) {
    const std::size_t wanted = std::min(bytes.size() - done, kLargestRecord);
    if (room() < wanted && !look_for_room()) return -1;
    if (room() == 0) {
      blocked_ = true;
      break;
    }
    const std::size_t count = std::min(wanted, room());
    const std::uint64_t next = whole_units(written_ + sizeof(Length) + count);
    length_at(memory_, next).store(0, std::memory_order_relaxed);
    in_pieces(memory_, written_ + sizeof(Length), count,
              [from = bytes.data() + done](char* to, std::size_t some, std::size_t before) {
                std::memcpy(to, from + before, some);
              });
    length_at(memory_, written_)
        .store(static_cast<std::uint32_t>(count), std::memory_order_release);
    written_ = next;
    done += count;
  }
  return static_cast<ssize_t>(done);
}

// --- the end that reads ---

std::uint32_t RingReader::next_length() const noexcept {
  return length_at(memory_, at_).load(std::memory_order_acquire);
}

ssize_t RingReader::read(char* to, std::size_t room) noexcept {
  std::size_t done = 0;
  while (done < room) {
    if (left_ == 0) {
      const std::size_t length = next_length();
      if (length == 0) break;
      if (length > kLargestRecord || length > memory_.capacity - kUnit - sizeof(Length)) return -1;
      left_ = length;
      at_ += sizeof(Length);
    }
    const std::size_t count = std::min(left_, room - done);
    in_pieces(memory_, at_, count,
              [into = to + done](const char* from, std::size_t some, std::size_t before) {
                std::memcpy(into + before, from, some);
              });
    at_ += count;
    left_ -= count;
    done += count;
    if (left_ == 0) at_ = whole_units(at_);
  }
  // Of a record that was begun, what was read of it.
  if (done != 0) memory_.control->taken.store(at_ / kUnit * kUnit, std::memory_order_release);
  return static_cast<ssize_t>(done);
}

}  // namespace penstock::net
