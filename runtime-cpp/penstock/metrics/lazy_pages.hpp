#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <new>

namespace penstock::metrics {

/// Zeroes by their index, of which most are never written: their memory comes in pages, each when
/// something in it is first asked for. Elements never move. Any thread; no locks.
template <class T>
class LazyPages {
 public:
  static constexpr std::uint32_t kPerPage = 32;

  explicit LazyPages(std::uint32_t size)
      : count_((size + kPerPage - 1) / kPerPage), pages_(new std::atomic<Page*>[count_] {}) {}
  LazyPages(const LazyPages&) = delete;
  LazyPages& operator=(const LazyPages&) = delete;
  ~LazyPages() {
    for (std::uint32_t page = 0; page < count_; ++page) {
      delete pages_[page].load(std::memory_order_relaxed);
    }
  }

  /// Null: nobody has asked for any of its page yet, so that it is still zero.
  [[nodiscard]] const T* find(std::uint32_t index) const noexcept {
    // Acquire: pairs with the release in make(), so that a page that is seen is seen zeroed.
    const Page* const page = pages_[index / kPerPage].load(std::memory_order_acquire);
    return page != nullptr ? &page->elements[index % kPerPage] : nullptr;
  }
  /// Makes its page where there is none yet; null without memory.
  [[nodiscard]] T* make(std::uint32_t index) noexcept {
    std::atomic<Page*>& slot = pages_[index / kPerPage];
    Page* page = slot.load(std::memory_order_acquire);
    if (page == nullptr) {
      auto* const fresh = new (std::nothrow) Page;
      if (fresh == nullptr) return nullptr;
      // Fails only where another thread, which uses the same pages, was first.
      if (slot.compare_exchange_strong(page, fresh, std::memory_order_acq_rel)) {
        page = fresh;
      } else {
        delete fresh;
      }
    }
    return &page->elements[index % kPerPage];
  }

 private:
  // Whole cache lines, so that two threads' pages share none.
  struct alignas(64) Page {
    std::array<T, kPerPage> elements{};
  };

  std::uint32_t count_;
  std::unique_ptr<std::atomic<Page*>[]> pages_;
};

}  // namespace penstock::metrics
