#include "penstock/metrics/prometheus.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "penstock/metrics/exposition.hpp"

namespace penstock::metrics {
namespace {

double seconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

/// Names of a schema by id.
class Names {
 public:
  explicit Names(const Schema& schema)
      : binary(schema.binary), latency_bounds(schema.latency_bounds) {
    for (const ServiceName& service : schema.services) services_[service.id] = &service;
    for (const RemoteName& remote : schema.remotes) remotes_[remote.id] = &remote;
    for (const FlowName& flow : schema.flows) flows_[flow.id] = &flow;
    for (const PoolName& pool : schema.pools) pools_[pool.id] = &pool;
    for (const CallName& call : schema.calls) calls_[call.id] = &call;
  }

  [[nodiscard]] const ServiceName* service(std::uint32_t id) const { return find(services_, id); }
  /// Of a service of this or of another binary.
  [[nodiscard]] const std::string* called(std::uint32_t id) const {
    if (const ServiceName* const here = service(id)) return &here->name;
    const RemoteName* const there = find(remotes_, id);
    return there == nullptr ? nullptr : &there->name;
  }
  [[nodiscard]] const FlowName* flow(std::uint32_t id) const { return find(flows_, id); }
  [[nodiscard]] const PoolName* pool(std::uint32_t id) const { return find(pools_, id); }
  [[nodiscard]] const CallName* call(std::uint32_t id) const { return find(calls_, id); }

  const std::string& binary;
  const std::vector<double>& latency_bounds;

 private:
  template <class T>
  using ById = std::unordered_map<std::uint32_t, const T*>;
  template <class T>
  static const T* find(const ById<T>& names, std::uint32_t id) {
    const auto found = names.find(id);
    return found == names.end() ? nullptr : found->second;
  }

