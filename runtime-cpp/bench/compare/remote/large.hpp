#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace compare {

inline constexpr std::size_t kMegabyte = 1'000'000;

/// The XOR of all words of 8 bytes.
[[nodiscard]] inline std::uint64_t combined(std::span<const std::byte> bytes) {
  std::uint64_t all = 0;
  for (; bytes.size() >= sizeof all; bytes = bytes.subspan(sizeof all)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    all ^= word;
  }
  return all;
}

/// Bytes that have all been written to, in large pages where there are some.
class Large {
 public:
  explicit Large(std::size_t size) : size_(size), bytes_(make(size)) {
    madvise(bytes_.get(), size, MADV_HUGEPAGE);
    std::memset(bytes_.get(), 1, size);
  }
  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return {bytes_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const noexcept { std::free(bytes); }
  };
  static std::byte* make(std::size_t size) {
    constexpr std::size_t kHugePage = std::size_t{2} << 20U;
    const std::size_t whole = (size + kHugePage - 1) / kHugePage * kHugePage;
    void* const made = std::aligned_alloc(kHugePage, whole);
    if (made == nullptr) throw std::bad_alloc();
    return static_cast<std::byte*>(made);
  }

  std::size_t size_;
  std::unique_ptr<std::byte, Free> bytes_;
};

}  // namespace compare
