#include "penstock/app/running/running.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "penstock/app/process/say.hpp"
#include "penstock/exec/affinity.hpp"
#include "penstock/version.hpp"

namespace penstock::app {

namespace {

// Context switches cost two files a thread: not at every sample.
constexpr Nanos kSwitchesSpacing = 500'000'000;

/// Of a time that is 0 while it is not known.
std::optional<double> micros(Nanos nanos) noexcept {
  return nanos == 0 ? std::nullopt : std::optional(static_cast<double>(nanos) / 1e3);
}

std::string_view to_text(exec::Idle idle) {
  switch (idle) {
    case exec::Idle::spin:
      return "spin";
    case exec::Idle::park:
      return "park";
    case exec::Idle::adaptive:
      return "adaptive";
  }
  return "adaptive";
}

std::string_view to_text(AdaptivePools::By by) {
  switch (by) {
    case AdaptivePools::By::nobody:
      return "drawing";
    case AdaptivePools::By::person:
      return "person";
    case AdaptivePools::By::controller:
      return "controller";
  }
  return "drawing";
}

std::vector<Nanos> deadlines_of(const Model& model) {
  std::vector<Nanos> deadlines;
  for (const auto& service : model.services()) deadlines.push_back(service->deadline_ns);
  return deadlines;
}

constexpr auto kUnimplemented = static_cast<std::uint32_t>(ErrorCode::unimplemented);

}  // namespace

Running::Running(Model& model, Nanos traces_shown)
    : model_(model),
      traces_shown_(traces_shown),
      window_(model.registry(), metrics::latency_bounds(deadlines_of(model))),
      started_(now_ns()),
      started_at_ms_(std::chrono::duration_cast<std::chrono::milliseconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count()),
      rules_({.bring = [this](const config::Preset& preset) { return bring(preset); },
              .changed = [this] { changed(); },
              .say = &say_or_lose}),
      adaptive_(
          {.left = [this](const exec::Pool& pool) { return left_queue_of(pool); },
           .take = [this](exec::Pool& pool, const PoolStep& step) { return take_step(pool, step); },
           .also = [this](Nanos now) { rules_.look(now); },
           .changed = [this] { changed(); }}) {}

std::uint64_t Running::schema_revision() {
  std::uint64_t revision = revision_.load(std::memory_order_relaxed) + model_.join_changes();
  for (const net::Peer& peer : model_.peers().called()) revision += peer.figures.changes();
  return revision;
}

std::optional<std::string> Running::not_ready() {
  switch (state_.load(std::memory_order_acquire)) {
    case kReady:
      return std::nullopt;
    case kDraining:
      return "draining";
    default:
      return "starting";
  }
}

metrics::Schema Running::schema() {
  metrics::Schema schema;
  schema.project = model_.options().project;
  schema.binary = model_.options().binary;
  schema.topology_hash = model_.options().topology_hash;
  schema.runtime = PENSTOCK_VERSION_TEXT;
  schema.pid = getpid();
  schema.started_at_ms = started_at_ms_;
  schema.sampling = model_.registry().sampling();
  schema.latency_bounds = window_.bounds();
  std::uint32_t id = 0;
  for (const auto& service : model_.services()) {
    if (service->is_remote() && service->stands_for == nullptr) {
      schema.remotes.push_back({id++, service->name.str(), model_.peers().binary_of(*service)});
      continue;
    }
    if (!service->is_drawn()) {
      ++id;
      continue;
    }
    metrics::ServiceName name{id++,
                              service->name.str(),
                              std::string(to_string(service->kind)),
                              model_.pool_id(service->pool),
                              {},
                              true};
    for (const auto& implementation : service->implementations) {
      const Name own = implementation->name();
      if (!own.empty()) name.implementations.push_back(own.str());
      if (model_.registry().count(implementation->errors + kUnimplemented) != 0)
        name.written = false;
    }
    schema.services.push_back(std::move(name));
  }
  id = 0;
  for (const Call& call : model_.calls()) schema.calls.push_back({id++, call.from, call.to});
  for (std::size_t index = 0; index < model_.flows().size(); ++index) {
    const flow::Flow& flow = *model_.flows()[index];
    metrics::FlowName name{static_cast<std::uint32_t>(index),
                           flow.name(),
                           model_.sources()[index]->per_second(),
                           {},
                           std::string(model_.sources()[index]->kind())};
    for (const flow::Stage& stage : flow.stages()) {
      const exec::Pool* const join = stage.join.load(std::memory_order_acquire);
      const call::Service* const there = stage.service->stands_for;
      name.stages.push_back({stage.id, model_.service_id(there != nullptr ? there : stage.service),
                             std::string(flow::to_string(stage.role)),
                             join != nullptr ? std::optional(model_.pool_id(join)) : std::nullopt});
    }
    schema.flows.push_back(std::move(name));
  }
  id = 0;
  for (const auto& pool : model_.pools()) {
    const exec::PoolSettings& settings = pool->settings();
    metrics::PoolName name{id++,
                           pool->name(),
                           pool->queue(),
                           std::string(to_text(pool->overflow())),
                           std::string(to_text(settings.idle)),
                           settings.priority,
                           {},
                           pool->cached()};
    if (const auto state = adaptive_.state_of(*pool)) {
      name.adaptive = {state->bounds.from, state->bounds.to,
                       state->on,          std::string(to_text(state->by)),
                       state->steps,       static_cast<double>(state->waited) / 1e6};
    }
    for (unsigned index = 0; index < pool->size(); ++index) {
      const exec::Worker& worker = pool->worker(index);
      name.threads.push_back({exec::thread_name(pool->name(), index), worker.tid(),
                              pool->asked_cpus(index), exec::affinity_of(worker.tid())});
    }
    schema.pools.push_back(std::move(name));
  }
  add_rules(schema);
  id = 0;
  for (const net::Peer& peer : model_.peers().called())
    schema.links.push_back(
        {id++, peer.binary, std::string(peer.transport()), peer.figures.why_down()});
  return schema;
}

metrics::Sample Running::sample() {
  const Nanos now = now_ns();
  metrics::Sample sample;
  sample.t_ms = static_cast<double>(now - started_) / 1e6;
  sample.seq = sequence_++;
  window_.read(now);
  add_services(sample);
  add_flows(sample);
  add_pools(sample, now);
  add_stuck(sample, now);
  add_links(sample, now);
  add_refused(sample);
  sample.process = read_process();
  return sample;
}

// All but cancelled ones: a caller that had enough is no fault of the service.
std::uint64_t Running::errors_of(const call::Implementation& implementation) const {
  std::uint64_t errors = 0;
  for (std::uint32_t code = 0; code < kErrorCodes; ++code) {
    if (code == static_cast<std::uint32_t>(ErrorCode::cancelled)) continue;
    errors += model_.registry().count(implementation.errors + code);
  }
  return errors;
}

namespace {

// What is left of `done`. The two were not read at the same moment, and a total only grows.
std::uint64_t served_of(std::uint64_t done, std::uint64_t unserved, std::uint64_t& before) {
  before = std::max(before, done > unserved ? done - unserved : 0);
  return before;
}

}  // namespace

metrics::Endings Running::endings_of(const call::Implementation& implementation,
                                     std::uint64_t done) {
  const metrics::Registry& registry = model_.registry();
  metrics::Endings endings;
  endings.expired = registry.count(implementation.counter_of(call::Ending::expired));
  endings.skipped = registry.count(implementation.counter_of(call::Ending::skipped));
  endings.refused = registry.count(implementation.counter_of(call::Ending::refused));
  if (served_.size() <= implementation.slot) served_.resize(implementation.slot + std::size_t{1});
  endings.served = served_of(done, endings.expired + endings.skipped + endings.refused,
                             served_[implementation.slot]);
  return endings;
}

void Running::add_services(metrics::Sample& sample) {
  metrics::Registry& registry = model_.registry();
  std::uint32_t id = 0;
  std::uint64_t unwritten = 0;
  for (const auto& service : model_.services()) {
    if (!service->is_drawn()) {
      ++id;
      continue;
    }
    metrics::ServiceRow row;
    row.id = id;
    std::vector<std::uint32_t> timers;
    std::vector<std::uint32_t> waits;
    std::vector<std::uint32_t> runs;
    for (const auto& implementation : service->implementations) {
      metrics::ImplementationRow part;
      part.service = id;
      part.index = implementation->index;
      part.requests = implementation->done_count();
      for (std::uint32_t code = 0; code < kErrorCodes; ++code) {
        const std::uint64_t count = registry.count(implementation->errors + code);
        if (count != 0) {
          part.errors_by_code.emplace_back(to_string(static_cast<ErrorCode>(code)), count);
        }
      }
      part.errors = errors_of(*implementation);
      const auto latency_timers = implementation->timers_of(&call::Timers::latency);
      const auto wait_timers = implementation->timers_of(&call::Timers::wait);
      const auto run_timers = implementation->timers_of(&call::Timers::run);
      part.latency = window_.last_second(latency_timers);
      part.totals = window_.since_start(latency_timers);
      part.endings = endings_of(*implementation, part.requests);
      part.wait = window_.last_second(wait_timers);
      part.run = window_.last_second(run_timers);
      part.wait_totals = window_.since_start(wait_timers);
      part.run_totals = window_.since_start(run_timers);
      part.stuck = registry.count(implementation->stuck);
      timers.insert(timers.end(), latency_timers.begin(), latency_timers.end());
      waits.insert(waits.end(), wait_timers.begin(), wait_timers.end());
      runs.insert(runs.end(), run_timers.begin(), run_timers.end());
      row.requests += part.requests;
      row.errors += part.errors;
      row.endings.served += part.endings.served;
      row.endings.expired += part.endings.expired;
      row.endings.skipped += part.endings.skipped;
      row.endings.refused += part.endings.refused;
      row.unimplemented += registry.count(implementation->errors + kUnimplemented);
      sample.implementations.push_back(std::move(part));
    }
    // After `done`, so that a request that ends in between does not count as one too many done.
    const std::uint64_t sent = service->sent_count();
    row.in_flight = sent > row.requests ? sent - row.requests : 0;
    row.latency = window_.last_second(timers);
    row.wait = window_.last_second(waits);
    row.run = window_.last_second(runs);
    if (row.unimplemented != 0) ++unwritten;
    sample.services.push_back(row);
    ++id;
  }
  if (unwritten != unwritten_) {
    unwritten_ = unwritten;
    changed();
  }
  id = 0;
  for (const Call& call : model_.calls()) {
    sample.calls.push_back(
        {id++, registry.count(call.site.count), registry.count(call.site.errors)});
  }
}

void Running::add_flows(metrics::Sample& sample) {
  metrics::Registry& registry = model_.registry();
  std::uint32_t id = 0;
  for (const auto& flow : model_.flows()) {
    const flow::Flow::Counters& ids = flow->counters();
    metrics::FlowRow row;
    row.id = id;
    row.completed = registry.count(ids.completed);
    row.failed = registry.count(ids.failed);
    row.dropped = registry.count(ids.dropped);
    row.emitted = registry.count(ids.emitted);
    const std::uint64_t ended = row.completed + row.failed + row.dropped;
    row.in_flight = row.emitted > ended ? row.emitted - ended : 0;
    row.latency = window_.last_second(ids.latency);
    sample.flows.push_back(row);
    for (const flow::Stage& stage : flow->stages()) {
      metrics::StageRow at;
      at.flow = id;
      at.index = stage.index;
      at.count = flow->runs(stage);
      at.errors = registry.count(stage.errors);
      at.latency = window_.last_second(stage.timers.latency);
      at.totals = window_.since_start({stage.timers.latency});
      at.wait = window_.last_second(stage.timers.wait);
      at.run = window_.last_second(stage.timers.run);
      at.expired = registry.count(stage.expired);
      if (stage_served_.size() <= sample.stages.size()) stage_served_.push_back(0);
      at.served = served_of(at.count, at.expired, stage_served_[sample.stages.size()]);
      if (flow->begins_virtual_stage(stage)) at.fused = window_.last_second(stage.fused);
      sample.stages.push_back(at);
    }
    add_trace(sample, *flow, id);
    ++id;
  }
}

void Running::add_pools(metrics::Sample& sample, Nanos now) {
  std::uint32_t id = 0;
  for (const auto& pool : model_.pools()) {
    const exec::Pool::Depth depth = pool->depth();
    const unsigned threads = pool->size();
    sample.pools.push_back(
        {id, depth.queued, pool->busy(), threads, depth.blocked, pool->stolen()});
    for (unsigned index = 0; index < threads; ++index) {
      const exec::Worker& worker = pool->worker(index);
      const Switches& switches = switches_of(worker.tid(), now);
      sample.threads.push_back({id, index, worker.busy_ns(now), thread_cpu_ns(worker.tid()),
                                switches.voluntary, switches.involuntary, switches.cpu,
                                worker.stolen()});
    }
    ++id;
  }
}

void Running::add_stuck(metrics::Sample& sample, Nanos now) {
  for (const call::Watchdog::Stuck& stuck : model_.watchdog().stuck()) {
    sample.stuck.push_back({model_.pool_id(stuck.pool), stuck.thread,
                            model_.service_id(stuck.implementation->service),
                            static_cast<std::uint64_t>(now - stuck.since) / 1'000'000});
  }
  sample.deadlocks = model_.watchdog().deadlocks();
}

void Running::add_refused(metrics::Sample& sample) {
  const net::Refusals* const refusals = model_.peers().refusals();
  if (refusals == nullptr) return;
  for (std::size_t why = 0; why < net::Refusals::kNames.size(); ++why) {
    sample.refused.push_back(
        {net::Refusals::kNames[why], refusals->counted(static_cast<net::Refusals::Why>(why))});
  }
}

void Running::add_links(metrics::Sample& sample, Nanos now) {
  std::uint32_t id = 0;
  for (const net::Peer& peer : model_.peers().called()) {
    const net::LinkFigures& figures = peer.figures;
    metrics::LinkRow& row = sample.links.emplace_back();
    row.id = id++;
    row.open = figures.open.load(std::memory_order_relaxed);
    row.waiting = figures.waiting.load(std::memory_order_relaxed);
    row.sent_bytes = figures.sent_bytes.load(std::memory_order_relaxed);
    row.received_bytes = figures.received_bytes.load(std::memory_order_relaxed);
    row.broken = figures.broken.load(std::memory_order_relaxed);
    row.round_trip_us = micros(figures.round_trips.last());
    const auto [p50, p99] = figures.round_trips.percentiles();
    row.round_trip_p50_us = micros(p50);
    row.round_trip_p99_us = micros(p99);
    row.sent_packets = figures.sent_packets.load(std::memory_order_relaxed);
    row.resent_packets = figures.resent_packets.load(std::memory_order_relaxed);
    row.resent_percent = resent_[row.id].percent(row.sent_packets, row.resent_packets, now);
  }
}

const Switches& Running::switches_of(int tid, Nanos now) {
  // Threads come and go with every resize; those that are gone are forgotten.
  if (switches_.size() > 2 * std::size_t{exec::Pool::kMostThreads}) switches_.clear();
  Cached& cached = switches_[tid];
  if (cached.read_at == 0 || now - cached.read_at > kSwitchesSpacing) {
    cached = {read_switches(tid), now};
  }
  return cached.switches;
}

exec::Pool* Running::find_pool(const std::string& name) const {
  for (const auto& pool : model_.pools()) {
    if (pool->name() == name) return pool.get();
  }
  return nullptr;
}

}  // namespace penstock::app
