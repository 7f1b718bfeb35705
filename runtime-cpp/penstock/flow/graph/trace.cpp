#include "penstock/flow/graph/trace.hpp"

#include <utility>

#include "penstock/flow/graph/flow.hpp"

namespace penstock::flow {

void Trace::begin(Event& event) noexcept {
  call::Activation& activation = event.activation;
  activation.span = spans_.add({.implementation = activation.implementation});
  // Without room its calls would look like those of nobody.
  activation.spans = activation.span == call::Spans::kNone ? nullptr : &spans_;
}

void Trace::add(const Stage& stage, const Event& event, const exec::Worker& here, Nanos ended_ns,
                bool failed) noexcept {
  const Timing& timing = *event.timing;
  const bool run = timing.begun_ns != 0;
  const std::lock_guard hold(mutex_);
  try {
    steps_.push_back({&stage, &here, timing.entered_ns, timing.begun_ns, ended_ns, failed,
                      run ? event.activation.span : call::Spans::kNone});
  } catch (...) {  // NOLINT(bugprone-empty-catch): a figure less, the event goes on
  }
}

void Flow::begin_trace(Event& event) noexcept {
  if (!follow_next_.exchange(false, std::memory_order_relaxed)) return;
  try {
    event.timing->trace = new Trace(event.timing->emitted_ns, stages_.size() + 1);
    // Its pieces but the last leave it behind when they end.
    event.mark(Event::kExtras);
  } catch (...) {
    // No memory: another event may be followed.
    follow_next_.store(true, std::memory_order_relaxed);
  }
}

// Its last piece: nobody else writes any more.
void Flow::end_trace(Event& event, End how) noexcept {
  std::unique_ptr<Trace> trace(std::exchange(event.timing->trace, nullptr));
  trace->end(now_ns(), how);
  try {
    std::shared_ptr<const Trace> ended(std::move(trace));
    const std::lock_guard hold(traces_);
    last_trace_.swap(ended);
  } catch (...) {  // NOLINT(bugprone-empty-catch): no memory, so nobody sees this one
  }
}

std::shared_ptr<const Trace> Flow::follow_events() {
  follow_next_.store(true, std::memory_order_relaxed);
  const std::lock_guard hold(traces_);
  return last_trace_;
}

}  // namespace penstock::flow
