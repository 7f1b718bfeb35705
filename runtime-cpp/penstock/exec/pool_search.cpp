// What workers keep to themselves, and who takes it from them when it waits too long.
#include <algorithm>

#include "penstock/exec/pool.hpp"

namespace penstock::exec {

namespace {

// A look so long ago says nothing about the rate of late.
constexpr std::uint64_t kRateNanos = 10 * defaults::kSearchNanos;

}  // namespace

// To the worker whose thread this is, if it is one of several of this pool and has room. Nobody is
// woken for it: it is the next thing that this worker does, unless its handler goes on for long.
bool Pool::keep_near(Request& request, bool admitted) noexcept {
  Worker* const here = Worker::current();
  if (here == nullptr || &here->pool() != this) return false;
  const unsigned count = size();
  if (count < 2 || here->index() >= count) return false;
  // A credit is for one: of what stands for several all are counted.
  if (!admitted && (request.more != 0 || !here->use_own_credit())) {
    const std::uint64_t taken = here->depth() + taken_besides(count);
    if (taken >= share()) return false;
    here->credit(share() - taken);
  }
  if (!here->near().push(request)) return false;
  give_away_if_leaving(*here);
  // seq_cst, after the push; its partner is the last look of who searches no more (end_search).
  if (searching_.load(std::memory_order_seq_cst) == 0) call_searcher();
  return true;
}

void Pool::call_searcher() noexcept {
  // Where nobody idles, the first that does looks by itself.
  if (Worker* const worker = claim_idle(size())) worker->wake();
}

void Pool::give_away_if_leaving(Worker& worker) noexcept {
  // seq_cst, after the push; resize() changes the count before it gives away what is there. One of
  // us sees the other. None counts where the pool stops, and each runs what it has.
  const unsigned count = count_.load(std::memory_order_seq_cst);
  if (worker.index() >= count && count != 0) give_away(worker);
}

void Pool::give_away(Worker& worker) noexcept {
  mailbox::NearRing& ring = worker.near();
  // Once it counts again it keeps what it has: what it gave away it would get back, for ever.
  const auto counts = [&] { return worker.index() < count_.load(std::memory_order_seq_cst); };
  while (ring.pushed() != ring.taken() && !counts()) {
    if (mailbox::Node* const node = ring.pop()) {
      submit_admitted(static_cast<Request&>(static_cast<Job&>(*node)));
    }
  }
  while (worker.offers() && !counts()) {
    if (Job* const job = worker.take_offered()) submit_admitted(static_cast<Request&>(*job));
  }
}

bool Pool::near_in_sight() const noexcept {
  const unsigned count = count_.load(std::memory_order_seq_cst);
  for (unsigned index = 0; index < count; ++index) {
    const mailbox::NearRing& ring = worker(index).near();
    if (ring.pushed() != ring.taken()) return true;
  }
  return false;
}

bool Pool::begin_search() noexcept {
  if (size() < 2 || searching_.load(std::memory_order_relaxed) != 0 || !near_in_sight()) {
    return false;
  }
  // Acquire: what the last one noted in watch() is ours.
  return searching_.exchange(1, std::memory_order_acquire) == 0;
}

void Pool::end_search() noexcept {
  // seq_cst: a worker pushes and then looks whether somebody searches (keep_near). Either it sees
  // that nobody does, or we see what it pushed.
  searching_.store(0, std::memory_order_seq_cst);
  if (near_in_sight()) call_searcher();
}

Pool::Found Pool::take_waiting(unsigned thief, std::span<mailbox::Node*> into) noexcept {
  const Nanos now = now_ns();
  Found found;
  const unsigned count = size();
  // All of them, also once something is found: whom the next look takes from has to be known by
  // then.
  for (unsigned step = 1; step < count; ++step) {
    Worker& other = worker((thief + step) % count);
    mailbox::NearRing& ring = other.near();
    const std::uint32_t taken = ring.taken();
    const std::uint32_t pushed = ring.pushed();
    Worker::Watch& watch = other.watch();
    const Worker::Watch before = watch;
    found.moved |= pushed != before.pushed;
    watch = {.taken = taken, .pushed = pushed, .since = now};
    const std::uint32_t waiting = pushed - taken;
    // Which of those that wait now did so at the last look; modulo 2^32.
    if (waiting == 0) continue;
    const std::uint32_t done = taken - before.taken;
    if (before.pushed == before.taken) {
      found.fresh |= done == 0;
      continue;
    }
    const auto passed = static_cast<std::uint64_t>(now - before.since);
    if (done == 0) {
      watch.since = before.since;  // still the same one
      if (passed < defaults::kStandstillNanos) continue;
    } else if (passed > kRateNanos || passed * waiting / done < defaults::kLongWaitNanos) {
      continue;
    }
    if (found.jobs != 0) continue;
    // Of who stands still all: what is left would be found one half after the other.
    const std::size_t some = done == 0 ? waiting : (waiting + 1) / 2;
    found.jobs = ring.take(into.first(std::min(some, into.size())));
  }
  return found;
}

}  // namespace penstock::exec
