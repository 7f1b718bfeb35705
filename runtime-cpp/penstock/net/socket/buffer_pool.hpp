#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "penstock/message/buffer.hpp"
#include "penstock/net/socket/segment_file.hpp"

namespace penstock::net {

class BufferPool;
class Loans;

/// The memory of one buffer of this process: it has it, it is free, or it is lent to the other end
/// of one link. Who once had it can still write to it, so that it goes to nobody else afterwards.
class Segment final : public BufferMemory {
 public:
  Segment(BufferPool& pool, Descriptor file, SegmentFile memory) noexcept;

 private:
  friend class BufferPool;
  friend class Loans;
  void unused() noexcept override;

  BufferPool& pool_;
  Descriptor file_;  // until it was sent
  SegmentFile memory_;
  // What follows is the pool's, under its lock.
  Loans* bound_ = nullptr;  // whose link it has been lent over
  bool orphaned_ = false;   // that link is gone
  bool lent_ = false;
  std::uint32_t number_ = 0;      // on that link
  std::uint64_t generation_ = 0;  // times that it was lent
};

/// The segments of this process. Any thread.
class BufferPool {
 public:
  struct Limits {
    std::size_t most = std::size_t{1} << 30U;       ///< bytes that are not lent
    std::size_t most_free = std::size_t{1} << 29U;  ///< of them, that nobody has
    std::size_t segments = 256;                     ///< that are not lent
  };

  explicit BufferPool(const Limits& limits) noexcept : limits_(limits) {}
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;
  /// No buffer lies in it any more.
  ~BufferPool();
  /// That of the process, which is never taken down. From its first use on large buffers lie there.
  [[nodiscard]] static BufferPool& of_process();

  /// With one handle, of any bytes. Null: there is no room for it. Throws std::bad_alloc.
  [[nodiscard]] BufferMemory* make(std::size_t size) { return make_for(nullptr, size); }

  /// Segments that nobody has, and all that are not lent. Any thread; for tests.
  struct Counts {
    std::size_t free = 0;
    std::size_t all = 0;
    std::size_t bytes = 0;
  };
  [[nodiscard]] Counts counts();

 private:
  friend class Segment;
  friend class Loans;

  [[nodiscard]] Segment* make_for(Loans* loans, std::size_t size);
  [[nodiscard]] Segment* find_free(const Loans* loans, std::size_t size) noexcept;
  [[nodiscard]] bool make_way(std::size_t capacity) noexcept;
  void look_for_released() noexcept;
  void put_back(Segment& segment) noexcept;
  void set_free(Segment& segment) noexcept;
  void remove(Segment& segment) noexcept;

  const Limits limits_;
  std::mutex mutex_;
  std::vector<Segment*> free_;  // room for all of them is reserved when one is made
  std::vector<Loans*> loans_;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
  std::size_t free_bytes_ = 0;
};

/// What was lent over one link. On its thread.
class Loans {
 public:
  static constexpr std::uint32_t kMostSegments = 64;
  /// Bytes of all segments that one end has of the other one's.
  static constexpr std::size_t kMostBytes = std::size_t{2} << 30U;

  /// Throws std::bad_alloc.
  explicit Loans(BufferPool& pool);
  Loans(const Loans&) = delete;
  Loans& operator=(const Loans&) = delete;
  /// What is lent stays with whoever has it, until that one drops it.
  ~Loans();

  /// One for `size` bytes that can be lent here. Null: there is no room for it. Throws
  /// std::bad_alloc.
  [[nodiscard]] Segment* make(std::size_t size) { return pool_.make_for(this, size); }

  struct Loan {
    std::uint32_t number = 0;
    std::uint64_t generation = 0;
    const Descriptor* file = nullptr;  ///< to be sent first; null: the other end has it
    std::size_t there_before = 0;      ///< bytes that it has at this number still
  };
  /// Of a segment with one handle, which is the loan's then. False: this link cannot have it.
  [[nodiscard]] bool lend(BufferMemory& memory, Loan& loan) noexcept;
  /// Its file has been sent, and is not needed any more.
  void sent(const Loan& loan) noexcept;
  /// It was not handed over after all: the caller has its handle again.
  void undo(const Loan& loan) noexcept;
  /// The other end gives it back in a message: with one handle. Null: it was not lent like that, or
  /// is smaller.
  [[nodiscard]] BufferMemory* back(std::uint32_t number, std::uint64_t generation,
                                   std::uint64_t length) noexcept;

 private:
  friend class BufferPool;
  [[nodiscard]] bool take_number(Segment& segment, std::size_t& there_before) noexcept;

  struct Place {
    Segment* segment = nullptr;
    std::size_t there = 0;  // bytes that the other end has at this number
  };
  BufferPool& pool_;
  std::array<Place, kMostSegments> places_{};  // under the pool's lock
  std::size_t there_ = 0;
};

}  // namespace penstock::net
