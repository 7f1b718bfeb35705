#pragma once

#include <mutex>
#include <vector>

#include "penstock/base/time.hpp"
#include "penstock/exec/worker.hpp"
#include "penstock/flow/completion.hpp"

namespace penstock::flow {

struct Stage;

/// The way of one sampled event through its flow. All pieces of a fan-out write into one.
class Trace {
 public:
  struct Step {
    const Stage* stage = nullptr;
    const exec::Worker* worker = nullptr;  ///< where it ran
    Nanos entered_ns = 0;                  ///< it came to the stage
    Nanos begun_ns = 0;                    ///< the handler began
    Nanos ended_ns = 0;
    bool failed = false;
  };

  Trace(Nanos emitted_ns, std::size_t steps) : emitted_ns_(emitted_ns) { steps_.reserve(steps); }

  /// Any thread. Without memory the step is left out.
  void add(const Step& step) noexcept {
    const std::lock_guard hold(mutex_);
    try {
      steps_.push_back(step);
    } catch (...) {  // NOLINT(bugprone-empty-catch): a figure less, the event goes on
    }
  }
  /// When its last piece ends.
  void end(Nanos at, End how) noexcept {
    ended_ns_ = at;
    how_ = how;
  }

  // Once it has ended.
  [[nodiscard]] Nanos emitted_ns() const noexcept { return emitted_ns_; }
  [[nodiscard]] Nanos ended_ns() const noexcept { return ended_ns_; }
  [[nodiscard]] End how() const noexcept { return how_; }
  [[nodiscard]] const std::vector<Step>& steps() const noexcept { return steps_; }

 private:
  const Nanos emitted_ns_;
  Nanos ended_ns_ = 0;
  End how_ = End::completed;
  std::mutex mutex_;
  std::vector<Step> steps_;
};

}  // namespace penstock::flow
