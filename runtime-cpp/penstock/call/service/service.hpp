#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "penstock/base/defaults.hpp"
#include "penstock/base/error.hpp"
#include "penstock/base/name.hpp"
#include "penstock/base/time.hpp"
#include "penstock/call/activation/activation.hpp"
#include "penstock/call/service/partition.hpp"
#include "penstock/exec/pool.hpp"
#include "penstock/metrics/registry.hpp"

namespace penstock {

/// What a service's handler does with its thread (design: the words page).
enum class Kind : std::uint8_t { simple, single_threaded, sync_remote, async_remote };

/// `single-threaded`, as in the topology.
[[nodiscard]] std::string_view to_string(Kind kind) noexcept;

namespace call {

struct CallSite;
struct Frame;
struct Service;

/// Makes one stub of a new handler object ask at a site.
struct Wire {
  void (*set)(void* calls, const Wire& wire) = nullptr;
  const CallSite* site = nullptr;
  /// Which member of the calls is the stub: a pointer to a member, which only `set` knows the type
  /// of.
  alignas(void*) std::array<std::byte, sizeof(int CallSite::*)> member{};
};

/// How a request ended.
enum class Ending : std::uint8_t {
  served,   ///< by what the handler gave or threw, while somebody wanted it
  expired,  ///< its deadline passed before that: in the queue, or while the handler ran
  skipped,  ///< nobody wanted it any more
  refused,  ///< by a full queue, or a pool that stops
};
inline constexpr std::uint32_t kUnservedEndings = 3;

/// Of a sampled request.
struct Times {
  Nanos wait = -1;  ///< for its turn and in the queue; below 0: not sampled
  Nanos run = -1;   ///< from the start of the handler to its end; below 0: it was not run
};

/// Ids of the three timers that sampled requests are taken by.
struct Timers {
  std::uint32_t latency = 0;  ///< both parts
  std::uint32_t wait = 0;     ///< of those that a queue lay before
  std::uint32_t run = 0;

  Timers() = default;
  explicit Timers(metrics::Registry& registry) noexcept
      : latency(registry.add_timer()), wait(registry.add_timer()), run(registry.add_timer()) {}
  /// Of so many `requests`. `shard` is the thread's.
  void record(metrics::Shard& shard, Times times, std::uint32_t requests = 1) const noexcept {
    shard.record(latency, times.run < 0 ? times.wait : times.wait + times.run, requests);
    if (times.wait != 0) shard.record(wait, times.wait, requests);
    if (times.run >= 0) shard.record(run, times.run, requests);
  }
};

/// How long a handler runs of late, by its sampled requests. Any thread.
class Pace {
 public:
  void note(Nanos run) noexcept;
  /// Nanoseconds; very many while nothing is known.
  [[nodiscard]] Nanos ns() const noexcept { return ns_.load(std::memory_order_relaxed); }
  /// What comes behind it may wait until it is done.
  [[nodiscard]] bool quick() const noexcept { return ns() <= defaults::kChunkNanos; }

 private:
  // Relaxed: one of two that write at once is lost.
  std::atomic<Nanos> ns_{std::numeric_limits<Nanos>::max() / defaults::kMostInChunk};
};

/// One handler class of a service, as the binary runs it. Set up before the first thread starts,
/// only read afterwards.
struct Implementation {
  /// What the templates of registration know about the handler class.
  struct Type {
    void* (*create)() = nullptr;
    void (*destroy)(void* handler) noexcept = nullptr;
    /// Asks the handler; ends in finish(frame), at once or when its coroutine is done. Throws what
    /// a plain handler throws.
    void (*serve)(Frame& frame, void* handler) = nullptr;
    bool coroutine = false;
    /// Plain handlers only: asks the handler for `*request` and makes the answer in the memory at
    /// `response`. Throws what the handler throws.
    void (*direct)(void* handler, const void* request, void* response) = nullptr;
    /// Partitioned only: the number that stands for the value that divides requests, and where a
    /// call has its request.
    std::uint64_t (*key)(const void* request) noexcept = nullptr;
    const void* (*request_of)(const Frame& frame) noexcept = nullptr;
    /// Tells the class of its stubs apart, and finds them in an object; null when it asks nobody.
    const void* calls_tag = nullptr;
    void* (*calls_of)(void* handler) = nullptr;
    /// Gives an object what it shares with the others of its class; null when it shares nothing.
    void (*set_shared)(void* handler, void* shared) = nullptr;
  };

