#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "penstock/base/time.hpp"
#include "penstock/metrics/snapshot.hpp"

namespace penstock::control {

/// A command that a rule does not allow; the old setting stays in force.
struct Refusal {
  std::string code;     ///< stable, of the catalogue of problems (`PS...`)
  std::string message;  ///< names the thing and what was wrong
  std::string help;     ///< what to do about it
};

template <class T>
using Outcome = std::variant<T, Refusal>;

struct Setting {
  double asked = 0;
  double actual = 0;
  std::optional<double> before = {};
};

struct Pinning {
  std::vector<int> asked;
  std::vector<int> actual;  ///< read back from the kernel
};

/// The fewest and the most threads of a pool whose threads come and go.
struct Bounds {
  int from = 0;
  int to = 0;
};

/// A pool with bounds, once a change of them is in force.
struct Adapting {
  Bounds bounds;
  bool on = false;  ///< its controller is at work
  int threads = 0;  ///< now
};

/// A rule that changes between presets by itself, once a change of it is in force.
struct Ruling {
  bool on = false;     ///< it is at work
  std::string preset;  ///< that it brought into force; empty: none, or changed since
};

/// What is put into the slot before a stage: a pool of the binary, or threads of the join's own.
struct Join {
  /// A pool of the binary; empty: threads of its own, set by the rest.
  std::string pool;
  /// 1 to 1024; 0: cached (as many as there is work for, those that idle leave again).
  int threads = 1;
  int queue = 1024;                ///< events that wait, 1 to 1048576
  std::string overflow = "block";  ///< block, reject, shed-oldest
  bool operator==(const Join&) const = default;
};

/// Where a stage runs once a change of its join is in force.
struct Joined {
  std::string pool;    ///< of its join; empty: none, it runs fused behind the stage before it
  int threads = 0;     ///< of that pool; 0 when fused
  double took_ms = 0;  ///< until the change was in force
};

/// One call of a service from outside.
struct Asking {
  std::string service;
  std::string request;       ///< JSON
  int deadline_ms = 10'000;  ///< 1 to 60000
  Nanos asked_ns = 0;        ///< since when the deadline counts; 0: since it is called
};

/// A call that it made, or itself. Times in microseconds.
struct AskedCall {
  std::optional<std::uint32_t> parent;  ///< index of who made it, before it; none: the question
  std::string service;
  std::string implementation;  ///< empty: its service has but one
  std::string thread;          ///< `front·0`; empty: it had not begun
  double at_us = 0;            ///< when it was made, since the question
  std::optional<double> wait_us;
  std::optional<double> run_us;  ///< none: it had not ended
  bool failed = false;
};

/// How it ended.
struct Asked {
  std::string answer;      ///< JSON; empty: there was an error
  std::string error_code;  ///< `deadline_exceeded`
  std::string error_message;
  double took_ms = 0;
  std::vector<AskedCall> trace = {};  ///< itself first; the first 256
};

/// The running binary, as its control plane sees it. Implemented by `app`; the control plane knows
/// nothing of workers, calls or flows.
class Host {
 public:
  Host() = default;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  virtual ~Host() = default;

  // Asked on the thread `ps-control` only. Quick (well below a millisecond), never blocking.

  [[nodiscard]] virtual metrics::Schema schema() = 0;
  /// Grows whenever a new schema() would differ: threads, pins, rates, sampling, `written`.
  [[nodiscard]] virtual std::uint64_t schema_revision() = 0;
  [[nodiscard]] virtual metrics::Sample sample() = 0;
  /// Why the binary takes no work now; none: it does.
  [[nodiscard]] virtual std::optional<std::string> not_ready() = 0;

  // Asked on the thread `ps-command` only, one at a time. May block until the setting is in force,
  // at most about a second. Names are known and numbers in range when these are called; what they
  // still refuse is what only the running binary knows (an absent CPU, threads that cannot start).

