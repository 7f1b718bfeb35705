#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace penstock::net {

/// What a link has written and its transport has not taken yet: one piece, so that all frames since
/// the last write leave together. One thread.
class Outgoing {
 public:
  /// Room for `size` more bytes, which the caller fills before anything else happens to this.
  /// Throws std::bad_alloc.
  [[nodiscard]] char* append(std::size_t size) {
    const std::size_t begin = bytes_.size();
    bytes_.resize(begin + size);
    return bytes_.data() + begin;
  }
  /// append() of up to `size` bytes in all does not throw after this.
  void reserve(std::size_t size) { bytes_.reserve(bytes_.size() + size); }
  [[nodiscard]] std::string_view bytes() const noexcept {
    return std::string_view(bytes_).substr(taken_);
  }
  /// The first `count` bytes are on their way.
  void take(std::size_t count) noexcept {
    taken_ += count;
    if (taken_ == bytes_.size()) {
      clear();
    } else if (taken_ >= kWorthMoving && taken_ * 2 >= bytes_.size()) {
      bytes_.erase(0, taken_);
      taken_ = 0;
    }
  }
  void clear() noexcept {
    bytes_.clear();
    taken_ = 0;
    // What a burst needed once is not kept for ever.
    if (bytes_.capacity() > kMostKept) std::string().swap(bytes_);
  }

 private:
  static constexpr std::size_t kWorthMoving = std::size_t{64} << 10U;
  static constexpr std::size_t kMostKept = std::size_t{1} << 20U;

  std::string bytes_;
  std::size_t taken_ = 0;
};

}  // namespace penstock::net
