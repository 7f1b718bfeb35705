#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "penstock/base/defaults.hpp"
#include "penstock/base/time.hpp"
#include "penstock/concurrent/cache_line.hpp"
#include "penstock/concurrent/mutex.hpp"
#include "penstock/exec/job.hpp"
#include "penstock/exec/worker.hpp"
#include "penstock/flow/event/event.hpp"
#include "penstock/metrics/registry.hpp"

namespace penstock::flow {

/// Events that carry nothing but a value and wait for the same stage, as one job: their
/// values in a row, `Flow::stride()` apart. Formed only of what is there (Gather), never waited
/// for. Belongs to whoever runs or queues it.
struct Chunk final : exec::Request {
  Stage* stage = nullptr;  ///< where they are, or wait to be
  std::uint32_t count = 0;
  /// Of the first sampled one among them, whose times stand for all; 0: none is.
  Nanos emitted_ns = 0;
  Nanos entered_ns = 0;
  exec::Pool* more_in = nullptr;  ///< which counts all of them but one
  /// Behind a fan-out: the values are pieces of these events, and `places` says of which. Null:
  /// each is all that there is of its event.
  PiecesOfMany* pieces = nullptr;
  std::array<std::uint8_t, defaults::kMostInChunk> places{};

  [[nodiscard]] Pieces& pieces_at(std::uint32_t at) const noexcept {
    return pieces->at(places[at]);
  }
  [[nodiscard]] std::byte* values() noexcept {
    return reinterpret_cast<std::byte*>(this) + Event::kValueOffset;
  }
};
static_assert(sizeof(Chunk) <= Event::kValueOffset);

/// Free chunks of one flow, which are all of one size. Any thread.
class ChunkStore {
 public:
  ChunkStore() = default;
  ChunkStore(const ChunkStore&) = delete;
  ChunkStore& operator=(const ChunkStore&) = delete;
  ~ChunkStore();

  /// Before the first take(): what all values of a chunk need.
  void fit(std::size_t bytes_of_values) noexcept { bytes_ = Event::kValueOffset + bytes_of_values; }
  /// One as new. Throws std::bad_alloc.
  [[nodiscard]] Chunk& take();
  /// Without values.
  void give_back(Chunk& chunk) noexcept;
  /// One that is kept by nobody any more; null: nothing.
  static void destroy(Chunk* chunk) noexcept;

 private:
  static constexpr std::size_t kKept = 64;

  std::size_t bytes_ = 0;
  concurrent::Mutex mutex_;
  mailbox::LocalQueue free_;
  std::size_t count_ = 0;
};

/// What one thread emits into a flow, while it is to become a chunk.
struct Gather final : exec::Worker::Gathered {
  Flow* flow = nullptr;
  metrics::Shard* shard = nullptr;     ///< the thread's own
  Chunk* chunk = nullptr;              ///< null: none yet
  std::uint32_t count = 0;             ///< values in it
  std::uint32_t most = 0;              ///< that it may have
  Nanos kept_ns = 0;                   ///< how long it is kept open for the jobs that follow
  exec::Pool* held_back_at = nullptr;  ///< where the source of the handler that pushes is

  Gather() = default;
  explicit Gather(Flow& of) noexcept;
  Gather(const Gather&) = delete;
  Gather& operator=(const Gather&) = delete;
  ~Gather() { ChunkStore::destroy(chunk); }
};

}  // namespace penstock::flow
