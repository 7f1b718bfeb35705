#include "penstock/flow/event/chunk.hpp"

#include <memory>
#include <mutex>
#include <new>

#include "penstock/concurrent/recycler.hpp"

namespace penstock::flow {

namespace {

constexpr std::align_val_t kChunkAlignment{concurrent::kLine};

}  // namespace

ChunkStore::~ChunkStore() {
  while (auto* const chunk = static_cast<Chunk*>(static_cast<exec::Job*>(free_.pop()))) {
    destroy(chunk);
  }
}

Chunk& ChunkStore::take() {
  {
    const std::lock_guard hold(mutex_);
    if (auto* const chunk = static_cast<Chunk*>(static_cast<exec::Job*>(free_.pop()))) {
      --count_;
      return *chunk;
    }
  }
  return *::new (::operator new(bytes_, kChunkAlignment)) Chunk;
}

void ChunkStore::give_back(Chunk& chunk) noexcept {
  chunk.emitted_ns = 0;
  chunk.pieces = nullptr;
  chunk.marks = 0;
  chunk.count = 0;
  if constexpr (concurrent::detail::kRecycle) {
    const std::lock_guard hold(mutex_);
    if (count_ < kKept) {
      ++count_;
      free_.push(chunk);
      return;
    }
  }
  destroy(&chunk);
}

void ChunkStore::destroy(Chunk* chunk) noexcept {
  if (chunk == nullptr) return;
  std::destroy_at(chunk);
  ::operator delete(chunk, kChunkAlignment);
}

}  // namespace penstock::flow