  /// 1 to 1024 threads.
  [[nodiscard]] virtual Outcome<Setting> resize_pool(const std::string& pool, int threads) = 0;
  /// `cpus` empty: anywhere. Ids 0 to 1023, maybe absent on this machine.
  [[nodiscard]] virtual Outcome<Pinning> pin(const std::string& pool, int thread,
                                             const std::vector<int>& cpus) = 0;
  /// Lets the threads of a pool come and go within these bounds, 1 to 1024 and not the wrong way
  /// round; none: within those that it has.
  [[nodiscard]] virtual Outcome<Adapting> adapt_pool(const std::string& pool,
                                                     const std::optional<Bounds>& bounds) = 0;
  /// Its threads stay as they are.
  [[nodiscard]] virtual Outcome<Adapting> rest_pool(const std::string& pool) = 0;
  /// Lets the rule that watches this flow or service work, or rest.
  [[nodiscard]] virtual Outcome<Ruling> set_rule(const std::string& of, bool on) = 0;
  /// 0 (paused) to 1e9 events a second.
  [[nodiscard]] virtual Outcome<Setting> set_source(const std::string& flow, double per_second) = 0;
  /// 0 (off) to 128 sampled calls in 128.
  [[nodiscard]] virtual Outcome<Setting> set_sampling(int per128) = 0;
  /// Puts a join into the slot before a stage, or changes the one that is there: events that come
  /// from now on go through it, those that wait in the old one are run by its threads. Refused for
  /// a `sync-remote` stage (also one fused behind) that would run on a pool of one thread.
  [[nodiscard]] virtual Outcome<Joined> set_join(const std::string& flow, const std::string& stage,
                                                 const Join& join) = 0;
  /// Takes the join out: the stage runs fused behind the one before it. Refused as set_join().
  [[nodiscard]] virtual Outcome<Joined> remove_join(const std::string& flow,
                                                    const std::string& stage) = 0;

  // Asked on the threads `ps-ask`, a few at a time.

  /// Asks a service and waits for its answer, at most as long as the deadline says.
  [[nodiscard]] virtual Outcome<Asked> ask(const Asking& asking) = 0;
};

// Commands as they come in, each with the question to the host that it is. Members called `pool`,
// `thread`, `flow`, `stage` and `rule` name things of the binary, and are looked up before it is
// asked.

struct ResizePool {
  std::string pool;
  int threads = 0;
  [[nodiscard]] Outcome<Setting> ask(Host& host) const { return host.resize_pool(pool, threads); }
};
struct PinThread {
  std::string pool;
  int thread = 0;
  std::vector<int> cpus;
  [[nodiscard]] Outcome<Pinning> ask(Host& host) const { return host.pin(pool, thread, cpus); }
};
struct AdaptPool {
  std::string pool;
  bool on = true;
  std::optional<Bounds> bounds;
  [[nodiscard]] Outcome<Adapting> ask(Host& host) const {
    return on ? host.adapt_pool(pool, bounds) : host.rest_pool(pool);
  }
};
struct SetRule {
  std::string rule;  ///< what it watches
  bool on = true;
  [[nodiscard]] Outcome<Ruling> ask(Host& host) const { return host.set_rule(rule, on); }
};
struct SetSource {
  std::string flow;
  double per_second = 0;
  [[nodiscard]] Outcome<Setting> ask(Host& host) const { return host.set_source(flow, per_second); }
};
struct SetSampling {
  int per128 = 0;
  [[nodiscard]] Outcome<Setting> ask(Host& host) const { return host.set_sampling(per128); }
};
struct SetJoin {
  std::string flow;
  std::string stage;
  Join join;
  [[nodiscard]] Outcome<Joined> ask(Host& host) const { return host.set_join(flow, stage, join); }
};
struct RemoveJoin {
  std::string flow;
  std::string stage;
  [[nodiscard]] Outcome<Joined> ask(Host& host) const { return host.remove_join(flow, stage); }
};
struct AskService {
  Asking asking;
  [[nodiscard]] Outcome<Asked> ask(Host& host) const { return host.ask(asking); }
};
/// Not a command to the binary: how closely this client looks (100 ms or 1 s between samples).
struct Watch {
  bool close = true;
};

using Command = std::variant<ResizePool, PinThread, AdaptPool, SetRule, SetSource, SetSampling,
                             SetJoin, RemoveJoin, AskService, Watch>;

}  // namespace penstock::control
