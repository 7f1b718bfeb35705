#include "penstock/net/layers/slicing.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace penstock::net::layers {

std::string_view Reassembly::take(const Slice& slice, std::size_t full, Nanos now) {
  keep(std::exchange(done_, {}));
  const bool is_last = slice.place + 1 == slice.count;
  const std::size_t bytes = std::size_t{slice.count} * full;
  if (slice.count < 2 || slice.place >= slice.count || slice.bytes.empty() ||
      slice.bytes.size() > full || (!is_last && slice.bytes.size() != full) ||
      std::bit_ceil(bytes) > bounds_.bytes) {
    ++figures_.malformed;
    return {};
  }
  Part* part = find(slice.message);
  if (part == nullptr) part = begin(slice, bytes, now);
  if (part->count != slice.count) {
    ++figures_.malformed;
    return {};
  }
  if (part->memory.has[slice.place]) {
    ++figures_.again;
    return {};
  }
  part->memory.has[slice.place] = true;
  std::memcpy(part->memory.bytes.get() + slice.place * full, slice.bytes.data(),
              slice.bytes.size());
  if (is_last) part->last = slice.bytes.size();
  if (--part->missing != 0) return {};
  const std::size_t whole = (std::size_t{slice.count} - 1) * full + part->last;
  done_ = std::move(part->memory);
  parts_.erase(parts_.begin() + (part - parts_.data()));
  return {done_.bytes.get(), whole};
}

Reassembly::Part* Reassembly::find(std::uint32_t message) noexcept {
  // Slices of a message come together, mostly.
  for (std::size_t at = parts_.size(); at-- != 0;)
    if (parts_[at].message == message) return &parts_[at];
  return nullptr;
}

Reassembly::Part* Reassembly::begin(const Slice& slice, std::size_t bytes, Nanos now) {
  if (parts_.size() == bounds_.messages) give_up_first();
  if (parts_.size() == parts_.capacity()) {
    parts_.reserve(parts_.size() * 2 + 4);
    spare_.reserve(parts_.capacity() + 1);  // so that keep() does not throw
  }
  Part part{slice.message, slice.count, slice.count, 0, now, memory_of(bytes, slice.count)};
  parts_.push_back(std::move(part));
  return &parts_.back();
}

// Sizes are powers of two, so that one that comes back fits the next message of about its size.
Reassembly::Memory Reassembly::memory_of(std::size_t bytes, std::size_t slices) {
  const std::size_t capacity = std::bit_ceil(bytes);
  const auto fits = std::find_if(spare_.rbegin(), spare_.rend(), [capacity](const Memory& memory) {
    return memory.capacity == capacity;
  });
  Memory memory;
  if (fits != spare_.rend()) {
    std::swap(*fits, spare_.back());
    memory = std::move(spare_.back());
    spare_.pop_back();
  } else {
    for (; bytes_ + capacity > bounds_.bytes && !spare_.empty(); spare_.pop_back())
      bytes_ -= spare_.back().capacity;
    while (bytes_ + capacity > bounds_.bytes && !parts_.empty()) {
      bytes_ -= parts_.front().memory.capacity;
      parts_.erase(parts_.begin());
      ++figures_.given_up;
    }
    memory.bytes = std::make_unique_for_overwrite<char[]>(capacity);
    memory.capacity = capacity;
    bytes_ += capacity;
  }
  memory.has.assign(slices, false);
  return memory;
}

void Reassembly::give_up_old(Nanos now) noexcept {
  while (next() != 0 && now >= next()) give_up_first();
}

void Reassembly::give_up_first() noexcept {
  ++figures_.given_up;
  Memory memory = std::move(parts_.front().memory);
  parts_.erase(parts_.begin());
  keep(std::move(memory));
}

// Counted as held, as before.
void Reassembly::keep(Memory memory) noexcept {
  if (memory.bytes == nullptr) return;
  if (spare_.size() == spare_.capacity()) {
    bytes_ -= memory.capacity;
    return;
  }
  spare_.push_back(std::move(memory));
}

std::size_t Reassembly::memory() const noexcept {
  return bytes_ + parts_.capacity() * sizeof(Part);
}

}  // namespace penstock::net::layers
