// What changes in a pool while it runs: the number of its threads, its queue, whether it serves.
#include <thread>

#include "penstock/base/context.hpp"
#include "penstock/exec/pool.hpp"

namespace penstock::exec {

unsigned Pool::resize(unsigned threads, Nanos patience) {
  const std::lock_guard hold(resizing_);
  if (retired() || ended_) return 0;
  const unsigned before = size();
  if (threads > before) {
    set_count(grow(before, threads));
    if (before == 1) owned_[0]->spread();
    wake_all();
    return size();
  }
  set_count(threads);
  for (unsigned index = threads; index < before; ++index) {
    clear_idle(index);
    owned_[index]->retire();
  }
  // What waits in the shared queue may have been announced to one of them. That was so because
  // nobody below it was on the map of idle workers (claim_idle): all who stay look at the queue
  // once more before they sleep.
  // Nobody looks into the boxes of those who leave, and they would run them one by one.
  for (unsigned index = threads; index < before; ++index) give_away(*owned_[index]);
  const Nanos deadline = after(now_ns(), patience);
  for (unsigned index = threads; index < before; ++index) {
    while (!owned_[index]->exited() && now_ns() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  return threads;
}

// What came while they did not count was announced to nobody of them, and one that fell asleep
// alone in its pool is not on the map of idle ones.
void Pool::wake_all() noexcept {
  const unsigned count = size();
  for (unsigned index = 0; index < count; ++index) owned_[index]->wake();
}

void Pool::expect_blocking() noexcept {
  blocking_.store(true, std::memory_order_relaxed);
  settle_queue();
}

void Pool::set_limits(std::uint32_t queue, Overflow overflow) noexcept {
  const std::lock_guard hold(resizing_);
  queue_.store(queue, std::memory_order_relaxed);
  overflow_.store(overflow, std::memory_order_relaxed);
  set_count(size());
  settle_queue();
}

void Pool::set_cached(bool cached) noexcept {
  cached_.store(cached, std::memory_order_relaxed);
  settle_queue();
}

void Pool::settle_queue() noexcept {
  share_queue(overflow() == Overflow::shed_oldest || blocking_.load(std::memory_order_relaxed) ||
              cached());
}

void Pool::share_queue(bool sharing) noexcept {
  if (sharing && !shared()) {
    // seq_cst: before the looks of wake() in the total order. A worker that falls asleep says so
    // and then looks whether the queue is shared, and marks itself idle if it is: either it sees
    // this, or it is woken and looks again.
    shared_.store(true, std::memory_order_seq_cst);
    const unsigned count = size();
    for (unsigned index = 0; index < count; ++index) worker(index).wake();
  }
  sharing_.store(sharing, std::memory_order_seq_cst);
  wake_room_waiters();
}

void Pool::retire(Pool& heir) noexcept {
  const std::lock_guard hold(resizing_);
  const unsigned before = size();
  // seq_cst: before the queue is emptied below; a poster pushes and then looks at the count
  // (submit()). One of us finds a request that came too late.
  heir_.store(&heir, std::memory_order_seq_cst);
  set_count(0);
  for (unsigned index = 0; index < before; ++index) {
    clear_idle(index);
    owned_[index]->retire();
  }
  refuse_shared();
}

unsigned Pool::unretire(unsigned threads) {
  const std::lock_guard hold(resizing_);
  if (ended_) return 0;
  set_count(grow(0, threads));
  // Last: a pool without heir and without threads has stopped, and would refuse what comes.
  heir_.store(nullptr, std::memory_order_seq_cst);
  wake_all();
  return size();
}

// What came too late for any worker: its callers wait for an answer. What came for a pool that
// retired goes to its heir. A request that has the right of its strand passes it on when it is
// refused, and the next one comes here in its turn: one call at a time is at it, and looks again
// for the others, so that a long line costs no stack.
void Pool::refuse_shared() noexcept {
  if (refusals_.fetch_add(1, std::memory_order_seq_cst) != 0) return;
  std::uint32_t calls = 1;
  do {
    while (Job* const job = take_shared()) {
      auto& request = static_cast<Request&>(*job);
      if (Pool* const heir = heir_.load(std::memory_order_acquire)) {
        heir->submit_admitted(request);
      } else if (stopped()) {
        request.owner->refuse(request);
      } else {
        // It serves again since we came here.
        submit_admitted(request);
        break;
      }
    }
    calls = refusals_.fetch_sub(calls, std::memory_order_seq_cst) - calls;
  } while (calls != 0);
}

}  // namespace penstock::exec
