#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <utility>

namespace penstock {

/// Where the bytes of Buffers lie. For the runtime: handlers have Buffers.
class BufferMemory {
 public:
  BufferMemory(const BufferMemory&) = delete;
  BufferMemory& operator=(const BufferMemory&) = delete;
  virtual ~BufferMemory() = default;

  [[nodiscard]] std::byte* bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  void add_handle() noexcept { handles_.fetch_add(1, std::memory_order_relaxed); }
  void drop_handle() noexcept {
    if (handles_.fetch_sub(1, std::memory_order_acq_rel) == 1) unused();
  }
  /// Nobody else has a handle, and what others did with theirs has happened before.
  [[nodiscard]] bool has_one_handle() const noexcept {
    return handles_.load(std::memory_order_acquire) == 1;
  }

  /// Memory of that many bytes, with one handle. Throws std::bad_alloc.
  [[nodiscard]] static BufferMemory& make(std::size_t size);
  /// Likewise, on the heap, whose pages nobody has touched yet.
  [[nodiscard]] static BufferMemory& on_heap(std::size_t size);
  /// Who makes that of large buffers; null, or null from it: the heap. Set by what hands them to
  /// other processes.
  using Maker = BufferMemory* (*)(std::size_t size);
  static inline std::atomic<Maker> large_maker{nullptr};
  static constexpr std::size_t kLarge = std::size_t{64} << 10U;

 protected:
  BufferMemory(std::byte* bytes, std::size_t capacity) noexcept
      : bytes_(bytes), capacity_(capacity) {}
  /// The last handle is gone. Any thread.
  virtual void unused() noexcept = 0;
  /// It had none, and gets its first one.
  void first_handle() noexcept { handles_.store(1, std::memory_order_relaxed); }

 private:
  class Heap;
  std::byte* const bytes_;
  const std::size_t capacity_;
  std::atomic<std::uint32_t> handles_{1};
};

/// The bytes lie behind it.
class BufferMemory::Heap final : public BufferMemory {
 public:
  explicit Heap(std::size_t size) noexcept
      : BufferMemory(reinterpret_cast<std::byte*>(this) + sizeof(Heap), size) {}

 private:
  void unused() noexcept override {
    this->~Heap();
    ::operator delete(static_cast<void*>(this));
  }
};

inline BufferMemory& BufferMemory::on_heap(std::size_t size) {
  if (size > SIZE_MAX / 2) throw std::bad_alloc();
  return *::new (::operator new(sizeof(Heap) + size)) Heap(size);
}

inline BufferMemory& BufferMemory::make(std::size_t size) {
  if (size >= kLarge) {
    if (const Maker maker = large_maker.load(std::memory_order_acquire)) {
      if (BufferMemory* const made = maker(size)) return *made;
    }
  }
  return on_heap(size);
}

/// Bytes that change owner without being copied: within a process always, between processes of one
/// host where nobody else has a handle on them. A copy of a Buffer is another handle on the same
/// bytes. They are read through `bytes()`; `writable()` first makes a copy if others hold them too,
/// so that a handle never sees another's changes. One handle belongs to one thread at a time;
/// handles on the same bytes may be on different threads. What makes one throws std::bad_alloc.
class Buffer {
 public:
  Buffer() noexcept = default;
  /// `size` zero bytes.
  explicit Buffer(std::size_t size) : Buffer(make(size)) {
    if (size_ != 0) std::memset(memory_->bytes(), 0, size_);
  }
  /// A copy of `text`.
  explicit Buffer(std::string_view text) : Buffer(std::as_bytes(std::span(text))) {}
  /// A copy of `bytes`.
  explicit Buffer(std::span<const std::byte> bytes) : Buffer(make(bytes.size())) {
    if (size_ != 0) std::memcpy(memory_->bytes(), bytes.data(), size_);
  }
  /// `size` bytes of no particular value: what was in earlier buffers may be in them. To be filled
  /// through `writable()`.
  [[nodiscard]] static Buffer make(std::size_t size) {
    return size == 0 ? Buffer() : Buffer(BufferMemory::make(size), size);
  }
  /// The first `size` bytes of `memory`, of which it takes one handle over. For the runtime.
  Buffer(BufferMemory& memory, std::size_t size) noexcept : memory_(&memory), size_(size) {}

  Buffer(const Buffer& other) noexcept : memory_(other.memory_), size_(other.size_) {
    if (memory_ != nullptr) memory_->add_handle();
  }
  Buffer& operator=(const Buffer& other) noexcept {
    Buffer copy(other);
    swap(copy);
    return *this;
  }
  Buffer(Buffer&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~Buffer() {
    if (memory_ != nullptr) memory_->drop_handle();
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// Null: it is empty.
  [[nodiscard]] const std::byte* data() const noexcept {
    return memory_ == nullptr ? nullptr : memory_->bytes();
  }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data(), size_}; }
  [[nodiscard]] std::string_view view() const noexcept {
    return size_ == 0 ? std::string_view()
                      : std::string_view(reinterpret_cast<const char*>(data()), size_);
  }
  /// The bytes to write to; copies them first when another handle shares them.
  [[nodiscard]] std::span<std::byte> writable() {
    if (memory_ == nullptr) return {};
    if (!memory_->has_one_handle()) *this = Buffer(bytes());
    return {memory_->bytes(), size_};
  }

  /// For the runtime. Null: it is empty.
  [[nodiscard]] BufferMemory* memory() const noexcept { return memory_; }
  /// Its handle is no longer its own: it is empty. For the runtime.
  BufferMemory* release() noexcept {
    size_ = 0;
    return std::exchange(memory_, nullptr);
  }

  friend bool operator==(const Buffer& left, const Buffer& right) noexcept {
    return left.size_ == right.size_ &&
           (left.memory_ == right.memory_ || std::ranges::equal(left.bytes(), right.bytes()));
  }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
  }

  BufferMemory* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace penstock
