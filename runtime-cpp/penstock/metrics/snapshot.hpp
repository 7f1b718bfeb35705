#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What a reader sees of a running binary: plain values, copied out of the workers' counters by the
/// reader's own thread. Mirrors the live protocol (codegen's `protocol/live.ts`) field by field.
namespace penstock::metrics {

/// Percentiles of the last second's sampled latencies, microseconds; none: no sample yet.
struct Latency {
  std::optional<double> p50_us;
  std::optional<double> p90_us;
  std::optional<double> p99_us;
  std::optional<double> max_us;
  std::optional<double> mean_us;
};

/// Upper bounds of the exported histograms' buckets, seconds, that every binary has: 1-2.5-5 from
/// 1 us to 10 s.
inline constexpr std::array<double, 22> kLatencyBoundsSeconds{
    1e-6, 2.5e-6, 5e-6,   1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3,
    5e-3, 1e-2,   2.5e-2, 5e-2, 0.1,    0.25, 0.5,  1.0,    2.5,  5.0,  10.0};
/// So many deadlines add three bounds each (latency_bounds.hpp).
inline constexpr std::size_t kMostDeadlines = 6;

/// Sampled latencies since the start of the process.
struct LatencyTotals {
  /// Samples of each bucket by itself (not cumulative): bucket i took at most
  /// Schema::latency_bounds[i], the one behind them more than all of them.
  std::array<std::uint64_t, kLatencyBoundsSeconds.size() + 3 * kMostDeadlines + 1> buckets{};
  double sum_seconds = 0;
};

/// How requests ended, together all that were done.
struct Endings {
  std::uint64_t served = 0;   ///< by what the handler gave or threw, while somebody wanted it
  std::uint64_t expired = 0;  ///< the deadline passed before that: in the queue, or while it ran
  std::uint64_t skipped = 0;  ///< the caller had given them up
  std::uint64_t refused = 0;  ///< by a full queue, or a pool that stops
};

struct ServiceRow {
  std::uint32_t id = 0;
  std::uint64_t requests = 0;  ///< done, with or without error
  std::uint64_t errors = 0;
  std::uint64_t in_flight = 0;
  std::uint64_t unimplemented = 0;
  Latency latency;
  Endings endings = {};
  // The parts of `latency`: for their turn and in the queue; from the handler's start to its end.
  Latency wait = {};
  Latency run = {};
};

struct ImplementationRow {
  std::uint32_t service = 0;
  std::uint32_t index = 0;
  std::uint64_t requests = 0;
  std::uint64_t errors = 0;
  Latency latency;
  LatencyTotals totals;
  /// Error code by its wire name (`deadline_exceeded`) and how often; codes never seen may be left
  /// out.
  std::vector<std::pair<std::string, std::uint64_t>> errors_by_code;
  /// How often the watchdog reported that its handler did not come back in time.
  std::uint64_t stuck = 0;
  Endings endings = {};
  Latency wait = {};
  Latency run = {};
  LatencyTotals wait_totals = {};
  LatencyTotals run_totals = {};
};

struct CallRow {
  std::uint32_t id = 0;
  std::uint64_t count = 0;
  std::uint64_t errors = 0;
};

struct FlowRow {
  std::uint32_t id = 0;
  std::uint64_t emitted = 0;
  std::uint64_t completed = 0;
  std::uint64_t failed = 0;
  std::uint64_t dropped = 0;
  std::uint64_t in_flight = 0;
  Latency latency;
};

struct StageRow {
  std::uint32_t flow = 0;
  std::uint32_t index = 0;
  std::uint64_t count = 0;
  std::uint64_t errors = 0;
  Latency latency;  ///< waiting and running
  LatencyTotals totals;
  Latency wait;  ///< for its turn and in the queue of its join
  Latency run = {};
  // Of `count`: those that were run, and those that were not because their deadline had passed.
  std::uint64_t served = 0;
  std::uint64_t expired = 0;
  /// Of the virtual stage that begins here, from its start to its end; none: none does.
  std::optional<Latency> fused = {};
};

struct PoolRow {
  std::uint32_t id = 0;
  std::uint64_t queued = 0;
  std::uint32_t busy = 0;
  std::uint32_t threads = 0;
  std::uint64_t blocked = 0;  ///< callers waiting on the full queue
  std::uint64_t stolen = 0;   ///< requests that a thread took from another one
};

struct ThreadRow {
  std::uint32_t pool = 0;
  std::uint32_t index = 0;
  std::uint64_t busy_ns = 0;
  std::uint64_t cpu_ns = 0;
  std::uint64_t voluntary = 0;    ///< context switches
  std::uint64_t involuntary = 0;  ///< context switches
  int cpu = -1;                   ///< where it ran last
  std::uint64_t stolen = 0;       ///< requests taken from other threads of the pool
};

/// A handler that has kept its thread busy for longer than the watchdog's limit.
struct StuckRow {
  std::uint32_t pool = 0;
  std::uint32_t thread = 0;  ///< index
  std::uint32_t service = 0;
  std::uint64_t for_ms = 0;
};

/// What a stage did with an event that was followed on its way. Times in microseconds.
struct TraceStep {
  std::uint32_t stage = 0;   ///< index in the flow
  std::uint32_t pool = 0;    ///< where it ran
  std::uint32_t thread = 0;  ///< index in that pool
  double at_us = 0;          ///< when the event came to the stage, since it was emitted
  double wait_us = 0;        ///< for its turn and in the queue of the join
  double run_us = 0;         ///< of the handler, its awaiting included
  bool failed = false;
};

/// A call on behalf of an event that was followed. Times in microseconds.
struct TraceCall {
  std::uint32_t parent = 0;  ///< index into the steps, and from their number on into the calls
  std::uint32_t service = 0;
  std::uint32_t implementation = 0;
  std::optional<std::uint32_t> pool;  ///< where it ran; none: it had not begun
  std::optional<std::uint32_t> thread;
  double at_us = 0;  ///< when it was made, since the event was emitted
  std::optional<double> wait_us;
  std::optional<double> run_us;  ///< none: it had not ended
  bool failed = false;
};

/// The way of one sampled event through its flow.
struct EventTrace {
  std::uint32_t flow = 0;
  double started_ms = 0;  ///< on the clock of Sample::t_ms
  double total_us = 0;
  std::string outcome;  ///< completed, failed, dropped
  /// In the order of their ends; a fan-out has the steps of all its branches.
  std::vector<TraceStep> steps;
  std::vector<TraceCall> calls = {};
};

/// Callers, and calls, of other binaries that were not served.
struct RefusedRow {
  std::string_view reason;  ///< stranger, key, malformed, not_drawn, crowded
  std::uint64_t count = 0;
};

/// The links to one other binary.
struct LinkRow {
  std::uint32_t id = 0;
  std::uint32_t open = 0;     ///< that stand
  std::uint64_t waiting = 0;  ///< calls that no process of it takes yet
  std::uint64_t sent_bytes = 0;
  std::uint64_t received_bytes = 0;
  std::uint64_t broken = 0;                  ///< that neither end meant to end
  std::optional<double> round_trip_us = {};  ///< of the last ping
  std::uint64_t sent_packets = 0;            ///< where they can be lost, each time they went
  std::uint64_t resent_packets = 0;          ///< of those
  /// How many of the packets of the last seconds went again; nothing: too few went.
  std::optional<double> resent_percent = {};
  /// Of the last pings of all of them.
  std::optional<double> round_trip_p50_us = {};
  std::optional<double> round_trip_p99_us = {};
};

struct ProcessRow {
  std::uint64_t cpu_ns = 0;
  std::uint64_t rss_bytes = 0;
  std::uint32_t threads = 0;
};

/// Counters are totals since the start of the process.
struct Sample {
  double t_ms = 0;  ///< monotonic, since the start of the process
  std::uint64_t seq = 0;
  std::vector<ServiceRow> services;
  std::vector<ImplementationRow> implementations;
  std::vector<CallRow> calls;
  std::vector<FlowRow> flows;
  std::vector<StageRow> stages;
  std::vector<PoolRow> pools;
  std::vector<ThreadRow> threads;
  std::vector<StuckRow> stuck;
  std::vector<LinkRow> links;
  std::vector<RefusedRow> refused;
  std::uint64_t deadlocks = 0;  ///< cycles of waits that were broken
  /// Of each flow the one that ended last, while that is not long ago: the same one may come again.
  std::vector<EventTrace> traces;
  ProcessRow process;
};

struct ServiceName {
  std::uint32_t id = 0;
  std::string name;
  std::string kind;  ///< simple, single-threaded, sync-remote, async-remote
  std::uint32_t pool = 0;
  std::vector<std::string> implementations;
  bool written = false;  ///< no `unimplemented` answer seen so far
};

/// A service that another binary runs, and counts what it does. Here its calls are counted.
struct RemoteName {
  std::uint32_t id = 0;  ///< no other's, and no service's
  std::string name;
  std::string binary;  ///< which runs it
};

/// Another binary that this one calls.
struct LinkName {
  std::uint32_t id = 0;
  std::string binary;
  std::string transport;  ///< unix
  std::string down = {};  ///< why no process of it is reached; empty: one is, or nobody needs one
};

struct CallName {
  std::uint32_t id = 0;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

struct StageName {
  std::string id;
  std::uint32_t service = 0;
  std::string role;                   ///< map, side-effect, catch
  std::optional<std::uint32_t> pool;  ///< of its join; none: fused
};

struct FlowName {
  std::uint32_t id = 0;
  std::string name;
  /// Of its source; none: it keeps no rate, or no limit is set.
  std::optional<double> per_second;
  std::vector<StageName> stages;
  std::string source = "rate";  ///< rate, http, file, service
};

struct ThreadName {
  std::string name;  ///< as in /proc
  int tid = 0;
  std::vector<int> asked;   ///< empty: anywhere
  std::vector<int> actual;  ///< as the kernel says
};

/// Bounds within which a controller chooses the threads of a pool.
struct Adaptive {
  unsigned from = 0;
  unsigned to = 0;
  bool on = false;          ///< it is at work; a person's change lets it rest
  std::string by;           ///< who changed the threads last: drawing, person, controller
  std::uint64_t steps = 0;  ///< of the controller, since the start
  double waited_ms = 0;     ///< by the request that waited least, in the second before the last one
};

struct PoolName {
  std::uint32_t id = 0;
  std::string name;
  std::uint32_t queue = 0;
  std::string overflow;
  std::string idle;
  int priority = 0;
  std::vector<ThreadName> threads;
  bool cached = false;  ///< a join with as many threads as there is work for
  std::optional<Adaptive> adaptive = {};
};

/// A rule that brings one of two presets into force by itself.
struct PresetRule {
  struct Side {
    double per_second = 0;
    std::string preset;
  };
  std::string name;  ///< of the flow or service whose rate it watches
  Side below;
  Side above;
  unsigned for_seconds = 0;
  bool on = false;             ///< it is at work; a person's change lets it rest
  std::string by;              ///< who changed last what it is about: drawing, person, rule
  std::string preset;          ///< that it brought into force; empty: none, or changed since
  std::uint64_t switches = 0;  ///< since the start
  double per_second = 0;       ///< when it chose last
  std::string refused;         ///< why it could not; empty: it could
};

/// Gives every id of a Sample its name, and says how things are set now.
struct Schema {
  std::string project;
  std::string binary;
  std::string topology_hash;
  std::string runtime;  ///< version of this library
  int pid = 0;
  std::int64_t started_at_ms = 0;  ///< wall clock, since the epoch
  int sampling = 0;                ///< sampled calls in 128
  std::vector<ServiceName> services;
  std::vector<RemoteName> remotes = {};
  std::vector<CallName> calls;  ///< of services, to services and remotes
  std::vector<FlowName> flows;
  std::vector<PoolName> pools;
  std::vector<PresetRule> rules = {};
  std::vector<LinkName> links = {};
  std::vector<double> latency_bounds;  ///< of LatencyTotals, seconds
};

}  // namespace penstock::metrics
