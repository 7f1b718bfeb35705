#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "penstock/exec/pool.hpp"

namespace penstock::app {

/// The pools of a binary. Their positions are the ids of the live protocol: it only grows, at its
/// end, and other threads may read it meanwhile.
///
/// add(): one thread at a time. Everything else: any thread.
class PoolList {
 public:
  /// Before other threads look: at most so many pools will be there.
  void reserve(std::size_t most) { pools_.resize(most); }

  exec::Pool& add(std::unique_ptr<exec::Pool> pool) {
    const std::size_t at = size_.load(std::memory_order_relaxed);
    if (at == pools_.size()) pools_.resize(at + 1);  // before start only: reserve() was not yet
    pools_[at] = std::move(pool);
    // Release: who sees the size sees the pool.
    size_.store(at + 1, std::memory_order_release);
    return *pools_[at];
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_.load(std::memory_order_acquire); }
  [[nodiscard]] const std::unique_ptr<exec::Pool>& operator[](std::size_t at) const noexcept {
    return pools_[at];
  }
  [[nodiscard]] const std::unique_ptr<exec::Pool>* begin() const noexcept { return pools_.data(); }
  [[nodiscard]] const std::unique_ptr<exec::Pool>* end() const noexcept {
    return pools_.data() + size();
  }

 private:
  std::vector<std::unique_ptr<exec::Pool>> pools_;
  std::atomic<std::size_t> size_{0};
};

}  // namespace penstock::app
