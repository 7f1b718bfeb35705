#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "penstock/net/link/handover.hpp"
#include "penstock/net/socket/buffer_pool.hpp"

namespace penstock::net {

/// How files get to the other end of a link, in the order in which they were sent.
class FileWay {
 public:
  FileWay() = default;
  FileWay(const FileWay&) = delete;
  FileWay& operator=(const FileWay&) = delete;
  /// False: it was not sent.
  [[nodiscard]] virtual bool send_file(const Descriptor& file) noexcept = 0;
  /// The next that has come. None open: there is none.
  [[nodiscard]] virtual Descriptor take_file() noexcept = 0;
  /// Some came that this process had no room for.
  [[nodiscard]] virtual bool lost_files() const noexcept { return false; }

 protected:
  ~FileWay() = default;
};

/// Buffers that change hands between two processes of a host: those of this one are lent to the
/// other end, and the other way round. On the thread of the link. Nothing that the other end says
/// is believed: it is checked against what this end knows itself.
class SharedBuffers final : public Handover {
 public:
  /// Throws std::bad_alloc.
  SharedBuffers(BufferPool& pool, FileWay& files);
  /// Those that were taken stay, until they are dropped.
  ~SharedBuffers();

  [[nodiscard]] bool hand(Buffer& buffer, bool keep, wire::BufferPart& part) override;
  [[nodiscard]] Taken take(const wire::BufferPart& part, Buffer& to) override;

 private:
  class Borrowed;
  /// A segment of the other end's.
  struct Known {
    explicit Known(SegmentFile its_memory) noexcept : memory(std::move(its_memory)) {}
    const SegmentFile memory;
    std::uint64_t generation = 0;    // of the last time that it was taken
    std::atomic<bool> held = false;  // somebody here has it
  };

  [[nodiscard]] bool hand_back(Buffer& buffer, wire::BufferPart& part) noexcept;
  [[nodiscard]] bool lend(BufferMemory& memory, wire::BufferPart& part) noexcept;
  [[nodiscard]] Taken take_new(const wire::BufferPart& part);

  Loans loans_;
  FileWay& files_;
  const std::uint64_t id_;  // no other one has ever had
  std::array<std::shared_ptr<Known>, Loans::kMostSegments> known_;
  std::size_t known_bytes_ = 0;
};

}  // namespace penstock::net
