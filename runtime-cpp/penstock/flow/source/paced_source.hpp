#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <thread>

#include "penstock/flow/source/source.hpp"

namespace penstock::flow {

/// A source with a thread of its own, at a rate or as quickly as the flow takes its events. The
/// schedule is absolute: no drift, and a late wake-up is made up for. A full queue with overflow
/// `block` holds it back; after that it makes up for a tenth of a second at most.
class PacedSource : public Source {
 public:
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();

  PacedSource(Flow& flow, double per_second);

  /// Thread `ps-src-<index>`.
  void start(unsigned index) override;
  void ask_to_stop() noexcept override;
  bool stop(Nanos deadline = 0) noexcept override;

  [[nodiscard]] std::optional<double> per_second() const noexcept override;
  bool set_per_second(double per_second) noexcept override;

 protected:
  // On its thread, in this order: started, event after event, ended.
  virtual void started() noexcept {}
  /// Makes and emits one event, or counts that it could not; false: there are no more.
  [[nodiscard]] virtual bool emit_next() noexcept = 0;
  virtual void ended() noexcept {}

  /// Of an emit_next() that never waits: together with those that are due as well.
  void emit(Event& event) noexcept {
    if (owes_more_ || gather_.count != 0) {
      flow().emit(event, gather_);
    } else {
      flow().emit(event);
    }
  }
  /// Sleeps, at most until it is to stop or `deadline` has come; on its thread.
  void sleep_until(Nanos deadline) const noexcept;
  [[nodiscard]] bool stopping() const noexcept { return stop_.load(std::memory_order_acquire); }
  /// Derived classes call it in their destructors, since the thread uses their members.
  void stop_for_good() noexcept { stop(); }

 private:
  void run() noexcept;
  void make_events() noexcept;
  void hold_back() noexcept;
  void flush_in_time(Nanos now) noexcept;

  // Its thread's.
  Gather gather_;
  bool owes_more_ = false;  // than the event that it makes now
  Nanos gathers_since_ = 0;
  std::atomic<double> per_second_;
  std::atomic<std::uint32_t> change_{0};  // futex word: grows with every change
  std::atomic<bool> stop_{false};
  std::atomic<std::uint32_t> ended_{0};  // futex word: 1 once the thread makes no more events
  std::thread thread_;
};

}  // namespace penstock::flow
