#include "penstock/concurrent/recycler.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "penstock/concurrent/mutex.hpp"
#include "penstock/concurrent/recycler_count.hpp"

namespace penstock::concurrent {

constinit thread_local detail::BlockLists detail::t_blocks{};

namespace {

using detail::Block;

constexpr std::align_val_t kAlignment{detail::kBlockStep};

// Not in a simulated world, where it would be one more thing whose order is drawn.
#ifdef PENSTOCK_WORLD
constexpr bool kCounted = false;
#else
constexpr bool kCounted = true;
#endif
// Blocks that malloc gave and did not get back. Relaxed: a number, which orders nothing.
constinit std::atomic<std::size_t> g_made{0};

// Without lists, every block counts.
constexpr bool counts(std::size_t bytes) noexcept {
  return kCounted && (!detail::kRecycle || detail::recycled(bytes));
}

void destroy(Block* list) noexcept {
  std::size_t count = 0;
  while (Block* const next = list->next) {
    ::operator delete(list, kAlignment);
    list = next;
    ++count;
  }
  if constexpr (kCounted) g_made.fetch_sub(count, std::memory_order_relaxed);
}

void* make(std::size_t bytes, std::size_t counted_as) {
  void* const block = ::operator new(bytes, kAlignment);
  if (counts(counted_as)) g_made.fetch_add(1, std::memory_order_relaxed);
  return block;
}

/// Full lists of one size that lie between the threads. Any thread.
class Shelf {
 public:
  /// False: there is no more room. Blocks are of so many bytes.
  [[nodiscard]] bool put(Block* list, std::size_t bytes) noexcept {
    const std::lock_guard hold(mutex_);
    if ((blocks_ + list->kept) * bytes > defaults::kRecycledBytesKept) return false;
    blocks_ += list->kept;
    top_ = ::new (list) Laid{{list->next, list->kept}, top_};
    return true;
  }
  /// Null: there is none.
  [[nodiscard]] Block* take() noexcept {
    const std::lock_guard hold(mutex_);
    if (top_ == nullptr) return nullptr;
    Laid* const list = top_;
    top_ = list->below;
    blocks_ -= list->kept;
    return list;
  }
  [[nodiscard]] std::size_t blocks() noexcept {
    const std::lock_guard hold(mutex_);
    return blocks_;
  }

 private:
  struct Laid : Block {
    Laid* below;
  };
  static_assert(sizeof(Laid) <= detail::kBlockStep);

  Mutex mutex_;
  Laid* top_ = nullptr;
  std::size_t blocks_ = 0;
};
// Constant initialised and trivially destructible: threads may end after main().
constinit std::array<Shelf, detail::kBlockClasses> g_shelves{};

enum class State : std::uint8_t { fresh, open, closed };
constinit thread_local State t_state = State::fresh;
// A full list of each size besides the one in use, so that a thread whose list is just full, or
// just empty, goes to the shelf once a list and not at every turn; null: none.
constinit thread_local std::array<Block*, detail::kBlockClasses> t_spares{};

// Hands the lists back when the thread ends.
struct Closer {
  Closer() = default;
  Closer(const Closer&) = delete;
  Closer& operator=(const Closer&) = delete;
  ~Closer() {
    t_state = State::closed;
    for (Block*& head : detail::t_blocks.heads) destroy(std::exchange(head, &detail::g_closed));
    for (Block*& spare : t_spares) {
      if (spare != nullptr) destroy(std::exchange(spare, nullptr));
    }
  }
  void arm() const noexcept {}
};
thread_local const Closer t_closer;

void open() noexcept {
  t_state = State::open;
  detail::t_blocks.heads.fill(&detail::g_open);
  t_closer.arm();
}

}  // namespace

void* detail::allocate_slowly(std::size_t bytes) {
  if (!recycled(bytes)) return make(bytes, bytes);
  if (t_state == State::fresh) open();
  if (t_state == State::open) {
    const std::size_t index = (bytes - 1) / kBlockStep;
    Block* list = std::exchange(t_spares[index], nullptr);
    if (list == nullptr) list = g_shelves[index].take();
    if (list != nullptr) {
      t_blocks.heads[index] = list->next;
      return list;
    }
  }
  return make(block_bytes(bytes), bytes);
}

void detail::release_slowly(void* memory, std::size_t bytes) noexcept {
  if (recycled(bytes) && t_state == State::fresh) {
    open();
    release(memory, bytes);
    return;
  }
  if (recycled(bytes) && t_state == State::open) {
    const std::size_t index = (bytes - 1) / kBlockStep;
    Block*& spare = t_spares[index];
    if (spare == nullptr || g_shelves[index].put(spare, block_bytes(bytes))) {
      spare = t_blocks.heads[index];
      t_blocks.heads[index] = ::new (memory) Block{&g_open, 1};
      return;
    }
  }
  ::operator delete(memory, kAlignment);
  if (counts(bytes)) g_made.fetch_sub(1, std::memory_order_relaxed);
}

std::size_t blocks_out() noexcept {
  std::size_t out = g_made.load(std::memory_order_relaxed);
  for (Shelf& shelf : g_shelves) out -= std::min(out, shelf.blocks());
  return out;
}

std::size_t blocks_kept_here() noexcept {
  if (t_state != State::open) return 0;
  std::size_t kept = 0;
  for (const Block* const head : detail::t_blocks.heads) kept += head->kept;
  for (const Block* const spare : t_spares) kept += spare != nullptr ? spare->kept : 0;
  return kept;
}

}  // namespace penstock::concurrent
