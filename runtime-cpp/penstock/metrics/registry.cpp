#include "penstock/metrics/registry.hpp"

#include "penstock/base/random.hpp"

namespace penstock::metrics {

constinit thread_local Shard* Registry::t_shard = nullptr;

namespace {

// Whole lines, so that two shards never share one.
std::atomic<std::uint64_t>* make_counters(std::uint32_t count) {
  constexpr std::size_t kPerLine = kApart / sizeof(std::atomic<std::uint64_t>);
  const std::size_t cells = (count / kPerLine + 1) * kPerLine;
  void* const memory =
      ::operator new(cells * sizeof(std::atomic<std::uint64_t>), std::align_val_t{kApart});
  auto* const first = static_cast<std::atomic<std::uint64_t>*>(memory);
  std::uninitialized_value_construct_n(first, cells);
  return first;
}

}  // namespace

Shard::Shard(const Registry& owner, const Sizes& sizes, bool shared)
    : counters_(make_counters(sizes.counters)),
      shared_(shared),
      owner_(owner),
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
  if constexpr (!kMetered) return;
  if (auto* const cell = rare_.make(counter.id)) add_to(*cell, 1, shared_);
}

std::uint64_t Shard::count(RareCounter counter) const noexcept {
  const auto* const cell = rare_.find(counter.id);
  return cell != nullptr ? cell->load(std::memory_order_relaxed) : 0;
}

void Shard::record(std::uint32_t timer, Nanos latency, std::uint32_t times) noexcept {
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
    t_shard = shards_.back().get();
  } else {
    t_shard = free_.back();
    free_.pop_back();
  }
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
  // Ends the countdowns that were drawn for the rate before. Relaxed: who overwrites this has a
  // countdown that ends soon.
  const std::lock_guard hold(mutex_);
  for (const auto& shard : shards_) shard->until_sample_.store(0, std::memory_order_relaxed);
}

// The countdown is at its end.
bool Registry::draw(Shard& shard, std::uint32_t per128) noexcept {
  if (shard.shared_) return per128 != 0 && roll() % 128 < per128;
  const bool same = shard.drawn_for_ == per128;
  shard.drawn_for_ = per128;
  if (per128 == 0) {
    shard.until_sample_.store(kLongestCountdown, std::memory_order_relaxed);
    return false;
  }
  if (!same) {
    // This request is the first of a fresh countdown.
    shard.until_sample_.store(gap(per128), std::memory_order_relaxed);
    if (shard.pass_by()) return false;
  }
  shard.until_sample_.store(gap(per128), std::memory_order_relaxed);
  return true;
}

// Requests from one sampled one to the next: uniform from 1 to 2m - 1 with the mean m = 128 /
// per128, whose fraction is thrown like a die.
std::int32_t Registry::gap(std::uint32_t per128) noexcept {
  constexpr std::uint32_t kOne = 1024;
  const std::uint32_t width = 2 * (128 * kOne / per128 - kOne);
  const auto drawn = kOne + random_below(width);
  return static_cast<std::int32_t>(drawn / kOne) + (roll() % kOne < drawn % kOne ? 1 : 0);
}

std::uint64_t Registry::count(std::uint32_t counter) const {
  const std::lock_guard hold(mutex_);
  std::uint64_t total = outside_->count(counter);
  for (const auto& shard : shards_) total += shard->count(counter);
  return total;
}

std::uint64_t Registry::count(RareCounter counter) const {
  const std::lock_guard hold(mutex_);
  std::uint64_t total = outside_->count(counter);
  for (const auto& shard : shards_) total += shard->count(counter);
  return total;
}

void Registry::collect(std::uint32_t timer, HistogramSum& into) const {
  const std::lock_guard hold(mutex_);
  outside_->collect(timer, into);
  for (const auto& shard : shards_) shard->collect(timer, into);
}

}  // namespace penstock::metrics
