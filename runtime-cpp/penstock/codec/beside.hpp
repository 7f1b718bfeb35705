#pragma once

#include <cstdint>
#include <penstock/message/buffer.hpp>
#include <utility>
#include <vector>

namespace penstock::codec {

// Large buffers of a message that goes to another binary lie beside its bytes, where these hold
// only their places in a list: as a fixed32, which others skip.

/// Those that are written on this thread; null: buffers stand among the other bytes.
inline thread_local std::vector<const Buffer*>* buffers_written = nullptr;
/// Those that came with what is read on this thread.
inline thread_local std::vector<Buffer>* buffers_read = nullptr;

/// While it is there, on its thread: `to` gets the large buffers of what is written.
class WritesBeside {
 public:
  explicit WritesBeside(std::vector<const Buffer*>& to) noexcept
      : before_(std::exchange(buffers_written, &to)) {}
  WritesBeside(const WritesBeside&) = delete;
  WritesBeside& operator=(const WritesBeside&) = delete;
  ~WritesBeside() { buffers_written = before_; }

 private:
  std::vector<const Buffer*>* const before_;
};

/// While it is there, on its thread: what is read takes its large buffers from there; null: it has
/// none.
class ReadsBeside {
 public:
  explicit ReadsBeside(std::vector<Buffer>* from) noexcept
      : before_(std::exchange(buffers_read, from)) {}
  ReadsBeside(const ReadsBeside&) = delete;
  ReadsBeside& operator=(const ReadsBeside&) = delete;
  ~ReadsBeside() { buffers_read = before_; }

 private:
  std::vector<Buffer>* const before_;
};

[[nodiscard]] inline bool goes_beside(const Buffer& buffer) noexcept {
  return buffers_written != nullptr && buffer.size() >= BufferMemory::kLarge;
}

/// False: there is none at that place, or it was taken already.
[[nodiscard]] inline bool take_beside(std::uint32_t place, Buffer& to) noexcept {
  if (place >= buffers_read->size() || (*buffers_read)[place].empty()) return false;
  to = std::move((*buffers_read)[place]);
  return true;
}

}  // namespace penstock::codec
