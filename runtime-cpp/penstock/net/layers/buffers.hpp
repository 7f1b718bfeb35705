#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace penstock::net::layers {

/// Buffers of one size that come back: nothing is allocated once there are as many as were ever
/// used at a time. One thread.
class Buffers {
 public:
  /// One of so many bytes, the same each time. Throws std::bad_alloc.
  [[nodiscard]] char* take(std::size_t size) {
    size_ = size;
    if (free_.empty()) {
      if (all_.size() == all_.capacity()) all_.reserve(all_.size() * 2 + kFirst);
      free_.reserve(all_.capacity());  // so that give() does not throw
      all_.push_back(std::make_unique_for_overwrite<char[]>(size));
      return all_.back().get();
    }
    char* const buffer = free_.back();
    free_.pop_back();
    return buffer;
  }
  void give(char* buffer) noexcept { free_.push_back(buffer); }
  /// Of all of them.
  [[nodiscard]] std::size_t bytes() const noexcept { return all_.size() * size_; }
  [[nodiscard]] std::size_t used() const noexcept { return all_.size() - free_.size(); }

 private:
  static constexpr std::size_t kFirst = 8;

  std::size_t size_ = 0;
  std::vector<std::unique_ptr<char[]>> all_;
  std::vector<char*> free_;
};

}  // namespace penstock::net::layers