  /// What few have, and nobody looks for at each request.
  struct Extras {
    Name name;  ///< where its service has several
    /// The stubs of its handler objects, and what they share; null when they share nothing.
    std::vector<Wire> wiring;
    void* shared = nullptr;
    /// Give a handler object the flows that it pushes into.
    std::vector<std::function<void(void* handler)>> inlets;
    /// A handler object that belongs to somebody else, for all threads; null: made as needed.
    void* borrowed = nullptr;
  };

  /// Shared by all implementations of one class.
  const Type& type;
  Service* service = nullptr;
  std::uint32_t index = 0;         ///< within the service
  std::uint32_t slot = 0;          ///< within the binary: where a worker keeps its handler object
  std::unique_ptr<Extras> extras;  ///< null: it has none

  /// `single-threaded` only: the objects of the service's partitions, each made by the first holder
  /// of its right. Null: there are no partitions.
  std::unique_ptr<void*[]> objects;

  // Ids in the registry.
  std::uint32_t sent = 0;  ///< events (calls count at their sites); 0: no flow has it
  std::uint32_t done = 0;
  metrics::RareCounter errors;  ///< the first of kErrorCodes counters, one a code
  metrics::RareCounter stuck;   ///< times that the watchdog reported it
  /// The first of kUnservedEndings counters, in their order; they count as done as well.
  metrics::RareCounter unserved;
  Timers timers;
  mutable Pace pace;
  /// Counters of runs as stages of flows: those that count as sent and done at once, and those that
  /// count as done. Null: no flow has it.
  struct Runs {
    std::vector<std::uint32_t> whole;
    std::vector<std::uint32_t> ends;
    /// Timers of those stages, which stand for the implementation's as well.
    std::vector<Timers> timers;
  };
  std::unique_ptr<Runs> runs;

  /// `kind` outlives it.
  explicit Implementation(const Type& kind) noexcept : type(kind) {}
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;
  ~Implementation();

  /// Empty where its service has no other one.
  [[nodiscard]] Name name() const noexcept { return extras == nullptr ? Name() : extras->name; }
  /// Before the first thread starts. Throws std::bad_alloc.
  [[nodiscard]] Extras& give_extras();
  /// The handler object for code on this worker, or, where the service has partitions, for the
  /// holder of the right of `place`; makes it at its first use. Throws what the handler's
  /// constructor throws.
  [[nodiscard]] void* handler_on(exec::Worker& worker, std::uint32_t place) {
    if (void* const known = worker.object(slot)) [[likely]]
      return known;
    return find_handler(worker, place);
  }
  [[nodiscard]] void* handler_at(std::uint32_t place);
  /// Destroys the objects of its service's partitions. What those ask ends with `unavailable`: all
  /// threads of all pools have stopped, and the pools are still there.
  void end_objects() noexcept;
  /// Requests that were done, with or without error; events that came. Any thread.
  [[nodiscard]] std::uint64_t done_count() const;
  [[nodiscard]] std::uint64_t sent_events() const;
  /// Before the first thread starts.
  void add_runs(std::uint32_t whole, std::uint32_t ends, const Timers& of_stage);
  /// All timers that one of its figures is formed of.
  [[nodiscard]] std::vector<std::uint32_t> timers_of(std::uint32_t Timers::*part) const;
  /// Counts an answer. On any thread.
  void count_done(const ErrorCode* error, Ending how, Times times) const noexcept;
  /// Counts answers to requests that are not sampled, and went well. On any thread.
  void count_served(std::uint32_t requests) const noexcept;
  [[nodiscard]] metrics::RareCounter counter_of(Ending unserved_ending) const noexcept {
    return unserved + (static_cast<std::uint32_t>(unserved_ending) - 1);
  }

