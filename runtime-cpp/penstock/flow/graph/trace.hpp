#pragma once

#include <mutex>
#include <vector>

#include "penstock/base/time.hpp"
#include "penstock/call/activation/spans.hpp"
#include "penstock/exec/worker.hpp"
#include "penstock/flow/event/event_end.hpp"

namespace penstock::flow {

struct Event;
struct Stage;

/// The way of one sampled event through its flow. All pieces of a fan-out write into one.
class Trace {
 public:
  struct Step {
    const Stage* stage = nullptr;
    const exec::Worker* worker = nullptr;  ///< where it ran
    Nanos entered_ns = 0;                  ///< it came to the stage
    Nanos begun_ns = 0;                    ///< the handler began; 0: it was not run
    Nanos ended_ns = 0;
    bool failed = false;
    /// Position in calls(), where those that it made have it as their parent.
    std::uint16_t span = call::Spans::kNone;
  };

  /// Throws std::bad_alloc.
  Trace(Nanos emitted_ns, std::size_t steps)
      : emitted_ns_(emitted_ns), spans_(*new call::Spans(4 * steps)) {
    steps_.reserve(steps);
  }
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  ~Trace() { spans_.let_go(); }

  // On the thread that runs the event.
  /// A stage's handler is about to begin: calls that it makes are written down.
  void begin(Event& event) noexcept;
  /// A stage is done with the event. Without memory the step is left out.
  void add(const Stage& stage, const Event& event, const exec::Worker& here, Nanos ended_ns,
           bool failed) noexcept;
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
  /// Runs of stages and calls, each behind its parent. A call may end after its event.
  [[nodiscard]] std::vector<call::Spans::Span> calls() const { return spans_.read(); }

 private:
  const Nanos emitted_ns_;
  Nanos ended_ns_ = 0;
  End how_ = End::completed;
  std::mutex mutex_;
  std::vector<Step> steps_;
  call::Spans& spans_;
};

}  // namespace penstock::flow
