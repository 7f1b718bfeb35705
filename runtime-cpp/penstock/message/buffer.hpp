#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace penstock {

/// Bytes that change owner without being copied: a copy of a Buffer is another handle on the same
/// bytes. They are read through `bytes()`; `writable()` first makes a copy if others hold them too,
/// so that a handle never sees another's changes. One handle belongs to one thread at a time;
/// handles on the same bytes may be on different threads.
class Buffer {
 public:
  Buffer() noexcept = default;
  /// `size` zero bytes.
  explicit Buffer(std::size_t size)
      : data_(size == 0 ? nullptr : std::make_shared<std::byte[]>(size)), size_(size) {}
  /// A copy of `text`.
  explicit Buffer(std::string_view text) : Buffer(std::as_bytes(std::span(text))) {}
  /// A copy of `bytes`.
  explicit Buffer(std::span<const std::byte> bytes)
      : data_(bytes.empty() ? nullptr : std::make_shared_for_overwrite<std::byte[]>(bytes.size())),
        size_(bytes.size()) {
    if (size_ != 0) std::memcpy(data_.get(), bytes.data(), size_);
  }
  Buffer(const Buffer&) noexcept = default;
  Buffer& operator=(const Buffer&) noexcept = default;
  Buffer(Buffer&& other) noexcept
      : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  ~Buffer() = default;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_.get(), size_}; }
  [[nodiscard]] std::string_view view() const noexcept {
    return size_ == 0 ? std::string_view()
                      : std::string_view(reinterpret_cast<const char*>(data_.get()), size_);
  }
  /// The bytes to write to; copies them first when another handle shares them.
  [[nodiscard]] std::span<std::byte> writable() {
    if (data_ != nullptr && data_.use_count() > 1) *this = Buffer(bytes());
    return {data_.get(), size_};
  }

  friend bool operator==(const Buffer& left, const Buffer& right) noexcept {
    return left.size_ == right.size_ &&
           (left.data_ == right.data_ || std::ranges::equal(left.bytes(), right.bytes()));
  }

 private:
  std::shared_ptr<std::byte[]> data_;
  std::size_t size_ = 0;
};

}  // namespace penstock
