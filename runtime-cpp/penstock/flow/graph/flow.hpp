#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "penstock/flow/event/chunk.hpp"
#include "penstock/flow/event/event_store.hpp"
#include "penstock/flow/graph/segment.hpp"
#include "penstock/flow/graph/stage.hpp"
#include "penstock/flow/graph/trace.hpp"

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
  /// `besides` so many that are gathered and not on their way yet.
  [[nodiscard]] bool has_room(std::uint64_t besides = 0) const noexcept;
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
  /// The same with what it makes of a value. Emitted by a quick handler, or several, one after the
  /// other, events that carry nothing else go on their way together, once the handler has returned.
  /// Throws std::bad_alloc.
  template <class T>
  void push(T value) {
    if constexpr (moves_safely<T>) {
      exec::Worker* const here = exec::Worker::current();
      if (here != nullptr && chunk_entry_ != nullptr && chunk_entry_->takes == &value_type<T>) {
        if (void* const place = place_for_next(*here)) {
          ::new (place) T(std::move(value));
          return;
        }
      }
    }
    Event& event = make_event();
    event.set_value(std::move(value));
    emit(event);
  }
  /// emit() of a thread that owes several events and sends them together: what it has gathered
  /// waits for flush(). The thread has counters of its own.
  void emit(Event& event, Gather& gather) noexcept;
  void flush(Gather& gather) noexcept { send(gather, nullptr); }
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
    metrics::SampledCounter units;  ///< that were emitted: an event, or a chunk of them

    [[nodiscard]] std::uint32_t of(End how) const noexcept {
      return how == End::completed ? completed : how == End::failed ? failed : dropped;
    }
  };
  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }

  // --- for who takes values to another binary (Afar), on the worker that has them ---

  /// Null: there is no memory.
  [[nodiscard]] Chunk* chunk_or_null() noexcept;
  void give_back(Chunk& chunk) noexcept { chunks_.give_back(chunk); }
  [[nodiscard]] std::uint32_t most_in_chunk() const noexcept { return most_in_chunk_; }
  [[nodiscard]] std::byte* value_in(Chunk& chunk, std::uint32_t at) const noexcept {
    return chunk.values() + at * stride_;
  }
  /// So many values of the chunk wait to be taken, which holds back the source, until
  /// exec::Pool::took_room().
  void keep_room(Chunk& chunk, std::uint32_t values) noexcept;
  /// The value at this place, still what its stage takes, has failed there: an event for
  /// came_back(). Null: without memory, it was dropped.
  [[nodiscard]] Event* fail_afar(Stage& stage, Chunk& chunk, std::uint32_t at, ErrorCode code,
                                 std::string_view text) noexcept;
  /// What came of a chunk's values, a bit each.
  struct Afterwards {
    std::uint64_t goes_on = 0;   ///< they are what the stage gives
    std::uint64_t ended = 0;     ///< they are gone
    mailbox::LocalQueue failed;  ///< of fail_afar()
    bool is_all = false;         ///< nothing of the chunk is left after this
  };
  /// Goes on behind the stage, in a job of the worker. The chunk is given back where that is all.
  void came_back(Stage& stage, Chunk& chunk, Afterwards& afterwards) noexcept;

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
  friend struct Gather;
  friend void resume_after_stage(Event& event) noexcept;

  /// Events and chunks that are to run on this worker, one after another.
  struct Agenda {
    mailbox::LocalQueue jobs;
    void add(exec::Job& event_or_chunk) noexcept { jobs.push(event_or_chunk); }
    [[nodiscard]] exec::Job* take() noexcept { return static_cast<exec::Job*>(jobs.pop()); }
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
    if (event.is(Event::kDeadline | Event::kHolding)) [[unlikely]]
      return nullptr;
    return segment_at(*event.stage, here);
  }
  [[nodiscard]] Segment* segment_at(Stage& first, exec::Worker& here) noexcept {
    auto* const segment = static_cast<Segment*>(here.object(first.segment_slot));
    // Acquire: with the version we see the joins.
    const std::uint64_t version = version_.load(std::memory_order_acquire);
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

  // Several at once: gathered (gather.cpp),
  /// Where what leaves a stage, or the source, goes on.
  struct Hop {
    Stage* to = nullptr;
    exec::Pool* pool = nullptr;  ///< of the join before it; null: it runs here
    exec::Worker* only = nullptr;
    exec::Pool* keeps_room_of = nullptr;
    Agenda* agenda = nullptr;  ///< of what runs here
  };
  /// Null: the event is to go alone.
  [[nodiscard]] void* place_for_next(exec::Worker& here) noexcept {
    auto* const gather = static_cast<Gather*>(here.gathered());
    const call::Activation* const pusher = call::current_activation();
    if (gather != nullptr && gather->flow == this && gather->count < gather->most &&
        pusher != nullptr && !carries_context(*pusher)) [[likely]] {
      return gather->chunk->values() + gather->count++ * stride_;
    }
    return open_place(here);
  }
  [[nodiscard]] static bool carries_context(const call::Activation& pusher) noexcept {
    const Context& context = pusher.context;
    return context.deadline_ns != 0 || context.trace.present() || context.baggage;
  }
  [[nodiscard]] void* open_place(exec::Worker& here) noexcept;
  [[nodiscard]] void* place_in(Gather& gather) noexcept;
  void count_emitted(metrics::Shard& shard, std::uint32_t values) const noexcept;
  [[nodiscard]] static exec::Pool& pool_before(const Stage& first, exec::Worker*& only) noexcept;
  static void on_job_ended(exec::Worker::Gathered& gathered, exec::Worker& here,
                           const exec::Job* next) noexcept;
  void send(Gather& gather, exec::Worker* here) noexcept;

  // sent (send_chunk.cpp),
  [[nodiscard]] static std::uint32_t most_at_once(const Stage& to, const exec::Pool* pool) noexcept;
  void send(Chunk& chunk, const Hop& hop) noexcept;
  void send_alone(Chunk& chunk, std::uint32_t at, const Hop& hop) noexcept;
  static void queue(Chunk& chunk, const Hop& hop) noexcept;
  [[nodiscard]] Event* part(std::byte* value, const ValueType& type, const Chunk& of,
                            std::uint32_t at) noexcept;
  static void belongs_to(Event& event, const Chunk& of, std::uint32_t at) noexcept;
  static void take_times(Event& event, Chunk& chunk) noexcept;
  void end_values(const Chunk& of, std::uint32_t from, std::uint32_t to, End how) noexcept;
  void lose_sent(const Stage& stage, const Chunk& of, std::uint32_t at) noexcept;
  static void leave_queue(Chunk& chunk) noexcept;
  void destroy_values(Chunk& chunk, const ValueType& type) const noexcept;
  static void on_chunk_refused(exec::Request& request) noexcept;
  static exec::Pool* entry_for_chunk(const exec::Request& request) noexcept;
  static constexpr exec::Request::Owner kChunkOwner{&on_chunk_refused, &entry_for_chunk};

  // taken through a segment (run_chunk.cpp),
  static void on_chunk(exec::Job& job) noexcept;
  void run_here(Chunk& chunk, exec::Worker& here, Agenda& agenda) noexcept;
  [[nodiscard]] bool give_spare(Segment& segment) noexcept;
  void take_apart(Chunk& chunk, exec::Worker& here) noexcept;
  void run_chunk(Segment& segment, Chunk& chunk, exec::Worker& here, Agenda& agenda) noexcept;
  void leave_segment(Segment& segment, Chunk& chunk, exec::Worker& here, Agenda& agenda) noexcept;

  // step by step (run_row.cpp),
  [[nodiscard]] std::uint32_t run_step(Segment& segment, std::uint32_t at, Row& row, Chunk& chunk,
                                       mailbox::LocalQueue& failed) noexcept;
  [[nodiscard]] std::uint32_t run_chain(Segment& segment, std::uint32_t at, Row& row, Chunk& chunk,
                                        mailbox::LocalQueue& failed) noexcept;
  /// How far a row was.
  struct Place {
    std::uint32_t taken = 0;
    std::uint32_t made = 0;
  };
  void follow(Segment& segment, Chunk& chunk, Place before, const Row& row,
              std::uint32_t threw) noexcept;
  void fail(Segment& segment, std::uint32_t at, Row& row, const Chunk& chunk,
            mailbox::LocalQueue& failed) noexcept;
  void set_apart(Segment& segment, std::uint32_t at, std::uint32_t behind, Row& row,
                 const Chunk& chunk, std::uint32_t count, mailbox::LocalQueue& apart) noexcept;

  // and divided where several ways go on (divide_chunk.cpp).
  struct Ways;
  void divide(Stage& last, Chunk& chunk, exec::Worker& here, Agenda& agenda) noexcept;
  [[nodiscard]] bool make_pieces(Chunk& chunk, const Ways& ways) noexcept;
  void take_values(Chunk& row, Chunk& from, std::uint64_t takes, std::uint64_t elsewhere,
                   const ValueType& type) noexcept;
  void go_together(Chunk& row, Stage& to, exec::Worker& here, Agenda& agenda) noexcept;
  void go_alone(Chunk& chunk, std::uint32_t at, const ValueType& type, bool copies, Stage& to,
                exec::Worker& here, Agenda& agenda) noexcept;
  [[nodiscard]] Event* copy_of(const std::byte* value, const ValueType& type, const Chunk& of,
                               std::uint32_t at) noexcept;
  void go_on_one_by_one(Stage& last, Chunk& chunk, exec::Worker& here, Agenda& agenda) noexcept;

  // Another binary runs a stage (afar.cpp).
  [[nodiscard]] bool take_afar(Event& event) noexcept;
  void go_on_behind(Stage& stage, Chunk& chunk, exec::Worker& here, Agenda& agenda) noexcept;
  [[nodiscard]] Chunk* take_out(Chunk& chunk, std::uint64_t values, const ValueType& type) noexcept;

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
  /// Of an event for a stage where chunks may come, whose value is of the type that it takes.
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
  static void end_locals(Event& event) noexcept;
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
  Stage* chunk_entry_ = nullptr;  // where every event enters, if chunks may come there
  std::size_t stride_ = 0;        // from value to value in a chunk
  std::uint32_t most_in_chunk_ = 1;
  std::uint32_t gather_slot_ = 0;  // where a worker keeps what it gathers
  ChunkStore chunks_;

  const std::string name_;
  std::deque<Stage> stages_;
  std::vector<Link> entry_;
  Counters counters_;

  std::atomic<bool> follow_next_{false};
  std::mutex traces_;
  std::shared_ptr<const Trace> last_trace_;
};

}  // namespace penstock::flow
