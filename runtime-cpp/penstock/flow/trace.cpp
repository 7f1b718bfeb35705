#include "penstock/flow/trace.hpp"

#include <utility>

#include "penstock/flow/flow.hpp"

namespace penstock::flow {

void Flow::begin_trace(Event& event) noexcept {
  if (!follow_next_.exchange(false, std::memory_order_relaxed)) return;
  try {
    event.trace = new Trace(event.emitted_ns, stages_.size() + 1);
    // Its pieces but the last leave it behind when they end.
    event.mark(Event::kExtras);
  } catch (...) {
    // No memory: another event may be followed.
    follow_next_.store(true, std::memory_order_relaxed);
  }
}

// Its last piece: nobody else writes any more.
void Flow::end_trace(Event& event, End how) noexcept {
  std::unique_ptr<Trace> trace(std::exchange(event.trace, nullptr));
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
