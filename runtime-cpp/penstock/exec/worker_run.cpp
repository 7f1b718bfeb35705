// What a worker takes from its queues, in which turn, and whether there is something to take.
#include <algorithm>
#include <array>

#include "penstock/concurrent/prefetch.hpp"
#include "penstock/exec/pool.hpp"
#include "penstock/exec/worker.hpp"

namespace penstock::exec {

// Part of each loop over jobs: a call more at each would be a tenth of what a job costs here.
[[gnu::always_inline]] inline void Worker::run(Job& job) noexcept {
  if (job.counted) {
    job.counted = false;
    popped_.store(popped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    pool_.after_pop();
  }
  job.run(job);
}

// A request that was to run here, as nobody else was there, to all; false: it is to run here.
bool Worker::pass_on(Job& job) noexcept {
  if (!job.counted || static_cast<Request&>(job).only != nullptr || pool_.size() < 2) return false;
  job.counted = false;
  popped_.store(popped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  box_.push(job);
  pool_.wake_another();
  return true;
}

// What others do not look into, some of each queue in turn, as long as some of it is for all.
void Worker::spread_out() noexcept {
  unsigned taken = 0;
  unsigned passed = 0;
  const auto take = [&](mailbox::Node* node) {
    if (node == nullptr) return false;
    ++taken;
    auto& job = static_cast<Job&>(*node);
    if (pass_on(job)) {
      ++passed;
    } else {
      run(job);
      job_ended();
    }
    return true;
  };
  do {
    taken = passed = 0;
    for (std::uint64_t bits = active_.load(std::memory_order_relaxed); bits != 0; bits &= bits - 1)
      for (int turn = 0; turn < defaults::kJobsPerTurn && take(inlet(bits).pop()); ++turn) continue;
    for (int turn = 0; turn < defaults::kJobsPerTurn && take(mailbox_.pop()); ++turn) continue;
    for (int turn = 0; turn < defaults::kJobsPerTurn && take(local_queue_.pop()); ++turn) continue;
  } while (passed != 0);
  // What comes from now on is given to all, unless there is but one again. Who says so once more
  // has left here what there is by then.
  if (taken != 0 || !spreads_.exchange(false, std::memory_order_acq_rel)) return;
  if (lanes_in_sight() || mailbox_.maybe_nonempty() || !local_queue_.empty()) spread();
}

// Some jobs of each queue in turn, so that none starves another. How many it ran.
int Worker::run_some() noexcept {
  if (spreads_.load(std::memory_order_acquire)) [[unlikely]]
    spread_out();
  int ran = run_lanes();
  for (int taken = 0; taken < defaults::kJobsPerTurn; ++taken) {
    auto* const job = static_cast<Job*>(mailbox_.pop());
    if (job == nullptr) break;
    run(*job);
    job_ended();
    ++ran;
  }
  for (int taken = 0; taken < defaults::kJobsPerTurn; ++taken) {
    auto* const job = static_cast<Job*>(local_queue_.pop());
    if (job == nullptr) break;
    const bool is_last = taken + 1 == defaults::kJobsPerTurn;
    const auto* const next = is_last ? nullptr : static_cast<const Job*>(local_queue_.oldest());
    run(*job);
    job_ended(next);
    ++ran;
  }
  ran += run_near();
  if (offers()) ran += run_offered();
  // Last, because it may block; but not never, when a strand or replies keep the thread busy.
  if (pool_.shared() && (ran == 0 || --until_shared_ <= 0) &&
      phase_.load(std::memory_order_relaxed) == kServing) {
    until_shared_ = defaults::kTurnsPerSharedLook;
    if (Job* job = pool_.take_shared()) {
      pool_.after_pop();
      job->run(*job);
      job_ended();
      ++ran;
    }
  }
  return ran;
}

namespace {

// The lines of a call that pass between caller and callee: its head and its answer's line
// (call/frame/frame.hpp).
void fetch(const mailbox::Node* node) noexcept {
  const auto* const bytes = reinterpret_cast<const std::byte*>(node);
  concurrent::prefetch_to_write(bytes);
  concurrent::prefetch_to_write(bytes + 4 * concurrent::kLine);
}

}  // namespace

int Worker::run_lanes() noexcept {
  std::array<mailbox::Node*, defaults::kJobsPerTurn> jobs;  // NOLINT: written before it is read
  int ran = 0;
  // Relaxed: a lane we miss is seen in the next turn, or by the last look before we sleep.
  for (std::uint64_t bits = active_.load(std::memory_order_relaxed); bits != 0; bits &= bits - 1) {
    const std::uint32_t count = inlet(bits).pop_some(jobs.data(), jobs.size());
    const std::uint32_t first = std::min(count, defaults::kPrefetchDistance);
    for (std::uint32_t at = 1; at < first; ++at) fetch(jobs[at]);
    for (std::uint32_t at = 0; at < count; ++at) {
      if (at + first < count && jobs[at + first] != nullptr) fetch(jobs[at + first]);
      mailbox::Node* const node = jobs[at];
      if (node == nullptr) continue;
      upcoming_ = std::span(jobs).subspan(at + 1, count - at - 1);
      run(static_cast<Job&>(*node));
      // After it ran: it may have done what the next one was for.
      job_ended(at + 1 < count ? static_cast<const Job*>(jobs[at + 1]) : nullptr);
    }
    upcoming_ = {};
    ran += static_cast<int>(count);
  }
  return ran;
}

// Requests that others may take, too: one by one, so that those which wait can be taken while this
// one runs.
int Worker::run_offered() noexcept {
  int ran = 0;
  // What it alone has is for all before it is stuck in the next one.
  for (; ran < defaults::kJobsPerTurn && !spreads_.load(std::memory_order_relaxed); ++ran) {
    Job* const job = take_offered();
    if (job == nullptr) break;
    pool_.after_pop();
    job->run(*job);
    job_ended();
  }
  return ran;
}

// With nothing else to do: what waits for another one.
int Worker::run_stolen() noexcept {
  if (phase_.load(std::memory_order_relaxed) != kServing) return 0;
  Job* const job = pool_.steal(index_);
  if (job == nullptr) return 0;
  stolen_.store(stolen_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  pool_.after_pop();
  job->run(*job);
  job_ended();
  return 1;
}

// What it gave itself. Others may take it meanwhile, so one by one.
int Worker::run_near() noexcept {
  int ran = 0;
  for (; ran < defaults::kJobsPerTurn; ++ran) {
    mailbox::Node* const node = near_.pop();
    if (node == nullptr) break;
    pool_.after_pop();
    auto& job = static_cast<Job&>(*node);
    job.run(job);
    job_ended();
  }
  return ran;
}

// Of the worker that searches. Somebody else may do so before it runs anything: a handler can take
// long.
void Worker::search() noexcept {
  // What our poller brings is given to ourselves, and nobody else looks for it as long as we
  // search.
  if (!near_.empty() || work_in_sight() || own_work_in_sight()) {
    end_search();
  } else if (now_ns() < search_at_) {
    idle();
  } else {
    take_waiting();
  }
}

void Worker::take_waiting() noexcept {
  std::array<mailbox::Node*, defaults::kMostTaken> nodes;  // NOLINT: written before it is read
  const Pool::Found found = pool_.take_waiting(index_, nodes);
  if (found.jobs == 0) {
    vain_looks_ = found.moved ? 0 : vain_looks_ + 1;
    search_at_ = after(now_ns(), found.fresh ? defaults::kStandstillNanos : defaults::kSearchNanos);
    if (vain_looks_ == defaults::kVainLooks) end_search();
    return;
  }
  stolen_.store(stolen_.load(std::memory_order_relaxed) + found.jobs, std::memory_order_relaxed);
  // It had nothing, so there is room for as much as it takes at once.
  for (std::uint32_t at = 1; at < found.jobs; ++at) static_cast<void>(near_.push(*nodes[at]));
  if (found.jobs > 1) pool_.give_away_if_leaving(*this);
  end_search();
  pool_.after_pop();
  auto& job = static_cast<Job&>(*nodes[0]);
  job.run(job);
  job_ended();
}

bool Worker::lanes_in_sight() const noexcept {
  for (std::uint64_t bits = active_.load(std::memory_order_relaxed); bits != 0; bits &= bits - 1) {
    if (!inlet(bits).empty()) return true;
  }
  return false;
}

bool Worker::work_in_sight() const noexcept {
  return lanes_in_sight() || mailbox_.maybe_nonempty() || !local_queue_.empty() || offers() ||
         pool_.shared_work_in_sight() || phase_.load(std::memory_order_relaxed) == kRetiring;
}

// Work that no other worker can take.
bool Worker::own_work_in_sight() noexcept {
  if (lanes_in_sight() || mailbox_.maybe_nonempty() || !local_queue_.empty()) return true;
  const Nanos due = timers_.next_look();
  return due != 0 && now_ns() >= due;
}

}  // namespace penstock::exec
