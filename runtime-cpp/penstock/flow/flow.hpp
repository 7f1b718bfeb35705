#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "penstock/flow/event_store.hpp"
#include "penstock/flow/segment.hpp"
#include "penstock/flow/stage.hpp"
#include "penstock/flow/trace.hpp"

namespace penstock::flow {

/// A graph of stages that events go through. Its stages and links are set up before the first
/// thread starts; the joins in its slots may change at any time.
///
/// An event belongs to one thread at a time and is moved from stage to stage, never shared; where
/// several stages follow one, all but the last get a copy. A stage without a join runs as a plain
/// call on the thread of the stage before it.
class Flow {
 public:
  explicit Flow(std::string name) : name_(std::move(name)) {}
  Flow(const Flow&) = delete;
  Flow& operator=(const Flow&) = delete;
  ~Flow() = default;

  // --- before start ---

  /// A new last stage; it follows the one before it unless its `after` is changed.
  Stage& add_stage();
  /// Makes room for values of this size.
  void fit(std::size_t bytes) noexcept {
    if (bytes > value_bytes_) value_bytes_ = bytes;
  }
  /// Once all stages are there: counters, and the ways between them. `slots` are those of workers
  /// for objects (exec::Worker::object); it grows.
  void enroll(metrics::Registry& registry, std::uint32_t& slots);

  // --- any thread ---

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::deque<Stage>& stages() noexcept { return stages_; }
  [[nodiscard]] const std::deque<Stage>& stages() const noexcept { return stages_; }
  [[nodiscard]] metrics::Registry& registry() const noexcept { return *registry_; }
  [[nodiscard]] std::size_t value_bytes() const noexcept { return value_bytes_; }

  /// Puts a join before a stage, changes or, with null, removes it. One thread at a time.
  void set_join(Stage& stage, exec::Pool* pool) noexcept;

  /// Where events enter now: the first stage's join, or the pool of its service.
  [[nodiscard]] exec::Pool& entry() const noexcept;
  /// Whether a source may emit: only a full queue with overflow `block` holds it back.
  [[nodiscard]] bool has_room() const noexcept;
  /// Blocks the calling thread, no worker, until has_room(), or `give_up` and a wake_source().
  void wait_for_room(const std::atomic<bool>& give_up) const noexcept;
  void wake_source() noexcept;

  /// An event without value. Throws std::bad_alloc.
  [[nodiscard]] Event& make_event() {
    Event& event = take_event(value_bytes_);
    // Where an event ended in a segment this one is left as it was.
    event.type = nullptr;
    event.run = &on_job;
    event.owner = &kOwner;
    return event;
  }
  /// One that was not emitted, or is at its end.
  void free_event(Event& event) noexcept;
  /// Sends an event with its value on its way; never runs a stage on the calling thread. Emitted by
  /// a handler it carries the trace, the baggage and the deadline of what the handler serves.
  void emit(Event& event) noexcept;
  /// The source could not make an event.
  void count_failed_source() noexcept;
  /// The source had an event that the flow could not take.
  void count_refused() noexcept;

  struct Counters {
    std::uint32_t emitted = 0;
    std::uint32_t completed = 0;
    std::uint32_t failed = 0;
    std::uint32_t dropped = 0;
    std::uint32_t latency = 0;
  };
  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }
  /// The way of the sampled event that ended last of those that were followed; null: none yet. Asks
  /// for another one to be followed.
  [[nodiscard]] std::shared_ptr<const Trace> follow_events();
  /// Whether stages run fused behind this one, which itself has a queue before it.
  [[nodiscard]] bool begins_virtual_stage(const Stage& stage) const noexcept;
  /// Events that went through a stage.
  [[nodiscard]] std::uint64_t runs(const Stage& stage) const {
    return registry_->count(stage.count) + registry_->count(stage.plain_ends) +
           registry_->count(stage.plain_runs);
  }

 private:
  friend void resume_after_stage(Event& event) noexcept;

  /// Events that are to run on this worker, one after another.
  struct Agenda {
    mailbox::LocalQueue events;
    void add(Event& event) noexcept { events.push(event); }
    [[nodiscard]] Event* take() noexcept { return static_cast<Event*>(events.pop()); }
  };
  /// Where an event comes from.
  struct Origin {
    exec::Worker* worker = nullptr;  ///< null: a thread from outside
    bool fuses = false;              ///< the next stage may run on that worker, as a plain call
  };