 private:
  void* find_handler(exec::Worker& worker, std::uint32_t place);
  [[nodiscard]] std::uint64_t sum(const std::vector<std::uint32_t>& counters) const;
};

/// A service's implementations, which are hardly ever more than one: that one is kept without a
/// list, and shares, of its own.
class Implementations {
 public:
  Implementations() = default;
  Implementations(const Implementations&) = delete;
  Implementations& operator=(const Implementations&) = delete;
  ~Implementations();

  /// `type` outlives it. Throws std::bad_alloc.
  Implementation& add(const Implementation::Type& type);
  /// What each gets of the requests that name none, in their order; all 0: the same.
  void set_shares(const std::vector<std::int32_t>& shares);
  /// One of them, by its share.
  [[nodiscard]] Implementation& draw() const noexcept;

  [[nodiscard]] bool several() const noexcept { return list_ != nullptr; }
  [[nodiscard]] std::uint32_t size() const noexcept {
    if (several()) return static_cast<std::uint32_t>(list_->all.size());
    return first_ != nullptr ? 1 : 0;
  }
  [[nodiscard]] Implementation* const* begin() const noexcept {
    return several() ? list_->all.data() : &first_;
  }
  [[nodiscard]] Implementation* const* end() const noexcept { return begin() + size(); }
  [[nodiscard]] Implementation* front() const noexcept { return first_; }
  [[nodiscard]] Implementation* operator[](std::size_t index) const noexcept {
    return begin()[index];
  }

 private:
  struct List {
    std::vector<Implementation*> all;    // the first one, too
    std::vector<std::uint32_t> weights;  // cumulated, one an implementation; none: equal shares
  };

  Implementation* first_ = nullptr;
  std::unique_ptr<List> list_;  // null while there is just the first one
};

/// A service as the binary runs it.
struct Service {
  static constexpr int kAnyThread = -1;
  /// No thread of the pool: a call begins on the worker that makes it, and goes on elsewhere.
  static constexpr int kWhereCalled = -2;
  /// Another binary runs it.
  [[nodiscard]] bool is_remote() const noexcept { return thread == kWhereCalled; }
  /// This binary runs it as the drawing has it.
  [[nodiscard]] bool is_drawn() const noexcept { return !is_remote() && stands_for == nullptr; }

  Name name;
  exec::Pool* pool = nullptr;
  Nanos deadline_ns = 0;    ///< for one answer; 0: none
  int thread = kAnyThread;  ///< of the pool
  /// The first implementation that a caller can ask by itself: of a service of another binary, the
  /// one before lets that one choose.
  std::uint8_t first_named = 0;
  Kind kind = Kind::simple;
  /// A cycle of waits could go through it: its waits are listed (wait_graph.hpp). May become true
  /// when a join changes.
  std::atomic<bool> listed{false};
  /// Of what stands for a stage in another binary, and of what that asks there: the service that
  /// runs it there, and is drawn.
  const Service* stands_for = nullptr;
  metrics::Registry* registry = nullptr;
  /// `single-threaded` only: where its requests take turns.
  Partitions partitions;
  Implementations implementations;
  /// Who asks it: the first of its sites, each of which has the next one.
  const CallSite* sites = nullptr;
  /// Requests that came from outside, and for which no site of its callee's counts. Any thread.
  mutable std::atomic<std::uint64_t> asked{0};

