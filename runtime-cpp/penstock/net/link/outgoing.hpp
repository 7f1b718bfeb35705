#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
  /// A transport was given all there is: what it could not send stays as it is, as it may have
  /// begun with it (a record of TLS, say).
  void are_shown() noexcept { shown_ = end(); }
  /// From this place on no transport has seen any.
  [[nodiscard]] std::uint64_t unseen() const noexcept { return std::max(left_, shown_); }
  /// Of those that none has seen, the ones from this place on, to be written over.
  [[nodiscard]] char* at(std::uint64_t place) noexcept {
    return bytes_.data() + taken_ + static_cast<std::size_t>(place - left_);
  }
  /// append() of up to `size` bytes in all does not throw after this.
  void reserve(std::size_t size) { bytes_.reserve(bytes_.size() + size); }
  [[nodiscard]] std::string_view bytes() const noexcept {
    return std::string_view(bytes_).substr(taken_);
  }
  /// Places in all bytes there ever were: of the first that has not left, and behind the last.
  [[nodiscard]] std::uint64_t left() const noexcept { return left_; }
  [[nodiscard]] std::uint64_t end() const noexcept { return left_ + bytes().size(); }
  /// The first `count` bytes are on their way.
  void take(std::size_t count) noexcept {
    taken_ += count;
    left_ += count;
    if (taken_ == bytes_.size()) {
      clear();
    } else if (taken_ >= kWorthMoving && taken_ * 2 >= bytes_.size()) {
      bytes_.erase(0, taken_);
      taken_ = 0;
    }
  }
  void clear() noexcept {
    left_ += bytes_.size() - taken_;
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
  std::uint64_t left_ = 0;
  std::uint64_t shown_ = 0;
};

/// How much of something the other end cannot know yet, at the least: counted from the first that
/// has not left.
class Unheard {
 public:
  /// The last bytes that were appended say so much.
  void add(const Outgoing& outgoing, std::uint32_t count) noexcept {
    count_ = in(outgoing) + count;
    if (count_ == count) first_ends_ = outgoing.end();
  }
  [[nodiscard]] std::uint32_t in(const Outgoing& outgoing) const noexcept {
    return outgoing.left() < first_ends_ ? count_ : 0;
  }

 private:
  std::uint64_t first_ends_ = 0;  // its place
  std::uint32_t count_ = 0;
};

}  // namespace penstock::net
