// The ways of sampled events, for the live samples.
#include "penstock/app/running/running.hpp"
#include "penstock/base/time.hpp"

namespace penstock::app {

namespace {

std::string_view to_text(flow::End how) noexcept {
  switch (how) {
    case flow::End::completed:
      return "completed";
    case flow::End::failed:
      return "failed";
    case flow::End::dropped:
      return "dropped";
  }
  return "completed";
}

}  // namespace

void Running::add_trace(metrics::Sample& sample, flow::Flow& flow, std::uint32_t id) const {
  const std::shared_ptr<const flow::Trace> trace = flow.follow_events();
  if (trace == nullptr || now_ns() - trace->ended_ns() > traces_shown_) return;
  metrics::EventTrace row;
  row.flow = id;
  row.started_ms = static_cast<double>(trace->emitted_ns() - started_) / 1e6;
  row.total_us = to_us(trace->ended_ns() - trace->emitted_ns());
  row.outcome = to_text(trace->how());
  for (const flow::Trace::Step& step : trace->steps()) {
    const Nanos begun = step.begun_ns != 0 ? step.begun_ns : step.ended_ns;
    row.steps.push_back({step.stage->index, model_.pool_id(&step.worker->pool()),
                         step.worker->index(), to_us(step.entered_ns - trace->emitted_ns()),
                         to_us(begun - step.entered_ns), to_us(step.ended_ns - begun),
                         step.failed});
  }
  add_calls(row, *trace);
  sample.traces.push_back(std::move(row));
}

// What is known of them: those that came too late for their event may still be on their way.
void Running::add_calls(metrics::EventTrace& row, const flow::Trace& trace) const {
  const std::vector<call::Spans::Span> spans = trace.calls();
  // Where the reader finds each of them; none: a stage that did not end.
  std::vector<std::optional<std::uint32_t>> places(spans.size());
  for (std::size_t at = 0; at < trace.steps().size(); ++at) {
    const std::uint16_t span = trace.steps()[at].span;
    if (span < places.size()) places[span] = static_cast<std::uint32_t>(at);
  }
  for (std::size_t at = 0; at < spans.size(); ++at) {
    const call::Spans::Span& span = spans[at];
    if (span.parent == call::Spans::kNone) continue;
    const std::optional<std::uint32_t> parent = places[span.parent];
    if (!parent) continue;
    places[at] = static_cast<std::uint32_t>(row.steps.size() + row.calls.size());
    metrics::TraceCall call;
    call.parent = *parent;
    call.service = model_.service_id(span.implementation->service);
    call.implementation = span.implementation->index;
    call.at_us = to_us(span.sent_ns - trace.emitted_ns());
    call.failed = span.failed;
    const bool begun = span.begun_ns != 0;
    if (begun) {
      call.pool = model_.pool_id(&span.worker->pool());
      call.thread = span.worker->index();
    }
    const Nanos waited_until = begun ? span.begun_ns : span.ended_ns;
    if (waited_until != 0) call.wait_us = to_us(waited_until - span.sent_ns);
    if (begun && span.ended_ns != 0) call.run_us = to_us(span.ended_ns - span.begun_ns);
    row.calls.push_back(call);
  }
}

}  // namespace penstock::app
