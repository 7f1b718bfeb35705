#include "penstock/exec/pool.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include "penstock/base/context.hpp"
#include "penstock/base/defaults.hpp"
#include "penstock/concurrent/barrier.hpp"
#include "penstock/concurrent/futex.hpp"
#include "penstock/exec/affinity.hpp"

namespace penstock::exec {

namespace {

/// Between two looks for room where the kernel has no membarrier.
constexpr Nanos kRoomSlice = 5'000'000;

std::string cpu_list(const std::vector<int>& cpus) {
  std::string text;
  for (const int cpu : cpus) text += (text.empty() ? "" : ", ") + std::to_string(cpu);
  return text;
}

std::vector<int> without(std::vector<int> cpus, const std::vector<int>& absent) {
  std::erase_if(cpus, [&absent](int cpu) {
    return std::find(absent.begin(), absent.end(), cpu) != absent.end();
  });
  return cpus;
}

}  // namespace

Pool::Pool(PoolSettings settings)
    : settings_(std::move(settings)),
      queue_(settings_.queue),
      overflow_(settings_.overflow),
      shared_(settings_.overflow == Overflow::shed_oldest),
      sharing_(settings_.overflow == Overflow::shed_oldest),
      workers_(new std::atomic<Worker*>[kMostThreads] {}) {
  owned_.resize(kMostThreads);
}

Pool::~Pool() {
  while (!stop(after(now_ns(), defaults::kDrainNanos))) continue;
}

std::string Pool::start(bool relax_pins, std::vector<std::string>& warnings) {
  std::string refusal = check_pins(relax_pins, warnings);
  if (!refusal.empty()) return refusal;
  begin_start();
  end_start(warnings);
  return {};
}

std::string Pool::check_pins(bool relax_pins, std::vector<std::string>& warnings) {
  for (unsigned index = 0; index < settings_.threads.size(); ++index) {
    std::vector<int>& cpus = settings_.threads[index];
    const std::vector<int> absent = absent_cpus(cpus);
    if (absent.empty()) continue;
    std::string text = "thread " + thread_name(settings_.name, index) + " of pool " +
                       settings_.name + " is pinned to CPU " + cpu_list(absent) +
                       ", which this process does not have (it has " + cpu_list(process_cpus()) +
                       ")";
    if (!relax_pins) return text;
    cpus = without(cpus, absent);
    warnings.push_back(text + "; it runs " +
                       (cpus.empty() ? "anywhere" : "on CPU " + cpu_list(cpus)));
  }
  return {};
}

void Pool::begin_start() {
  const std::lock_guard hold(resizing_);
  launched_ = launch(0, static_cast<unsigned>(settings_.threads.size()));
}

void Pool::end_start(std::vector<std::string>& warnings) {
  const auto wanted = static_cast<unsigned>(settings_.threads.size());
  const unsigned started = launched_;
  {
    const std::lock_guard hold(resizing_);
    await_ready(0, started);
    set_count(started);
  }
  if (std::string text = priority_warning(); !text.empty()) warnings.push_back(std::move(text));
  if (started == wanted) return;
  throw std::system_error(EAGAIN, std::generic_category(),
                          "pool " + settings_.name + " got " + std::to_string(started) +
                              " of its " + std::to_string(wanted) +
                              " threads, the system gives no more");
}

std::string Pool::priority_warning() {
  const std::lock_guard hold(resizing_);
  if (!priority_refused_ || std::exchange(priority_warned_, true)) return {};
  return "pool " + settings_.name + " asks for priority " + std::to_string(settings_.priority) +
         ", which needs CAP_SYS_NICE; that is missing, and it runs at the usual one";
}

// Starts the workers [from, to), all at once; returns how far it got.
unsigned Pool::grow(unsigned from, unsigned to) {
  const unsigned got = launch(from, to);
  await_ready(from, got);
  return got;
}

unsigned Pool::launch(unsigned from, unsigned to) {
  for (unsigned index = from; index < to; ++index) {
    std::unique_ptr<Worker>& worker = owned_[index];
    if (!worker) {
      worker = std::make_unique<Worker>(
          *this, index,
          index < settings_.threads.size() ? settings_.threads[index] : std::vector<int>{});
    } else if (worker->stay()) {
      continue;
    } else {
      while (!worker->exited()) std::this_thread::yield();
    }
    if (!worker->start()) return index;
  }
  return to;
}

void Pool::await_ready(unsigned from, unsigned to) noexcept {
  for (unsigned index = from; index < to; ++index) {
    Worker& worker = *owned_[index];
    worker.wait_until_ready();
    if (!worker.has_priority()) priority_refused_ = true;
    workers_[index].store(&worker, std::memory_order_release);
  }
}

void Pool::set_count(unsigned count) noexcept {
  share_.store((queue() + std::max(count, 1U) - 1) / std::max(count, 1U),
               std::memory_order_relaxed);
  // Release: who sees the count sees the workers below it.
  count_.store(count, std::memory_order_seq_cst);
  wake_room_waiters();
}

bool Pool::stop(Nanos deadline) noexcept {
  // A change may be waiting for user code: a handler's constructor, or its destructor.
  std::unique_lock hold(resizing_, std::try_to_lock);
  while (!hold.owns_lock()) {
    if (now_ns() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    static_cast<void>(hold.try_lock());
  }
  ended_ = true;
  set_count(0);
  for (const auto& worker : owned_) {
    if (worker && !worker->exited()) worker->retire();
  }
  for (const auto& worker : owned_) {
    while (worker && !worker->exited()) {
      if (now_ns() >= deadline) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }
  for (const auto& worker : owned_) {
    if (worker) worker->join();
  }
  refuse_shared();
  return true;
}

std::vector<int> Pool::pin(unsigned index, const std::vector<int>& cpus) {
  const std::lock_guard hold(resizing_);
  if (index >= size()) return {};
  Worker& worker = *owned_[index];
  if (!set_affinity(worker.tid(), cpus)) return {};
  const std::lock_guard write(pins_);
  worker.set_asked_cpus(cpus);
  return affinity_of(worker.tid());
}

std::vector<int> Pool::asked_cpus(unsigned index) {
  const std::lock_guard read(pins_);
  return index < size() ? worker(index).asked_cpus() : std::vector<int>{};
}

void Pool::keep_room(Request& request) noexcept {
  if (request.keeps_room) return;
  const Pool* const before = request.keeps_room_of;
  // The workers of a pool whose room is all kept run what comes nevertheless, and pass it on: what
  // they keep beyond that would hold back nobody.
  if ((before == nullptr || before->is_kept()) && request.owner->entry != nullptr) {
    if (Pool* const entry = request.owner->entry(request)) request.keeps_room_of = entry;
  }
  if (request.keeps_room_of == nullptr) return;
  request.keeps_room = true;
  request.keeps_room_of->kept_.fetch_add(std::uint64_t{1} + request.more,
                                         std::memory_order_relaxed);
}

void Pool::stand_for(Request& request, std::uint16_t more) noexcept {
  const std::uint16_t before = std::exchange(request.more, more);
  if (!request.keeps_room || more == before) return;
  Pool& pool = *request.keeps_room_of;
  if (more > before) {
    pool.kept_.fetch_add(std::uint64_t{more} - before, std::memory_order_relaxed);
  } else {
    pool.kept_.fetch_sub(std::uint64_t{before} - more, std::memory_order_relaxed);
    pool.after_pop();
  }
}

void Pool::took_room(Request& request) noexcept {
  if (!request.keeps_room) return;
  request.keeps_room = false;
  Pool& before = *request.keeps_room_of;
  before.kept_.fetch_sub(std::uint64_t{1} + request.more, std::memory_order_relaxed);
  before.after_pop();
}

// Relaxed: the limit is a bound, not a lock.
bool Pool::is_kept() const noexcept {
  const std::uint64_t most = sharing_.load(std::memory_order_relaxed) ? queue() : share();
  return kept_.load(std::memory_order_relaxed) >= most;
}

bool Pool::has_room(std::uint64_t besides) const noexcept {
  const unsigned count = size();
  if (count == 0) return true;
  if (sharing_.load(std::memory_order_relaxed)) {
    return shared_queue_.size() + besides + taken_besides(1) < queue();
  }
  besides += taken_besides(count);
  for (unsigned index = 0; index < count; ++index) {
    if (worker(index).depth() + besides < share()) return true;
  }
  return false;
}

void Pool::wait_for_room(Nanos deadline, const Elsewhere* elsewhere) noexcept {
  if (has_room()) return;
  room_waiters_.fetch_add(1, std::memory_order_seq_cst);
  // Who makes room counts that and then looks whether somebody waits (after_pop): from here on
  // either we see the room, or we are seen.
  concurrent::heavy_barrier();
  for (;;) {
    // seq_cst: before the looks below. Who changes what they see counts up afterwards.
    const std::uint32_t seen = room_.load(std::memory_order_seq_cst);
    if (has_room() || overflow() != Overflow::block) break;
    if (elsewhere != nullptr && elsewhere->calls()) break;
    if (deadline != 0 && now_ns() >= deadline) break;
    const Nanos until = concurrent::detail::kernel_has_membarrier
                            ? deadline
                            : earlier(deadline, after(now_ns(), kRoomSlice));
    concurrent::futex_wait(room_, seen, until);
  }
  room_waiters_.fetch_sub(1, std::memory_order_seq_cst);
}

void Pool::wake_room_waiters() noexcept {
  room_.fetch_add(1, std::memory_order_seq_cst);
  concurrent::futex_wake(room_, 1 << 20);
}

Pool::Depth Pool::depth() const noexcept {
  std::uint64_t waiting = shared_queue_.size() + more_.load(std::memory_order_relaxed);
  const unsigned count = size();
  for (unsigned index = 0; index < count; ++index) waiting += worker(index).depth();
  for (const Strand* strand : strands_) waiting += strand->waiting();
  // Relaxed: figures of different moments, so that a difference may be off by a few.
  const std::uint64_t lent = lent_.load(std::memory_order_relaxed);
  waiting = (waiting > lent ? waiting - lent : 0) + awaited_.load(std::memory_order_relaxed);
  const std::uint64_t queued = std::min<std::uint64_t>(waiting, queue());
  return {queued, waiting - queued + room_waiters_.load(std::memory_order_relaxed)};
}

unsigned Pool::busy() const noexcept {
  unsigned busy = 0;
  const unsigned count = size();
  for (unsigned index = 0; index < count; ++index) busy += worker(index).busy() ? 1 : 0;
  return busy;
}

std::uint64_t Pool::stolen() const noexcept {
  std::uint64_t stolen = 0;
  for (unsigned index = 0; index < kMostThreads; ++index) {
    const Worker* const worker = workers_[index].load(std::memory_order_acquire);
    if (worker == nullptr) break;  // they are made in order, and kept
    stolen += worker->stolen();
  }
  return stolen;
}

}  // namespace penstock::exec
