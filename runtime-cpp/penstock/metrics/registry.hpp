#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "penstock/base/thread_rule.hpp"
#include "penstock/base/time.hpp"
#include "penstock/metrics/lazy_pages.hpp"
#include "penstock/metrics/samples.hpp"

namespace penstock::metrics {

class Registry;

/// False in one program: the benchmark of what metrics cost (bench/compare/overhead).
#ifdef PENSTOCK_NO_METRICS
inline constexpr bool kMetered = false;
#else
inline constexpr bool kMetered = true;
#endif

/// Id of a counter of what seldom happens, such as errors of one code: it takes memory from its
/// first count on.
struct RareCounter {
  std::uint32_t id = 0;

  /// One of several that were added together.
  [[nodiscard]] friend constexpr RareCounter operator+(RareCounter first,
                                                       std::uint32_t by) noexcept {
    return {first.id + by};
  }
};

/// Id of a counter that says of some of what it counts that it is to be sampled.
struct SampledCounter {
  std::uint32_t id = 0;
};

/// Bytes that keep what two threads write apart: two cache lines, which x86 fetches as a pair.
inline constexpr std::size_t kApart = 128;

/// The counters of one thread. Every worker has one for itself, so that counting is a load, an
/// addition and a store on its own cache line; all threads from outside share one, and pay an
/// atomic addition.
class alignas(kApart) Shard {
 public:
  struct Sizes {
    std::uint32_t counters = 0;
    std::uint32_t sampled = 0;
    std::uint32_t rare = 0;
    std::uint32_t timers = 0;
  };

  Shard(const Registry& owner, const Sizes& sizes, bool shared);
  ~Shard();
  Shard(const Shard&) = delete;
  Shard& operator=(const Shard&) = delete;

  /// Its thread only, unless shared.
  void add(std::uint32_t counter, std::uint64_t by = 1) noexcept {
    expect_here();
    add_to(counters_[counter], by, shared_);
  }
  /// For who counts the same again and again: the place of a counter. count_up() adds to it, on
  /// the thread whose own shard this is.
  using Cell = std::atomic<std::uint64_t>;
  [[nodiscard]] Cell& cell(std::uint32_t counter) noexcept { return counters_[counter]; }
  static void count_up(Cell& cell, std::uint64_t by = 1) noexcept { add_to(cell, by, false); }

  /// The place of a counter that samples. pass_by(), on the thread whose own shard this is: whether
  /// none of the next counts is known to be a sampled one, and then counts them. Else nothing is
  /// counted.
  struct Sampling {
    Cell count{0};
    /// The count that is to be sampled, or 0: nobody has drawn it yet. Written by the thread, and
    /// by whoever sets the rate.
    Cell next{0};

    [[nodiscard]] bool pass_by(std::uint64_t counts = 1) noexcept {
      if constexpr (!kMetered) return true;
      // Relaxed, and no exchange: set_sampling() may come in between and be overwritten; it is then
      // noticed when this draw is reached.
      const std::uint64_t counted = count.load(std::memory_order_relaxed) + counts;
      if (counted >= next.load(std::memory_order_relaxed)) return false;
      count.store(counted, std::memory_order_relaxed);
      return true;
    }
  };
  [[nodiscard]] Sampling& sampling(SampledCounter counter) noexcept { return sampled_[counter.id]; }
  /// Its thread only, unless shared. Without memory nothing is counted.
  void add(RareCounter counter) noexcept;
  /// For `times` of one latency. Its thread only, unless shared. Without memory the sample is lost.
  void record(std::uint32_t timer, Nanos latency, std::uint32_t times = 1) noexcept;