  [[nodiscard]] Implementation& choose() const noexcept {
    if (!implementations.several()) [[likely]]
      return *implementations.front();
    return implementations.draw();
  }
  /// Those that a caller who asks each of them asks.
  [[nodiscard]] std::span<Implementation* const> each() const noexcept {
    return {implementations.begin() + first_named, implementations.end()};
  }
  /// Where a call has to take its turn, or an event whose stage asks with `request`; null: nowhere.
  [[nodiscard]] Partition* partition_of(const Frame& frame) const noexcept {
    if (!partitions.exist()) return nullptr;
    if (!partitions.several()) return &partitions.at(0);
    const Implementation::Type& type = implementations.front()->type;
    return &partitions.of(type.key(type.request_of(frame)));
  }
  [[nodiscard]] Partition* partition_of(const void* request) const noexcept {
    if (!partitions.exist()) return nullptr;
    if (!partitions.several()) return &partitions.at(0);
    return &partitions.of(implementations.front()->type.key(request));
  }
  [[nodiscard]] exec::Worker* only_worker() const noexcept {
    return thread < 0 ? nullptr : &pool->worker(static_cast<unsigned>(thread));
  }
  /// Requests that came, calls and events, and those that were done, with or without error. Any
  /// thread; who takes the second first finds no more done than came.
  [[nodiscard]] std::uint64_t sent_count() const;
  [[nodiscard]] std::uint64_t done_count() const;
};

inline void Activation::begin(exec::Worker& here) noexcept {
  worker.store(&here, std::memory_order_relaxed);
  may_block = implementation->service->kind == Kind::sync_remote;
  listed = implementation->service->listed.load(std::memory_order_relaxed);
}

struct Direct;

/// A drawn call: what a stub points at.
struct CallSite {
  Service* callee = nullptr;
  // Ids in the registry.
  metrics::SampledCounter count;
  metrics::RareCounter errors;
  const CallSite* next = nullptr;  ///< of the callee's
  /// What its inline calls found out (direct.hpp).
  mutable std::atomic<const Direct*> direct;

  CallSite() noexcept;
  CallSite(const CallSite&) = delete;
  CallSite& operator=(const CallSite&) = delete;
  ~CallSite();
};

inline void Implementation::count_done(const ErrorCode* error, Ending how,
                                       Times times) const noexcept {
  metrics::Shard& shard = service->registry->shard();
  shard.add(done);
  if (error != nullptr) shard.add(errors + static_cast<std::uint32_t>(*error));
  if (how != Ending::served) [[unlikely]]
    shard.add(counter_of(how));
  if (times.wait >= 0) [[unlikely]]
    timers.record(shard, times);
  if (times.run >= 0) pace.note(times.run);
}

inline void Implementation::count_served(std::uint32_t requests) const noexcept {
  service->registry->shard().add(done, requests);
}

/// Puts an object into a slot of the worker, where it stays as long as the thread, which then ends
/// it. On the worker's thread. Throws std::bad_alloc, and what `make` throws.
void* keep_on(exec::Worker& worker, std::uint32_t slot, void* (*make)(const void* from),
              const void* from, void (*destroy)(void*) noexcept);

/// Adds a service's counters to the registry and gives its implementations their slots and, if it
/// is single-threaded, partitions to it. Before the registry starts. `slots` grows.
void enroll(Service& service, metrics::Registry& registry, std::uint32_t& slots);
/// Adds the counters of a site, whose callee is known, to the registry. Before that starts. What
/// the site asks counts as having come to its callee; who counts that needs both.
void enroll(CallSite& site, metrics::Registry& registry);

/// Makes the handler objects that requests on this worker will find. Of a `single-threaded` service
/// the first of its workers makes them, and of one with several partitions nobody does: each waits
/// for its values. One that throws is made anew by its first request, whose caller gets the error.
/// On the worker's thread, before it runs anything.
void make_handlers(const Service& service, exec::Worker& worker) noexcept;

/// Hands a request that has got the right of `partition` at once to a worker of its pool.
void submit_granted(exec::Request& request, const Implementation& implementation,
                    const Partition& partition) noexcept;
/// Gives up the right of `place`. Whoever gets it runs here when it belongs here, else where it
/// belongs.
void pass_on(const Implementation& implementation, std::uint32_t place) noexcept;
/// pass_on() for a request that had the right and was refused before it ran, on a thread that may
/// be in the middle of something else: whoever gets the right runs where it belongs.
void give_back(const Implementation& implementation, std::uint32_t place) noexcept;
/// pass_on(), or nothing where the service has no partitions.
inline void leave(const Implementation& implementation, std::uint32_t place) noexcept {
  if (implementation.objects != nullptr) pass_on(implementation, place);
}

}  // namespace call
}  // namespace penstock
