#include "penstock/flow/graph/flow.hpp"

#include <new>
#include <optional>

#include "penstock/call/frame/frame.hpp"

namespace penstock::flow {

exec::Pool& Flow::entry() const noexcept {
  const Stage& first = entry_.empty() ? stages_.front() : *entry_.front().to;
  // Who sees the pool sees its threads. seq_cst: see wait_for_room().
  exec::Pool* const join = first.join.load(std::memory_order_seq_cst);
  return join != nullptr ? *join : *first.service->pool;
}

bool Flow::has_room(std::uint64_t besides) const noexcept {
  const exec::Pool& pool = entry();
  return pool.overflow() != exec::Overflow::block || pool.has_room(besides);
}

void Flow::wait_for_room(const std::atomic<bool>& give_up) const noexcept {
  while (!has_room() && !give_up.load(std::memory_order_acquire)) {
    // seq_cst, with the looks at the join and at the version that follow: who changes the join
    // changes then the version and wakes those at the old one; who gives up changes the version and
    // then looks for the join. So either we see the change, or we are woken where we wait.
    const std::uint64_t version = version_.load(std::memory_order_seq_cst);
    const exec::Pool::Elsewhere elsewhere{.give_up = give_up, .version = version_, .seen = version};
    entry().wait_for_room(0, &elsewhere);
  }
}

void Flow::wake_source() noexcept {
  version_.fetch_add(1, std::memory_order_seq_cst);
  entry().wake_room_waiters();
}

void Flow::set_join(Stage& stage, exec::Pool* pool) noexcept {
  exec::Pool* before = stage.join.exchange(pool, std::memory_order_seq_cst);
  // Who sees the version sees the join.
  version_.fetch_add(1, std::memory_order_seq_cst);
  if (!stage.after.empty()) return;
  if (before == nullptr) before = stage.service->pool;
  if (before != nullptr) before->wake_room_waiters();
}

void Flow::free_event(Event& event) noexcept {
  event.clear_value();
  event.reset();
  give_back_event(event, value_bytes_);
}

void Flow::emit(Event& event) noexcept {
  exec::Worker* const here = exec::Worker::current();
  // What was emitted before it stays before it.
  if (exec::Worker::Gathered* const open = here != nullptr ? here->gathered() : nullptr) {
    open->job_ended(*open, *here, nullptr);
  }
  metrics::Shard& shard = registry_->shard();
  shard.add(counters_.emitted);
  if (registry_->sampled(counters_.units)) [[unlikely]]
    begin_sampled(event);
  if (const call::Activation* const pusher = call::current_activation()) {
    take_context(event, pusher->context);
  }
  Stage* const entry = chunk_entry_;
  if (entry != nullptr && event.type == entry->takes) [[likely]] {
    exec::Pool& pool = pool_before(*entry, event.only);
    exec::Pool* const before = here != nullptr ? &here->pool() : nullptr;
    shard.add(entry->only_implementation->sent);
    queue(event, *entry, pool, before != &pool ? before : nullptr);
    return;
  }
  Agenda none;
  depart(event, entry_, {here, false}, none);
}

// Without memory its times are not taken.
void Flow::begin_sampled(Event& event) noexcept {
  try {
    const Nanos now = now_ns();
    event.take_times({.emitted_ns = now, .entered_ns = now});
  } catch (const std::bad_alloc&) {
    return;
  }
  if (follow_next_.load(std::memory_order_relaxed)) begin_trace(event);
}

// Of the handler that emits it.
void Flow::take_context(Event& event, const Context& from) noexcept {
  if (from.deadline_ns != 0) event.set_deadline(earlier(event.deadline_ns, from.deadline_ns));
  if (!from.trace.present() && !from.baggage) return;
  event.mark(Event::kExtras);
  Context& context = event.activation.context;
  if (!context.trace.present()) context.trace = from.trace;
  if (!context.baggage) context.baggage = from.baggage;
}

void Flow::count_failed_source() noexcept {
  metrics::Shard& shard = registry_->shard();
  shard.add(counters_.emitted);
  shard.add(counters_.failed);
}

void Flow::count_refused() noexcept {
  metrics::Shard& shard = registry_->shard();
  shard.add(counters_.emitted);
  shard.add(counters_.dropped);
}

// Sends an event on to all stages whose turn it is: the last one gets the event, the others copies.
void Flow::depart(Event& event, const std::vector<Link>& links, Origin origin,
                  Agenda& agenda) noexcept {
  if (links.size() == 1 && links.front().when.empty()) [[likely]] {
    send(event, *links.front().to, origin, agenda);
    return;
  }
  Stage* last = nullptr;
  for (const Link& link : links) {
    if (link.to == last || !link.taken(event.storage())) continue;
    if (last != nullptr) send_copy(event, *last, origin, agenda);
    last = link.to;
  }
  if (last != nullptr) {
    send(event, *last, origin, agenda);
  } else {
    end(event, End::completed);
  }
}

void Flow::send_copy(Event& event, Stage& to, Origin origin, Agenda& agenda) noexcept {
  Event* copy = nullptr;
  try {
    if (event.pieces == nullptr) {
      event.mark(Event::kExtras);
      event.pieces = &Pieces::make();
    }
    copy = &make_event();
    copy->mark(Event::kExtras);
    event.activation.locals.copy_to(copy->activation.locals);
    event.type->copy(event.storage(), copy->storage());
    if (event.is(Event::kSampled)) copy->take_times(*event.timing);
  } catch (...) {
    // No memory, or a value that cannot be copied now: this branch is lost, and the event counts as
    // such, also to who waits for it; the others go on.
    if (copy != nullptr) free_event(*copy);
    event.mark(Event::kBranchLost | Event::kExtras);
    return;
  }
  copy->type = event.type;
  copy->mark(static_cast<std::uint16_t>(event.marks & Event::kDeadline));
  copy->deadline_ns = event.deadline_ns;
  copy->activation.context = event.activation.context;
  copy->pieces = event.pieces;
  copy->completion = event.completion;
  event.pieces->add(1);
  if (copy->completion != nullptr) {
    copy->completion->pieces.fetch_add(1, std::memory_order_relaxed);
  }
  send(*copy, to, origin, agenda);
}

// Gets an event to a stage: true when it is to run at once on the worker it comes from, else it is
// queued, or at its end, and not ours any more.
bool Flow::approach(Event& event, Stage& to, Origin origin) noexcept {
  event.stage = &to;
  call::Implementation& implementation = to.plain ? *to.only_implementation : to.service->choose();
  event.activation.implementation = &implementation;
  registry_->shard().add(implementation.sent);
  if (event.is(Event::kSampled)) event.timing->entered_ns = now_ns();
  event.only = nullptr;
  // Acquire: who sees the pool sees its threads.
  exec::Pool* pool = to.join.load(std::memory_order_acquire);
  if (pool == nullptr && !origin.fuses) {
    // From the source: to where the stage's service is placed.
    pool = to.service->pool;
    event.only = to.service->only_worker();
  }
  if (pool != nullptr && event.is(Event::kSampled)) leave_fused(event, event.timing->entered_ns);
  if (!to.plain) {
    const void* const asked = event.failure ? event.failure.get() : event.storage();
    if (call::Partition* const partition = to.service->partition_of(asked)) {
      return take_turn(event, *partition, pool, origin);
    }
  }
  if (pool == nullptr) return true;
  exec::Pool* const before = origin.worker != nullptr ? &origin.worker->pool() : nullptr;
  event.keeps_room_of = before != pool ? before : nullptr;
  if (pool->submit(event) == exec::Admission::refused) on_refused(event);
  return false;
}

// Makes an event out of a queue like any other: those that a stage where chunks may come queues
// have not written all of it, and one that has the right of its strand gives it up when it leaves
// the stage, as all do.
void Flow::leave_queue(Event& event) noexcept {
  stop_waiting(event);
  event.unmark(Event::kHasRight);
  if (!event.is(Event::kAsStage)) return;
  event.unmark(Event::kAsStage);
  event.type = event.stage->takes;
  event.activation.implementation = event.stage->only_implementation;
}

// approach() to a stage whose service is `single-threaded`. The right is granted in the order of
// arrival, whatever join the stage has then: so a change of the join changes no order.
bool Flow::take_turn(Event& event, call::Partition& partition, exec::Pool* pool,
                     Origin origin) noexcept {
  exec::Worker* const here = origin.worker;
  event.activation.place = partition.index;
  if (pool == nullptr) {
    // Fused: its turn comes on this very worker, which waits for it.
    event.only = here;
    event.mark(Event::kHolding);
    here->hold();
  }
  event.pool = pool != nullptr ? pool : &here->pool();
  // While it waits for its turn it takes up room where it came from; that holds back the source.
  event.keeps_room_of = here != nullptr ? &here->pool() : pool;
  exec::Pool::keep_room(event);
  exec::Pool& home = *event.stage->service->pool;
  if (event.pool != &home) {
    event.awaited_by = event.pool;
    event.pool->await_from(home);
  }
  switch (partition.enter(event, event.pool->overflow(), event.pool->queue())) {
    case exec::Strand::Entry::queued:
      return false;
    case exec::Strand::Entry::refused:
      on_refused(event);
      return false;
    case exec::Strand::Entry::granted:
      break;
  }
  if (pool == nullptr) {
    stop_waiting(event);
    return true;
  }
  exec::Pool::took_room(event);
  if (exec::Pool* const waiter = std::exchange(event.awaited_by, nullptr)) {
    waiter->arrived_from(home);
  }
  call::submit_granted(event, *event.activation.implementation, partition);
  return false;
}

// What an event that waited for its turn, or in a queue, held meanwhile.
void Flow::stop_waiting(Event& event) noexcept {
  exec::Pool::took_room(event);
  if (exec::Pool* const pool = std::exchange(event.awaited_by, nullptr)) {
    pool->arrived_from(*event.stage->service->pool);
  }
  if (!event.is(Event::kHolding)) return;
  event.unmark(Event::kHolding);
  exec::Worker* const holder = event.only;
  // Whoever sheds is not the worker that waits.
  if (holder == exec::Worker::current()) {
    holder->let_go();
  } else {
    holder->let_go_elsewhere();
  }
}

// Before anybody is told that it has ended.
void Flow::end_locals(Event& event) noexcept {
  const call::Activating activating(&event.activation);
  event.activation.locals.end();
}

void Flow::end(Event& event, End how) noexcept {
  if (event.is(Event::kSampled)) leave_fused(event, now_ns());
  if (event.is(Event::kBranchLost)) how = End::dropped;
  if (event.is(Event::kExtras) && !event.activation.locals.empty()) end_locals(event);
  if (Completion* const waiting = std::exchange(event.completion, nullptr)) {
    waiting->ended(*waiting, event, how);
  }
  if (Pieces* const pieces = event.pieces) {
    const std::optional<End> ended = pieces->end(how);
    if (!ended) {
      free_event(event);
      return;
    }
    how = *ended;
    pieces->let_go();
  }
  metrics::Shard& shard = registry_->shard();
  shard.add(counters_.of(how));
  if (event.is(Event::kSampled)) {
    shard.record(counters_.latency, now_ns() - event.timing->emitted_ns);
    if (event.timing->trace != nullptr) end_trace(event, how);
  }
  free_event(event);
}

// Where its source is held back, or that of the handler that pushes it; null for an event that
// comes from its source.
exec::Pool* Flow::entry_for(const exec::Request& request) noexcept {
  const Stage& stage = *static_cast<const Event&>(request).stage;
  if (!stage.after.empty()) return &stage.flow->entry();
  const call::Activation* const pusher = call::current_activation();
  return pusher != nullptr ? pusher->cause.held_back_at() : nullptr;
}

// A full queue did not take the event, or shed it.
void Flow::on_refused(exec::Request& request) noexcept {
  auto& event = static_cast<Event&>(request);
  Flow& flow = *event.stage->flow;
  const bool has_right = event.is(Event::kHasRight);
  flow.leave_queue(event);
  const call::Implementation& implementation = *event.activation.implementation;
  const std::uint32_t place = event.activation.place;
  constexpr ErrorCode kFull = ErrorCode::resource_exhausted;
  implementation.count_done(&kFull, call::Ending::refused, {});
  flow.end(event, End::dropped);
  if (has_right) call::give_back(implementation, place);
}

}  // namespace penstock::flow