  [[nodiscard]] std::uint64_t count(std::uint32_t counter) const noexcept {
    return counters_[counter].load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t count(SampledCounter counter) const noexcept {
    return sampled_[counter.id].count.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t count(RareCounter counter) const noexcept;
  void collect(std::uint32_t timer, HistogramSum& into) const;
  [[nodiscard]] const Registry& owner() const noexcept { return owner_; }
  [[nodiscard]] bool shared() const noexcept { return shared_; }

 private:
  friend class Registry;

  struct Free {
    void operator()(void* counters) const noexcept {
      ::operator delete(counters, std::align_val_t{kApart});
    }
  };

  void expect_here() const noexcept { thread_.check("what a thread counts in is its own"); }
  static void add_to(std::atomic<std::uint64_t>& cell, std::uint64_t by, bool shared) noexcept {
    if constexpr (!kMetered) return;
    // Relaxed: counters order nothing; readers sum them up at leisure.
    if (shared) [[unlikely]] {
      cell.fetch_add(by, std::memory_order_relaxed);
    } else {
      cell.store(cell.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
    }
  }

  // The hot half: what each request looks at.
  const std::unique_ptr<Cell[], Free> counters_;
  const std::unique_ptr<Sampling[], Free> sampled_;
  const bool shared_;
  const Registry& owner_;
  const std::uint32_t sampling_;
  LazyPages<std::atomic<std::uint64_t>> rare_;
  LazyPages<std::atomic<Samples*>> samples_;
  const std::uint32_t timers_;
  [[no_unique_address]] OwnThread thread_;  // whose it is, unless shared
};

/// All counters and sampled latencies of one binary. Ids are handed out before the first thread
/// starts; afterwards counting locks nothing.
class Registry {
 public:
  Registry() = default;
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;
  ~Registry();

  // Before start(): one thread.
  /// Gives the first id of `count` counters in a row.
  [[nodiscard]] std::uint32_t add_counters(std::uint32_t count = 1) noexcept;
  [[nodiscard]] SampledCounter add_sampled_counter() noexcept { return {sizes_.sampled++}; }
  [[nodiscard]] RareCounter add_rare_counters(std::uint32_t count = 1) noexcept;
  [[nodiscard]] std::uint32_t add_timer() noexcept { return sizes_.timers++; }
  void start();

  /// Makes a shard the calling thread's own, until leave(). A shard left is taken over by the next
  /// thread that enters: counters only grow, so nothing is lost and nothing leaks.
  void enter();
  void leave() noexcept;

  /// The calling thread's shard, or the one that all other threads share.
  [[nodiscard]] Shard& shard() noexcept {
    Shard* const own = own_shard();
    return own != nullptr ? *own : *outside_;
  }

  /// Adds to a counter of the calling thread's shard.
  void add(std::uint32_t counter) noexcept {
    if (Shard* const own = own_shard()) [[likely]] {
      Shard::count_up(own->cell(counter));
    } else {
      outside_->add(counter);
    }
  }
  /// The same, and whether what was counted is to be sampled. Any thread.
  [[nodiscard]] bool sampled(SampledCounter counter) noexcept {
    // Waits for a count that was drawn instead of throwing dice for each.
    Shard* const own = own_shard();
    if (own != nullptr && own->sampling(counter).pass_by()) [[likely]]
      return false;
    return draw(own, counter);
  }
  /// Of up to 64 counts, one a bit, from the lowest on: those that are to be sampled. Any thread.
  [[nodiscard]] std::uint64_t sampled(SampledCounter counter, std::uint32_t counts) noexcept {
    Shard* const own = own_shard();
    if (own != nullptr && own->sampling(counter).pass_by(counts)) [[likely]]
      return 0;
    std::uint64_t sampled_ones = 0;
    for (std::uint32_t at = 0; at < counts; ++at)
      sampled_ones |= std::uint64_t{sampled(counter)} << at;
    return sampled_ones;
  }
  [[nodiscard]] int sampling() const noexcept {
    return static_cast<int>(per128_.load(std::memory_order_relaxed));
  }
  /// 0 (off) to 128. Any thread. In force at once on threads that serve no request at this very
  /// moment, on the others within kLongestGap of what a counter counts.
  void set_sampling(int per128) noexcept;

  static constexpr std::uint32_t kLongestGap = 1024;

  // Readers: any thread, any time after start().
  [[nodiscard]] std::uint64_t count(std::uint32_t counter) const;
  [[nodiscard]] std::uint64_t count(SampledCounter counter) const;
  [[nodiscard]] std::uint64_t count(RareCounter counter) const;
  void collect(std::uint32_t timer, HistogramSum& into) const;
  [[nodiscard]] std::uint32_t timers() const noexcept { return sizes_.timers; }

 private:
  [[nodiscard]] Shard* own_shard() const noexcept {
    Shard* const own = t_shard;
    return own != nullptr && &own->owner() == this ? own : nullptr;
  }
  bool draw(Shard* own, SampledCounter counter) noexcept;
  static std::uint32_t gap(std::uint32_t per128) noexcept;
  static std::uint32_t first_gap(std::uint32_t per128) noexcept;
  template <class Counter>
  [[nodiscard]] std::uint64_t sum(Counter counter) const;

  static constinit thread_local Shard* t_shard;

  Shard::Sizes sizes_;
  std::atomic<std::uint32_t> per128_{3};
  std::unique_ptr<Shard> outside_;
  mutable std::mutex mutex_;  // guards the lists, not the counting
  std::vector<std::unique_ptr<Shard>> shards_;
  std::vector<Shard*> free_;
  std::uint64_t entered_ = 0;
};

}  // namespace penstock::metrics
