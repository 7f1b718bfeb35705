#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

#include "penstock/base/time.hpp"

namespace penstock::exec {
class Worker;
}

namespace penstock::call {

struct Implementation;

/// What is done on behalf of one event that is followed on its way: runs of its stages, the calls
/// that those make, and the calls of these. Whoever may still add to it keeps it: a call that comes
/// too late ends after its event.
class Spans {
 public:
  static constexpr std::uint16_t kNone = std::numeric_limits<std::uint16_t>::max();
  /// Beyond that nothing is added: a handler may make thousands of calls.
  static constexpr std::size_t kMost = 256;

  struct Span {
    std::uint16_t parent = kNone;  ///< position of who made the call; kNone: the run of a stage
    const Implementation* implementation = nullptr;
    const exec::Worker* worker = nullptr;  ///< where it runs; null: it has not begun
    Nanos sent_ns = 0;
    Nanos begun_ns = 0;  ///< 0: not yet, or never
    Nanos ended_ns = 0;  ///< 0: not yet
    bool failed = false;
  };

  /// Kept once. Throws std::bad_alloc.
  explicit Spans(std::size_t expected) { spans_.reserve(expected); }
  Spans(const Spans&) = delete;
  Spans& operator=(const Spans&) = delete;

  // Any thread.
  void keep() noexcept { kept_.fetch_add(1, std::memory_order_relaxed); }
  /// The last one ends it.
  void let_go() noexcept {
    // Release: what was added comes before the end; acquire: the end comes after all of it.
    if (kept_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  /// The position of a new one; kNone: there is no room, and it is left out.
  [[nodiscard]] std::uint16_t add(const Span& span) noexcept;
  // Not of kNone.
  void begin(std::uint16_t span, const exec::Worker& worker, Nanos at) noexcept;
  void end(std::uint16_t span, Nanos at, bool failed) noexcept;
  [[nodiscard]] std::vector<Span> read() const;

 private:
  ~Spans() = default;

  std::atomic<std::uint32_t> kept_{1};
  mutable std::mutex mutex_;
  std::vector<Span> spans_;
};

}  // namespace penstock::call
