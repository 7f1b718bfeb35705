#include "penstock/metrics/registry.hpp"

#include <algorithm>

#include "penstock/base/random.hpp"

namespace penstock::metrics {

constinit thread_local Shard* Registry::t_shard = nullptr;

namespace {

// Whole lines, so that two shards never share one.
template <class Cell>
Cell* make_cells(std::uint32_t count) {
  constexpr std::size_t kPerLine = kApart / sizeof(Cell);
  const std::size_t cells = (count / kPerLine + 1) * kPerLine;
  void* const memory = ::operator new(cells * sizeof(Cell), std::align_val_t{kApart});
  auto* const first = static_cast<Cell*>(memory);
  std::uninitialized_value_construct_n(first, cells);
  return first;
}

}  // namespace

Shard::Shard(const Registry& owner, const Sizes& sizes, bool shared)
    : counters_(make_cells<Cell>(sizes.counters)),
      sampled_(make_cells<Sampling>(sizes.sampled)),
      shared_(shared),
      owner_(owner),
      sampling_(sizes.sampled),
      rare_(sizes.rare),
      samples_(sizes.timers),
      timers_(sizes.timers) {}

Shard::~Shard() {
  for (std::uint32_t timer = 0; timer < timers_; ++timer) {
    if (const auto* const samples = samples_.find(timer)) {
      delete samples->load(std::memory_order_relaxed);
    }
  }
}

void Shard::add(RareCounter counter) noexcept {
  expect_here();
  if constexpr (!kMetered) return;
  if (auto* const cell = rare_.make(counter.id)) add_to(*cell, 1, shared_);
}

std::uint64_t Shard::count(RareCounter counter) const noexcept {
  const auto* const cell = rare_.find(counter.id);
  return cell != nullptr ? cell->load(std::memory_order_relaxed) : 0;
}

void Shard::record(std::uint32_t timer, Nanos latency, std::uint32_t times) noexcept {
  expect_here();
  std::atomic<Samples*>* const slot = samples_.make(timer);
  if (slot == nullptr) return;
  Samples* samples = slot->load(std::memory_order_acquire);
  if (samples == nullptr) {
    auto* const fresh = new (std::nothrow) Samples;
    if (fresh == nullptr) return;
    // Release: a reader that sees the pointer sees them empty. The exchange can only fail in the
    // shared shard, where another thread was first.
    if (slot->compare_exchange_strong(samples, fresh, std::memory_order_acq_rel)) {
      samples = fresh;
    } else {
      delete fresh;
    }
  }
  samples->record(latency, shared_, times);
}

void Shard::collect(std::uint32_t timer, HistogramSum& into) const {
  const auto* const slot = samples_.find(timer);
  if (slot == nullptr) return;
  if (const Samples* const samples = slot->load(std::memory_order_acquire)) samples->add_to(into);
}

Registry::~Registry() = default;

std::uint32_t Registry::add_counters(std::uint32_t count) noexcept {
  const std::uint32_t first = sizes_.counters;
  sizes_.counters += count;
  return first;
}

RareCounter Registry::add_rare_counters(std::uint32_t count) noexcept {
  const RareCounter first{sizes_.rare};
  sizes_.rare += count;
  return first;
}

void Registry::start() { outside_ = std::make_unique<Shard>(*this, sizes_, true); }

void Registry::enter() {
  const std::lock_guard hold(mutex_);
  if (free_.empty()) {
    shards_.push_back(std::make_unique<Shard>(*this, sizes_, false));
    free_.reserve(shards_.size());  // leave() may not fail
    t_shard = shards_.back().get();
  } else {
    t_shard = free_.back();
    free_.pop_back();
  }
  t_shard->thread_.note();
  // Or all of them would sample in step, and choose the same workers.
  seed_random(++entered_);
}

void Registry::leave() noexcept {
  const std::lock_guard hold(mutex_);
  if (t_shard != nullptr) free_.push_back(t_shard);
  t_shard = nullptr;
}

void Registry::set_sampling(int per128) noexcept {
  const auto wanted = static_cast<std::uint32_t>(per128);
  if (per128_.exchange(wanted, std::memory_order_relaxed) == wanted) return;
  // Ends what was drawn for the rate before. Relaxed: who overwrites this has drawn what is soon
  // reached.
  const std::lock_guard hold(mutex_);
  for (const auto& shard : shards_) {
    for (std::uint32_t id = 0; id < shard->sampling_; ++id) {
      shard->sampled_[id].next.store(0, std::memory_order_relaxed);
    }
  }
}

// Counts, where the count that was drawn is reached, or none is drawn. `own` is null on a thread
// from outside.
bool Registry::draw(Shard* own, SampledCounter counter) noexcept {
  if constexpr (!kMetered) return false;
  const std::uint32_t per128 = per128_.load(std::memory_order_relaxed);
  if (own == nullptr) {
    outside_->sampling(counter).count.fetch_add(1, std::memory_order_relaxed);
    return per128 != 0 && roll() % 128 < per128;
  }
  Shard::Sampling& sampling = own->sampling(counter);
  const std::uint64_t counted = sampling.count.load(std::memory_order_relaxed) + 1;
  sampling.count.store(counted, std::memory_order_relaxed);
  if (per128 == 0) {
    sampling.next.store(counted + kLongestGap, std::memory_order_relaxed);
    return false;
  }
  if (sampling.next.load(std::memory_order_relaxed) == 0) {
    const std::uint32_t first = first_gap(per128);
    if (first > 1) {
      sampling.next.store(counted + first - 1, std::memory_order_relaxed);
      return false;
    }
  }
  sampling.next.store(counted + gap(per128), std::memory_order_relaxed);
  return true;
}

// Counts from one sampled one to the next: uniform from 1 to 2m - 1 with the mean m = 128 /
// per128, whose fraction is thrown like a die.
std::uint32_t Registry::gap(std::uint32_t per128) noexcept {
  constexpr std::uint32_t kOne = 1024;
  const std::uint32_t width = 2 * (128 * kOne / per128 - kOne);
  const auto drawn = kOne + random_below(width);
  return drawn / kOne + (roll() % kOne < drawn % kOne ? 1 : 0);
}

// The rest of a gap that one comes upon by chance, so that who counts seldom is sampled as often as
// any other: such a gap is one of the longer ones, as the larger of two.
std::uint32_t Registry::first_gap(std::uint32_t per128) noexcept {
  return 1 + random_below(std::max(gap(per128), gap(per128)));
}

template <class Counter>
std::uint64_t Registry::sum(Counter counter) const {
  const std::lock_guard hold(mutex_);
  std::uint64_t total = outside_->count(counter);
  for (const auto& shard : shards_) total += shard->count(counter);
  return total;
}

std::uint64_t Registry::count(std::uint32_t counter) const { return sum(counter); }
std::uint64_t Registry::count(SampledCounter counter) const { return sum(counter); }
std::uint64_t Registry::count(RareCounter counter) const { return sum(counter); }

void Registry::collect(std::uint32_t timer, HistogramSum& into) const {
  const std::lock_guard hold(mutex_);
  outside_->collect(timer, into);
  for (const auto& shard : shards_) shard->collect(timer, into);
}

}  // namespace penstock::metrics
