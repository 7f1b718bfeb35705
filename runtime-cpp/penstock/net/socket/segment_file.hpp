#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "penstock/net/socket/descriptor.hpp"

namespace penstock::net {

/// Memory for the bytes of one buffer that two processes can have: a sealed memfd, which nobody can
/// make smaller while somebody looks at it, and which is gone with the last who has it. Behind the
/// bytes there is one page with what the ends tell each other.
class SegmentFile {
 public:
  static constexpr std::size_t kPage = 4096;
  static constexpr std::size_t kHugePage = std::size_t{2} << 20U;

  /// Bytes that one for `size` has: whole pages, large ones where it has as many.
  [[nodiscard]] static std::size_t capacity_for(std::size_t size) noexcept {
    const std::size_t unit = size >= kHugePage ? kHugePage : kPage;
    return (size + unit - 1) / unit * unit;
  }
  /// A new one, of bytes that are 0, and all there. None open: there is no memory.
  [[nodiscard]] static Descriptor make(std::size_t capacity) noexcept;

  SegmentFile() noexcept = default;
  /// That of a file which others have sent. 0: it is no such memory.
  [[nodiscard]] static std::size_t capacity_of(const Descriptor& file) noexcept;
  /// As this process has it from now on. Not there: there is no memory for it.
  SegmentFile(const Descriptor& file, std::size_t capacity) noexcept;
  SegmentFile(SegmentFile&& other) noexcept;
  SegmentFile& operator=(SegmentFile&& other) noexcept;
  ~SegmentFile();

  [[nodiscard]] bool is_there() const noexcept { return at_ != nullptr; }
  [[nodiscard]] std::byte* bytes() const noexcept { return at_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

  /// The last time of those it was handed over that whoever had it does not need it any more.
  [[nodiscard]] std::uint64_t released() const noexcept {
    return word().load(std::memory_order_acquire);
  }
  void release(std::uint64_t generation) const noexcept {
    word().store(generation, std::memory_order_release);
  }

 private:
  using Word = std::atomic<std::uint64_t>;
  // As both ends lay it over the same bytes.
  static_assert(sizeof(Word) == sizeof(std::uint64_t) && Word::is_always_lock_free);

  [[nodiscard]] Word& word() const noexcept { return *reinterpret_cast<Word*>(at_ + capacity_); }

  std::byte* at_ = nullptr;
  std::size_t capacity_ = 0;
};

}  // namespace penstock::net
