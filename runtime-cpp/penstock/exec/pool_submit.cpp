// Which worker gets a request, and what a full queue does with one more.
#include <bit>

#include "penstock/base/random.hpp"
#include "penstock/concurrent/futex.hpp"
#include "penstock/exec/pool.hpp"

namespace penstock::exec {

Admission Pool::submit_several(Request& request) noexcept {
  more_.fetch_add(request.more, std::memory_order_relaxed);
  return submit_slowly(request);
}

Admission Pool::submit_slowly(Request& request) noexcept {
  request.pool = this;
  if (request.only == nullptr) {
    // Acquire: who sees the heir sees its threads. Without a limit: the request was on its way here
    // when the pool left its slot, and such a change loses nothing.
    if (Pool* const heir = heir_.load(std::memory_order_acquire)) [[unlikely]] {
      heir->submit_admitted(request);
      return Admission::accepted;
    }
  }
  if (sharing_.load(std::memory_order_relaxed) && request.only == nullptr) {
    switch (overflow()) {
      case Overflow::block:
        if (shared_queue_.size() >= queue_left()) keep_room(request);
        shared_queue_.push(request);
        break;
      case Overflow::reject:
        if (!shared_queue_.push_within(request, queue_left())) return Admission::refused;
        break;
      case Overflow::shed_oldest:
        // More than one where the oldest had the right of its strand: who gets that comes in here.
        for (mailbox::Node* node = shared_queue_.push_shedding(request, queue_left());
             node != nullptr; node = shared_queue_.pop_beyond(queue_left())) {
          auto& oldest = static_cast<Request&>(static_cast<Job&>(*node));
          oldest.owner->refuse(oldest);
        }
        break;
    }
    wake_one();
    // seq_cst: after the push in the total order; stop() says zero before it empties the queue. One
    // of us finds a request that came too late.
    if (count_.load(std::memory_order_seq_cst) == 0) refuse_shared();
    return Admission::accepted;
  }
  if (request.only != nullptr || size() == 1) {
    Worker& worker = request.only != nullptr ? *request.only : this->worker(0);
    const std::uint64_t taken = worker.depth() + taken_besides(1);
    if (taken < share()) {
      worker.credit(share() - taken);
    } else if (overflow() == Overflow::reject) {
      return Admission::refused;
    } else {
      keep_room(request);
    }
    worker.post_counted_alone(request);
    return Admission::accepted;
  }
  if (keep_near(request, false)) return Admission::accepted;
  Worker* worker = &choose();
  const std::uint64_t besides = taken_besides(size());
  if (worker->depth() + besides >= share()) {
    worker = &least_loaded();
    if (worker->depth() + besides >= share()) {
      if (overflow() == Overflow::reject) return Admission::refused;
      keep_room(request);
    }
  }
  hand(*worker, request);
  return Admission::accepted;
}

void Pool::submit_admitted(Request& request) noexcept {
  request.pool = this;
  if (request.only != nullptr) {
    request.only->post_counted(request);
  } else if (Pool* const heir = heir_.load(std::memory_order_acquire)) {
    heir->submit_admitted(request);
  } else if (sharing_.load(std::memory_order_relaxed)) {
    shared_queue_.push(request);
    wake_one();
    // As in submit().
    if (count_.load(std::memory_order_seq_cst) == 0) refuse_shared();
  } else if (!keep_near(request, true)) {
    hand(choose(), request);
  }
}

// To any one of the workers.
void Pool::hand(Worker& worker, Request& request) noexcept {
  if (size() < 2) {
    // Behind what it got before: nobody takes anything from it.
    worker.post_counted(request);
    return;
  }
  worker.offer(request);
  worker.wake();
  give_away_if_leaving(worker);
  // seq_cst, after the offer; its partner is at the end of Worker::idle(). Who is busy may stay so
  // for long, and somebody who has become idle meanwhile may have looked before we offered.
  if (worker.busy()) wake_one();
}

Job* Pool::steal(unsigned thief) noexcept {
  const unsigned count = size();
  for (unsigned step = 1; step < count; ++step) {
    if (Job* const job = worker((thief + step) % count).take_offered()) return job;
  }
  return nullptr;
}

bool Pool::offers_in_sight() const noexcept {
  const unsigned count = size();
  if (count < 2) return false;
  for (unsigned index = 0; index < count; ++index) {
    if (worker(index).offers()) return true;
  }
  return false;
}

void Pool::submit_near(Request& request, unsigned home) noexcept {
  const unsigned count = size();
  if (request.only != nullptr || sharing_.load(std::memory_order_relaxed) || count <= 1 ||
      retired()) {
    submit_admitted(request);
    return;
  }
  request.pool = this;
  const unsigned first = home % count;
  Worker* chosen = &worker(first);
  if (!claim(first)) {
    if (Worker* const idle = claim_idle(count)) {
      chosen = idle;
    } else {
      unsigned second = random_below(count - 1);
      if (second >= first) ++second;
      if (worker(second).depth() < chosen->depth()) chosen = &worker(second);
    }
  }
  hand(*chosen, request);
}

bool Pool::submit_to_idle(Request& request) noexcept {
  Worker* const idle =
      sharing_.load(std::memory_order_relaxed) || retired() ? nullptr : claim_idle(size());
  if (idle == nullptr) return false;
  request.pool = this;
  hand(*idle, request);
  return true;
}

Worker& Pool::choose() noexcept {
  const unsigned count = size();
  if (count <= 1) return *workers_[0].load(std::memory_order_acquire);
  if (Worker* idle = claim_idle(count)) return *idle;
  const unsigned first = random_below(count);
  unsigned second = random_below(count - 1);
  if (second >= first) ++second;
  Worker& one = worker(first);
  Worker& other = worker(second);
  return one.depth() <= other.depth() ? one : other;
}

Worker& Pool::least_loaded() noexcept {
  const unsigned count = size();
  Worker* best = workers_[0].load(std::memory_order_acquire);
  for (unsigned index = 1; index < count; ++index) {
    if (worker(index).depth() < best->depth()) best = &worker(index);
  }
  return *best;
}

// Takes an idle worker off the map, so that the next poster takes another one. The lowest: a pool
// that shrinks loses its highest ones, and nothing was announced to those while another one idled.
Worker* Pool::claim_idle(unsigned count) noexcept {
  for (unsigned word = 0; word * 64 < count; ++word) {
    // seq_cst: the poster's look after its push into the shared queue; its partner is set_idle()
    // before the worker's last look at that queue. One of the two sees the other.
    std::uint64_t bits = idle_[word].load(std::memory_order_seq_cst);
    while (bits != 0) {
      const auto bit = static_cast<unsigned>(std::countr_zero(bits));
      const unsigned index = word * 64 + bit;
      // Those from here on do not count yet, or no more: who took them off the map would have to
      // wake them.
      if (index >= count) return nullptr;
      const std::uint64_t mask = std::uint64_t{1} << bit;
      if ((idle_[word].fetch_and(~mask, std::memory_order_seq_cst) & mask) != 0) {
        return workers_[index].load(std::memory_order_acquire);
      }
      bits = idle_[word].load(std::memory_order_seq_cst);
    }
  }
  return nullptr;
}

// Takes this worker off the map of idle ones; false when it is not on it.
bool Pool::claim(unsigned index) noexcept {
  const std::uint64_t mask = std::uint64_t{1} << (index % 64);
  std::atomic<std::uint64_t>& word = idle_[index / 64];
  return (word.load(std::memory_order_relaxed) & mask) != 0 &&
         (word.fetch_and(~mask, std::memory_order_seq_cst) & mask) != 0;
}

void Pool::wake_one() noexcept {
  if (Worker* worker = claim_idle(size())) {
    worker->wake();
  } else if (std::atomic<std::uint32_t>* const word = hungry_.load(std::memory_order_acquire);
             word != nullptr && word->load(std::memory_order_relaxed) == 0 &&
             word->exchange(1, std::memory_order_seq_cst) == 0) {
    concurrent::futex_wake(*word);
  }
}

void Pool::set_idle(unsigned index) noexcept {
  // Alone in its pool it is chosen in any case. None counts yet: the pool is starting.
  if (size() == 1 && !shared()) return;
  const std::uint64_t mask = std::uint64_t{1} << (index % 64);
  std::atomic<std::uint64_t>& word = idle_[index / 64];
  if ((word.load(std::memory_order_seq_cst) & mask) == 0) {
    word.fetch_or(mask, std::memory_order_seq_cst);
  }
}

bool Pool::clear_idle(unsigned index) noexcept {
  const std::uint64_t mask = std::uint64_t{1} << (index % 64);
  std::atomic<std::uint64_t>& word = idle_[index / 64];
  // Acquire: who was taken off sees what it was chosen for.
  return (word.load(std::memory_order_acquire) & mask) != 0 &&
         (word.fetch_and(~mask, std::memory_order_seq_cst) & mask) != 0;
}

}  // namespace penstock::exec
