#include "penstock/control/live_frames.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "penstock/json/plain_writer.hpp"

namespace penstock::control {
namespace {

/// A message of the live protocol.
class Frame : public json::PlainWriter {
 public:
  explicit Frame(std::string_view type) {
    open('{');
    field("type", type);
  }

  /// A list of compact rows, one list a row.
  template <class T, class Write>
  void rows(std::string_view name, const std::vector<T>& items, Write write) {
    each(name, items, [&](const T& item) {
      open('[');
      write(item);
      close(']');
    });
  }
  void latency(const metrics::Latency& figures) {
    for (const auto& figure :
         {figures.p50_us, figures.p90_us, figures.p99_us, figures.max_us, figures.mean_us}) {
      value(figure ? std::optional(std::round(*figure * 1000) / 1000) : std::nullopt);
    }
  }
};

void write_flow(Frame& frame, const metrics::FlowName& flow) {
  frame.open('{');
  frame.field("id", flow.id);
  frame.field("name", flow.name);
  frame.key("source");
  frame.open('{');
  frame.field("kind", flow.source);
  frame.field("perSecond", flow.per_second);
  frame.close('}');
  frame.each("stages", flow.stages, [&frame](const metrics::StageName& stage) {
    frame.open('{');
    frame.field("id", stage.id);
    frame.field("service", stage.service);
    frame.field("role", stage.role);
    frame.field("pool", stage.pool);
    frame.close('}');
  });
  frame.close('}');
}

void write_pool(Frame& frame, const metrics::PoolName& pool) {
  frame.open('{');
  frame.field("id", pool.id);
  frame.field("name", pool.name);
  frame.field("queue", pool.queue);
  frame.field("overflow", pool.overflow);
  frame.field("idle", pool.idle);
  frame.field("priority", pool.priority);
  if (pool.cached) frame.field("cached", true);
  if (pool.adaptive) {
    frame.key("adaptive");
    frame.open('{');
    frame.field("from", pool.adaptive->from);
    frame.field("to", pool.adaptive->to);
    frame.field("on", pool.adaptive->on);
    frame.field("by", pool.adaptive->by);
    frame.field("steps", pool.adaptive->steps);
    frame.field("waitedMs", std::round(pool.adaptive->waited_ms * 1000) / 1000);
    frame.close('}');
  }
  frame.each("threads", pool.threads, [&frame](const metrics::ThreadName& thread) {
    frame.open('{');
    frame.field("name", thread.name);
    frame.field("tid", thread.tid);
    frame.list("asked", thread.asked);
    frame.list("actual", thread.actual);
    frame.close('}');
  });
  frame.close('}');
}

void write_side(Frame& frame, std::string_view key, const metrics::PresetRule::Side& side) {
  frame.key(key);
  frame.open('{');
  frame.field("perSecond", side.per_second);
  frame.field("preset", side.preset);
  frame.close('}');
}

void write_rule(Frame& frame, const metrics::PresetRule& rule) {
  frame.open('{');
  frame.field("of", rule.name);
  write_side(frame, "below", rule.below);
  write_side(frame, "above", rule.above);
  frame.field("forSeconds", rule.for_seconds);
  frame.field("on", rule.on);
  frame.field("by", rule.by);
  frame.field("preset", json::none_if_empty(rule.preset));
  frame.field("switches", rule.switches);
  frame.field("perSecond", std::round(rule.per_second * 1000) / 1000);
  if (!rule.refused.empty()) frame.field("refused", rule.refused);
  frame.close('}');
}

double to_thousandths(double value) { return std::round(value * 1000) / 1000; }
std::optional<double> to_thousandths(std::optional<double> value) {
  return value ? std::optional(to_thousandths(*value)) : std::nullopt;
}

void write_trace(Frame& frame, const metrics::EventTrace& trace) {
  frame.cells(trace.flow, to_thousandths(trace.started_ms), to_thousandths(trace.total_us),
              trace.outcome);
  frame.open('[');
  for (const metrics::TraceStep& step : trace.steps) {
    frame.open('[');
    frame.cells(step.stage, step.pool, step.thread, to_thousandths(step.at_us),
                to_thousandths(step.wait_us), to_thousandths(step.run_us),
                std::uint32_t{step.failed ? 1U : 0U});
    frame.close(']');
  }
  frame.close(']');
  if (trace.calls.empty()) return;
  frame.open('[');
  for (const metrics::TraceCall& call : trace.calls) {
    frame.open('[');
    frame.cells(call.parent, call.service, call.implementation, call.pool, call.thread,
                to_thousandths(call.at_us), to_thousandths(call.wait_us),
                to_thousandths(call.run_us), std::uint32_t{call.failed ? 1U : 0U});
    frame.close(']');
  }
  frame.close(']');
}

/// A list of rows, one a service and, where it has several, one an implementation.
template <class Write>
void each_part(Frame& frame, std::string_view name, const metrics::Sample& sample, Write write) {
  const auto row = [&](std::uint32_t service, std::optional<std::uint32_t> index, const auto& of) {
    frame.open('[');
    frame.cells(service, index);
    write(of);
    frame.close(']');
  };
  frame.key(name);
  frame.open('[');
  for (const metrics::ServiceRow& service : sample.services) {
    row(service.id, std::nullopt, service);
  }
  const std::vector<metrics::ImplementationRow>& parts = sample.implementations;
  for (std::size_t at = 0; at < parts.size(); ++at) {
    // They stand in the order of their services.
    const bool alone = parts[at].index == 0 &&
                       (at + 1 == parts.size() || parts[at + 1].service != parts[at].service);
    if (!alone) row(parts[at].service, parts[at].index, parts[at]);
  }
  frame.close(']');
}

/// How requests and events ended, how long they waited and how long they ran.
void write_parts(Frame& frame, const metrics::Sample& sample) {
  each_part(frame, "outcomes", sample, [&frame](const auto& row) {
    const metrics::Endings& endings = row.endings;
    frame.cells(endings.served, endings.expired, endings.skipped, endings.refused);
  });
  each_part(frame, "serviceWaits", sample, [&frame](const auto& row) { frame.latency(row.wait); });
  each_part(frame, "serviceRuns", sample, [&frame](const auto& row) { frame.latency(row.run); });
  frame.rows("waits", sample.stages, [&frame](const metrics::StageRow& row) {
    frame.cells(row.flow, row.index);
    frame.latency(row.wait);
  });
  frame.rows("runs", sample.stages, [&frame](const metrics::StageRow& row) {
    frame.cells(row.flow, row.index);
    frame.latency(row.run);
  });
  frame.rows("stageOutcomes", sample.stages, [&frame](const metrics::StageRow& row) {
    frame.cells(row.flow, row.index, row.served, row.expired);
  });
  frame.key("fused");
  frame.open('[');
  for (const metrics::StageRow& row : sample.stages) {
    if (!row.fused) continue;
    frame.open('[');
    frame.cells(row.flow, row.index);
    frame.latency(*row.fused);
    frame.close(']');
  }
  frame.close(']');
}

}  // namespace

std::string schema_frame(const metrics::Schema& schema, std::chrono::milliseconds interval) {
  Frame frame("schema");
  frame.field("version", 1);
  frame.field("project", schema.project);
  frame.field("binary", schema.binary);
  frame.field("topologyHash", schema.topology_hash);
  frame.field("runtime", schema.runtime);
  frame.field("pid", schema.pid);
  frame.field("startedAtMs", schema.started_at_ms);
  frame.field("intervalMs", std::int64_t{interval.count()});
  frame.field("sampling", schema.sampling);
  frame.each("services", schema.services, [&frame](const metrics::ServiceName& service) {
    frame.open('{');
    frame.field("id", service.id);
    frame.field("name", service.name);
    frame.field("kind", service.kind);
    frame.field("pool", service.pool);
    frame.list("implementations", service.implementations);
    frame.field("written", service.written);
    frame.close('}');
  });
  if (!schema.remotes.empty()) {
    frame.each("remotes", schema.remotes, [&frame](const metrics::RemoteName& remote) {
      frame.open('{');
      frame.field("id", remote.id);
      frame.field("name", remote.name);
      frame.field("binary", remote.binary);
      frame.close('}');
    });
  }
  if (!schema.links.empty()) {
    frame.each("links", schema.links, [&frame](const metrics::LinkName& link) {
      frame.open('{');
      frame.field("id", link.id);
      frame.field("binary", link.binary);
      frame.field("transport", link.transport);
      if (!link.down.empty()) frame.field("down", link.down);
      frame.close('}');
    });
  }
  frame.each("calls", schema.calls, [&frame](const metrics::CallName& call) {
    frame.open('{');
    frame.field("id", call.id);
    frame.field("from", call.from);
    frame.field("to", call.to);
    frame.close('}');
  });
  frame.each("flows", schema.flows,
             [&frame](const metrics::FlowName& flow) { write_flow(frame, flow); });
  if (!schema.rules.empty()) {
    frame.each("rules", schema.rules,
               [&frame](const metrics::PresetRule& rule) { write_rule(frame, rule); });
  }
  frame.each("pools", schema.pools,
             [&frame](const metrics::PoolName& pool) { write_pool(frame, pool); });
  return frame.end();
}

std::string sample_frame(const metrics::Sample& sample) {
  Frame frame("sample");
  frame.field("t", std::round(sample.t_ms * 1000) / 1000);
  frame.field("seq", sample.seq);
  frame.rows("services", sample.services, [&frame](const metrics::ServiceRow& row) {
    frame.cells(row.id, row.requests, row.errors, row.in_flight, row.unimplemented);
    frame.latency(row.latency);
  });
  frame.rows("implementations", sample.implementations,
             [&frame](const metrics::ImplementationRow& row) {
               frame.cells(row.service, row.index, row.requests, row.errors);
               frame.latency(row.latency);
             });
  frame.rows("calls", sample.calls,
             [&frame](const metrics::CallRow& row) { frame.cells(row.id, row.count, row.errors); });
  frame.rows("flows", sample.flows, [&frame](const metrics::FlowRow& row) {
    frame.cells(row.id, row.emitted, row.completed, row.failed, row.dropped, row.in_flight);
    frame.latency(row.latency);
  });
  frame.rows("stages", sample.stages, [&frame](const metrics::StageRow& row) {
    frame.cells(row.flow, row.index, row.count, row.errors);
    frame.latency(row.latency);
  });
  write_parts(frame, sample);
  frame.rows("pools", sample.pools, [&frame](const metrics::PoolRow& row) {
    frame.cells(row.id, row.queued, row.busy, row.threads, row.blocked, row.stolen);
  });
  frame.rows("threads", sample.threads, [&frame](const metrics::ThreadRow& row) {
    frame.cells(row.pool, row.index, row.busy_ns, row.cpu_ns, row.voluntary, row.involuntary,
                row.cpu, row.stolen);
  });
  if (!sample.stuck.empty()) {
    frame.rows("stuck", sample.stuck, [&frame](const metrics::StuckRow& row) {
      frame.cells(row.pool, row.thread, row.service, row.for_ms);
    });
  }
  if (!sample.links.empty()) {
    frame.rows("links", sample.links, [&frame](const metrics::LinkRow& row) {
      frame.cells(row.id, row.open, row.waiting, row.sent_bytes, row.received_bytes, row.broken,
                  to_thousandths(row.round_trip_us), to_thousandths(row.resent_percent),
                  to_thousandths(row.round_trip_p50_us), to_thousandths(row.round_trip_p99_us));
    });
  }
  if (!sample.traces.empty()) {
    frame.rows("traces", sample.traces,
               [&frame](const metrics::EventTrace& trace) { write_trace(frame, trace); });
  }
  frame.key("process");
  frame.open('{');
  frame.field("cpuNs", sample.process.cpu_ns);
  frame.field("rssBytes", sample.process.rss_bytes);
  frame.field("threads", sample.process.threads);
  frame.close('}');
  return frame.end();
}

}  // namespace penstock::control