  ById<ServiceName> services_;
  ById<RemoteName> remotes_;
  ById<FlowName> flows_;
  ById<PoolName> pools_;
  ById<CallName> calls_;
};

template <class Write>
void each_implementation(const Names& names, const Sample& sample, Write write) {
  for (const ImplementationRow& row : sample.implementations) {
    const ServiceName* service = names.service(row.service);
    if (service == nullptr) continue;
    // A service with one unnamed implementation carries its own name, so the label is never empty
    // (Prometheus takes an empty label for a missing one).
    const std::string& name = row.index < service->implementations.size()
                                  ? service->implementations[row.index]
                                  : service->name;
    write(*service, name, row);
  }
}

template <class Write>
void each_stage(const Names& names, const Sample& sample, Write write) {
  for (const StageRow& row : sample.stages) {
    const FlowName* flow = names.flow(row.flow);
    if (flow != nullptr && row.index < flow->stages.size()) {
      write(flow->name, flow->stages[row.index].id, row);
    }
  }
}

void write_services(Exposition& out, const Names& names, const Sample& sample) {
  using Row = const ImplementationRow&;
  using Name = const std::string&;
  using Service = const ServiceName&;
  out.family("penstock_requests_total", "counter", "Requests done, with or without error.");
  each_implementation(names, sample, [&](Service service, Name implementation, Row row) {
    out.row(
        {{"service", service.name}, {"binary", names.binary}, {"implementation", implementation}},
        row.requests);
  });
  out.family("penstock_errors_total", "counter", "Requests that ended with an error, by its code.");
  each_implementation(names, sample, [&](Service service, Name implementation, Row row) {
    for (const auto& [code, count] : row.errors_by_code) {
      out.row({{"service", service.name},
               {"binary", names.binary},
               {"implementation", implementation},
               {"code", code}},
              count);
    }
  });
  out.family("penstock_request_outcomes_total", "counter",
             "Requests done, by how they ended: served, expired (their deadline passed before), "
             "skipped (their caller had given them up), refused (by a full queue).");
  each_implementation(names, sample, [&](Service service, Name implementation, Row row) {
    const std::array<std::pair<std::string_view, std::uint64_t>, 4> ends{
        {{"served", row.endings.served},
         {"expired", row.endings.expired},
         {"skipped", row.endings.skipped},
         {"refused", row.endings.refused}}};
    for (const auto& [outcome, count] : ends) {
      out.row({{"service", service.name},
               {"binary", names.binary},
               {"implementation", implementation},
               {"outcome", outcome}},
              count);
    }
  });
  out.family("penstock_latency_seconds", "histogram",
             "Time from call to answer of the sampled requests (see penstock_sampling_ratio).");
  each_implementation(names, sample, [&](Service service, Name implementation, Row row) {
    out.histogram(
        {{"service", service.name}, {"binary", names.binary}, {"implementation", implementation}},
        row.totals, names.latency_bounds);
  });
  out.family("penstock_wait_seconds", "histogram",
             "The part of penstock_latency_seconds before the handler began.");
  each_implementation(names, sample, [&](Service service, Name implementation, Row row) {
    out.histogram(
        {{"service", service.name}, {"binary", names.binary}, {"implementation", implementation}},
        row.wait_totals, names.latency_bounds);
  });
  out.family("penstock_run_seconds", "histogram",
             "The part of penstock_latency_seconds from the handler's start to its end.");
  each_implementation(names, sample, [&](Service service, Name implementation, Row row) {
    out.histogram(
        {{"service", service.name}, {"binary", names.binary}, {"implementation", implementation}},
        row.run_totals, names.latency_bounds);
  });
  out.family("penstock_stuck_handlers_total", "counter",
             "Handlers that kept their thread busy for longer than the watchdog's limit.");
  each_implementation(names, sample, [&](Service service, Name implementation, Row row) {
    out.row(
        {{"service", service.name}, {"binary", names.binary}, {"implementation", implementation}},
        row.stuck);
  });
  out.family("penstock_requests_in_flight", "gauge", "Requests asked and not answered yet.");
  for (const ServiceRow& row : sample.services) {
    if (const ServiceName* service = names.service(row.id)) {
      out.row({{"service", service->name}, {"binary", names.binary}}, row.in_flight);
    }
  }
}

void write_calls(Exposition& out, const Names& names, const Sample& sample) {
  const auto each = [&](auto write) {
    for (const CallRow& row : sample.calls) {
      const CallName* call = names.call(row.id);
      const ServiceName* from = call == nullptr ? nullptr : names.service(call->from);
      const std::string* to = call == nullptr ? nullptr : names.called(call->to);
      if (from != nullptr && to != nullptr) write(from->name, *to, row);
    }
  };
  out.family("penstock_calls_total", "counter", "Calls along a drawn edge.");
  each([&](const std::string& from, const std::string& to, const CallRow& row) {
    out.row({{"from", from}, {"to", to}, {"binary", names.binary}}, row.count);
  });
  out.family("penstock_call_errors_total", "counter", "Calls along a drawn edge that failed.");
  each([&](const std::string& from, const std::string& to, const CallRow& row) {
    out.row({{"from", from}, {"to", to}, {"binary", names.binary}}, row.errors);
  });
}

void write_flows(Exposition& out, const Names& names, const Sample& sample) {
  const auto each = [&](auto write) {
    for (const FlowRow& row : sample.flows) {
      if (const FlowName* flow = names.flow(row.id)) write(flow->name, row);
    }
  };
  out.family("penstock_flow_emitted_total", "counter", "Events a flow's source made.");
  each([&](const std::string& flow, const FlowRow& row) {
    out.row({{"flow", flow}, {"binary", names.binary}}, row.emitted);
  });
  out.family("penstock_flow_events_total", "counter",
             "Events that left a flow, by how they ended.");
  each([&](const std::string& flow, const FlowRow& row) {
    const std::array<std::pair<std::string_view, std::uint64_t>, 3> ends{
        {{"completed", row.completed}, {"failed", row.failed}, {"dropped", row.dropped}}};
    for (const auto& [outcome, count] : ends) {
      out.row({{"flow", flow}, {"binary", names.binary}, {"outcome", outcome}}, count);
    }
  });
  out.family("penstock_flow_events_in_flight", "gauge", "Events inside a flow now.");
  each([&](const std::string& flow, const FlowRow& row) {
    out.row({{"flow", flow}, {"binary", names.binary}}, row.in_flight);
  });

  using Text = const std::string&;
  out.family("penstock_stage_events_total", "counter", "Events a stage has done.");
  each_stage(names, sample, [&](Text flow, Text stage, const StageRow& row) {
    out.row({{"flow", flow}, {"stage", stage}, {"binary", names.binary}}, row.count);
  });
  out.family("penstock_stage_errors_total", "counter", "Events that failed in a stage.");
  each_stage(names, sample, [&](Text flow, Text stage, const StageRow& row) {
    out.row({{"flow", flow}, {"stage", stage}, {"binary", names.binary}}, row.errors);
  });
  out.family("penstock_stage_expired_total", "counter",
             "Of penstock_stage_events_total, those that were not run because their deadline had "
             "passed.");
  each_stage(names, sample, [&](Text flow, Text stage, const StageRow& row) {
    out.row({{"flow", flow}, {"stage", stage}, {"binary", names.binary}}, row.expired);
  });
  out.family("penstock_stage_latency_seconds", "histogram",
             "Time of the sampled events in a stage, its queue included.");
  each_stage(names, sample, [&](Text flow, Text stage, const StageRow& row) {
    out.histogram({{"flow", flow}, {"stage", stage}, {"binary", names.binary}}, row.totals,
                  names.latency_bounds);
  });
}

void write_pools(Exposition& out, const Names& names, const Sample& sample) {
  const auto each = [&](std::string_view name, std::string_view type, std::string_view help,
                        auto member) {
    out.family(name, type, help);
    for (const PoolRow& row : sample.pools) {
      if (const PoolName* pool = names.pool(row.id)) {
        out.row({{"pool", pool->name}, {"binary", names.binary}}, row.*member);
      }
    }
  };
  each("penstock_queue_depth", "gauge", "Calls that wait in a pool's queues.", &PoolRow::queued);
  each("penstock_threads_busy", "gauge", "Threads of a pool that run a handler now.",
       &PoolRow::busy);
  each("penstock_threads", "gauge", "Threads of a pool.", &PoolRow::threads);
  each("penstock_callers_blocked", "gauge", "Callers that wait for a place in a full queue.",
       &PoolRow::blocked);
  each("penstock_requests_stolen_total", "counter",
       "Requests that idle threads of a pool took from busy ones.", &PoolRow::stolen);
}

void write_threads(Exposition& out, const Names& names, const Sample& sample) {
  const auto counter = [&](std::string_view name, std::string_view help, auto value) {
    out.family(name, "counter", help);
    for (const ThreadRow& row : sample.threads) {
      const PoolName* pool = names.pool(row.pool);
      if (pool == nullptr) continue;
      const std::string index = std::to_string(row.index);
      out.row({{"pool", pool->name}, {"thread", index}, {"binary", names.binary}}, value(row));
    }
  };
  counter("penstock_thread_busy_seconds_total", "Time a thread spent in handlers.",
          [](const ThreadRow& row) { return seconds(row.busy_ns); });
  counter("penstock_thread_cpu_seconds_total", "CPU time of a thread.",
          [](const ThreadRow& row) { return seconds(row.cpu_ns); });
  counter("penstock_thread_voluntary_switches_total", "Context switches because it had to wait.",
          [](const ThreadRow& row) { return row.voluntary; });
  counter("penstock_thread_involuntary_switches_total",
          "Context switches because another thread took the CPU.",
          [](const ThreadRow& row) { return row.involuntary; });
  counter("penstock_thread_requests_stolen_total",
          "Requests that a thread, idle, took from busy ones.",
          [](const ThreadRow& row) { return row.stolen; });
}

void write_watchdog(Exposition& out, const Names& names, const Sample& sample) {
  out.family("penstock_handler_stuck_seconds", "gauge",
             "How long a stuck handler has kept its thread busy, while it does.");
  for (const StuckRow& row : sample.stuck) {
    const PoolName* pool = names.pool(row.pool);
    const ServiceName* service = names.service(row.service);
    if (pool == nullptr || service == nullptr) continue;
    const std::string index = std::to_string(row.thread);
    out.row({{"service", service->name},
             {"pool", pool->name},
             {"thread", index},
             {"binary", names.binary}},
            static_cast<double>(row.for_ms) / 1e3);
  }
  out.family("penstock_deadlocks_total", "counter", "Cycles of waits that were broken.");
  out.row({{"binary", names.binary}}, sample.deadlocks);
}

void write_refused(Exposition& out, const Schema& schema, const Sample& sample) {
  out.family("penstock_refused_total", "counter",
             "Callers, and calls, of other binaries that were not served.");
  for (const RefusedRow& row : sample.refused)
    out.row({{"reason", row.reason}, {"binary", schema.binary}}, row.count);
}

void write_links(Exposition& out, const Schema& schema, const Sample& sample) {
  const auto family = [&](const char* name, const char* type, const char* help, auto value) {
    out.family(name, type, help);
    for (const LinkRow& row : sample.links) {
      for (const LinkName& link : schema.links) {
        const auto figure = value(row);
        if (link.id == row.id && figure)
          out.row({{"peer", link.binary}, {"binary", schema.binary}}, *figure);
      }
    }
  };
  const auto of = [](auto member) {
    return [member](const LinkRow& row) { return std::optional(row.*member); };
  };
  family("penstock_link_open", "gauge", "Links to processes of another binary that stand.",
         of(&LinkRow::open));
  family("penstock_link_waiting_calls", "gauge",
         "Calls to another binary that no process of it takes yet.", of(&LinkRow::waiting));
  family("penstock_link_sent_bytes_total", "counter", "Bytes that went to another binary.",
         of(&LinkRow::sent_bytes));
  family("penstock_link_received_bytes_total", "counter", "Bytes that came from another binary.",
         of(&LinkRow::received_bytes));
  family("penstock_link_broken_total", "counter",
         "Links to another binary that neither end meant to end.", of(&LinkRow::broken));
  family("penstock_link_round_trip_seconds", "gauge",
         "How long the last ping to another binary took.", [](const LinkRow& row) {
           return row.round_trip_us ? std::optional(*row.round_trip_us / 1e6) : std::nullopt;
         });
  family("penstock_link_sent_packets_total", "counter",
         "Packets that went to another binary over a network, each time they went.",
         of(&LinkRow::sent_packets));
  family("penstock_link_resent_packets_total", "counter",
         "Packets that went again, as they were lost or seemed to be.",
         of(&LinkRow::resent_packets));
}

void write_process(Exposition& out, const Schema& schema, const ProcessRow& process) {
  out.family("penstock_process_cpu_seconds_total", "counter", "CPU time of the process.");
  out.row({}, seconds(process.cpu_ns));
  out.family("penstock_process_resident_memory_bytes", "gauge", "Memory of the process in RAM.");
  out.row({}, process.rss_bytes);
  out.family("penstock_process_threads", "gauge", "Threads of the process, all of them.");
  out.row({}, process.threads);
  out.family("penstock_process_start_time_seconds", "gauge", "Start, in Unix time.");
  out.row({}, static_cast<double>(schema.started_at_ms) / 1e3);
  out.family("penstock_sampling_ratio", "gauge", "Share of the requests whose latency is taken.");
  out.row({}, static_cast<double>(schema.sampling) / 128.0);
  out.family("penstock_build_info", "gauge", "What runs here; always 1.");
  out.row({{"project", schema.project},
           {"binary", schema.binary},
           {"topology_hash", schema.topology_hash},
           {"runtime", schema.runtime}},
          1);
}

}  // namespace

std::string prometheus_text(const Schema& schema, const Sample& sample) {
  const Names names(schema);
  Exposition out;
  write_services(out, names, sample);
  write_calls(out, names, sample);
  write_flows(out, names, sample);
  write_pools(out, names, sample);
  write_threads(out, names, sample);
  write_watchdog(out, names, sample);
  write_links(out, schema, sample);
  write_refused(out, schema, sample);
  write_process(out, schema, sample.process);
  return out.take();
}

}  // namespace penstock::metrics
