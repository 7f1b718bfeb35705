#include "penstock/concurrent/recycler.hpp"

namespace penstock::concurrent {

constinit thread_local detail::BlockLists detail::t_blocks{};

namespace {

constexpr std::align_val_t kAlignment{detail::kBlockStep};

// Hands the lists back when the thread ends.
struct Closer {
  Closer() = default;
  Closer(const Closer&) = delete;
  Closer& operator=(const Closer&) = delete;
  ~Closer() {
    for (detail::Block*& head : detail::t_blocks.heads) {
      while (detail::Block* const next = head->next) {
        ::operator delete(head, kAlignment);
        head = next;
      }
      head = &detail::g_closed;
    }
  }
  void arm() const noexcept {}
};
thread_local const Closer t_closer;

constinit thread_local bool t_opened = false;

}  // namespace

void* detail::allocate_slowly(std::size_t bytes) {
  const std::size_t steps = bytes == 0 ? 1 : (bytes - 1) / kBlockStep + 1;
  return ::operator new(recycled(bytes) ? steps* kBlockStep : bytes, kAlignment);
}

void detail::release_slowly(void* memory, std::size_t bytes) noexcept {
  if (recycled(bytes) && !t_opened) {
    t_opened = true;
    t_blocks.heads.fill(&g_open);
    t_closer.arm();
    release(memory, bytes);
    return;
  }
  ::operator delete(memory, kAlignment);
}

}  // namespace penstock::concurrent