  void link_stages();
  void begin_sampled(Event& event) noexcept;
  void take_context(Event& event, const Context& from) noexcept;
  void mark_plain_stages();

  /// Null: the event goes from stage to stage.
  [[nodiscard]] Segment* segment_for(const Event& event, exec::Worker& here) noexcept {
    Stage& first = *event.stage;
    auto* const segment = static_cast<Segment*>(here.object(first.segment_slot));
    // Acquire: with the version we see the joins.
    const std::uint64_t version = version_.load(std::memory_order_acquire);
    if (event.is(Event::kDeadline | Event::kHolding)) [[unlikely]]
      return nullptr;
    if (segment != nullptr && segment->version == version) [[likely]]
      return segment;
    return remake_segment(first, version, here);
  }
  [[nodiscard]] Segment* remake_segment(Stage& first, std::uint64_t version,
                                        exec::Worker& here) noexcept;
  [[nodiscard]] bool run_segment(Segment& segment, Event& event) noexcept;
  template <bool kTimed>
  [[nodiscard]] static const Segment::Step* run_steps(Segment& segment, Event& event,
                                                      call::Activation& activation,
                                                      void*& value) noexcept;
  [[nodiscard]] static const Segment::Step* run_with_extras(Segment& segment, Event& event,
                                                            void*& value) noexcept;
  static void take_times(const Segment::Step& step, Event& event) noexcept;
  /// Of a sampled event: it begins to run where it is; it leaves the virtual stage that it is in.
  static void begin_timed(Timing& timing, const Stage& stage) noexcept;
  void leave_fused(Event& event, Nanos at) noexcept;
  void leave_segment(Segment& segment, Event& event, Agenda& agenda) noexcept;
  void go_on_slowly(Segment& segment, Event& event) noexcept;
  void run_slowly(Event& event) noexcept;
  void run(Agenda& agenda, exec::Worker& here) noexcept;
  [[nodiscard]] bool run_stage(Event& event, exec::Worker& here) noexcept;
  void leave_stage(Event& event, exec::Worker& here, Agenda& agenda) noexcept;
  void depart(Event& event, const std::vector<Link>& links, Origin origin, Agenda& agenda) noexcept;
  void send_copy(Event& event, Stage& to, Origin origin, Agenda& agenda) noexcept;
  void send(Event& event, Stage& to, Origin origin, Agenda& agenda) noexcept {
    if (approach(event, to, origin)) agenda.add(event);
  }
  [[nodiscard]] bool approach(Event& event, Stage& to, Origin origin) noexcept;
  /// Of an event for a plain stage, whose value is of the type that the stage takes.
  static void queue(Event& event, Stage& to, exec::Pool& pool, exec::Pool* keeps_room_of) noexcept {
    event.stage = &to;
    event.mark(Event::kAsStage);
    event.keeps_room_of = keeps_room_of;
    if (pool.submit(event) == exec::Admission::refused) [[unlikely]]
      on_refused(event);
  }
  static void leave_queue(Event& event) noexcept;
  [[nodiscard]] bool take_turn(Event& event, call::Partition& partition, exec::Pool* pool,
                               Origin origin) noexcept;
  void end(Event& event, End how) noexcept;
  void begin_trace(Event& event) noexcept;
  void end_trace(Event& event, End how) noexcept;
  static void stop_waiting(Event& event) noexcept;
  static void on_job(exec::Job& job) noexcept;
  static void on_refused(exec::Request& request) noexcept;
  static exec::Pool* entry_for(const exec::Request& request) noexcept;
  static constexpr exec::Request::Owner kOwner{&on_refused, &entry_for};

  // What every event looks at.
  std::atomic<std::uint64_t> version_{1};  // of the joins
  std::size_t value_bytes_ = 0;
  metrics::Registry* registry_ = nullptr;
  Stage* plain_entry_ = nullptr;  // where every event enters, if that is a plain stage

  const std::string name_;
  std::deque<Stage> stages_;
  std::vector<Link> entry_;
  Counters counters_;

  std::atomic<bool> follow_next_{false};
  std::mutex traces_;
  std::shared_ptr<const Trace> last_trace_;
};

}  // namespace penstock::flow
