// The ways of sampled events, for the live samples.
#include "penstock/app/running.hpp"

namespace penstock::app {

namespace {

// As long as a sample that comes once a second may be away.
constexpr Nanos kTraceShownNanos = 1'500'000'000;

double micros(Nanos nanos) noexcept { return static_cast<double>(nanos) / 1e3; }

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
  if (trace == nullptr || now_ns() - trace->ended_ns() > kTraceShownNanos) return;
  metrics::EventTrace row;
  row.flow = id;
  row.started_ms = static_cast<double>(trace->emitted_ns() - started_) / 1e6;
  row.total_us = micros(trace->ended_ns() - trace->emitted_ns());
  row.outcome = to_text(trace->how());
  for (const flow::Trace::Step& step : trace->steps()) {
    row.steps.push_back({step.stage->index, model_.pool_id(&step.worker->pool()),
                         step.worker->index(), micros(step.entered_ns - trace->emitted_ns()),
                         micros(step.begun_ns - step.entered_ns),
                         micros(step.ended_ns - step.begun_ns), step.failed});
  }
  sample.traces.push_back(std::move(row));
}

}  // namespace penstock::app
