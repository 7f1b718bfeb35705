// How events are gathered into chunks, and how a chunk goes through plain stages that run on one
// worker: one call a stage.
#include <algorithm>
#include <new>
#include <utility>

#include "penstock/flow/graph/flow.hpp"

namespace penstock::flow {

namespace {

void* make_gather(const void* from) {
  return new Gather(*static_cast<Flow*>(const_cast<void*>(from)));  // NOLINT: as a handler
}
void destroy_gather(void* gather) noexcept { delete static_cast<Gather*>(gather); }

constexpr Nanos cost_of(std::uint32_t values, std::uint32_t at_once) noexcept {
  return defaults::kChunkNanos / at_once * values;
}

}  // namespace

Gather::Gather(Flow& of) noexcept : flow(&of) { job_ended = &Flow::on_job_ended; }

// --- gathering ---

std::uint32_t Flow::most_at_once(const Stage& to, const exec::Pool& pool) noexcept {
  // With another overflow each is refused or shed by itself.
  if (pool.overflow() != exec::Overflow::block) return 1;
  const std::uint64_t most = std::max<std::uint64_t>(pool.most_at_once(), 1);
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(most, to.at_once.load(std::memory_order_relaxed)));
}

exec::Pool& Flow::pool_before(const Stage& first, exec::Worker*& only) noexcept {
  // Acquire: who sees the pool sees its threads.
  exec::Pool* const join = first.join.load(std::memory_order_acquire);
  // Nothing fuses with its source: to where the service is placed.
  only = join == nullptr ? first.service->only_worker() : nullptr;
  return join != nullptr ? *join : *first.service->pool;
}

// Of a worker whose handler emits; null: the event is to go alone.
void* Flow::open_place(exec::Worker& here) noexcept {
  exec::Worker::Gathered* const open = here.gathered();
  auto* gather = static_cast<Gather*>(here.object(gather_slot_));
  if (open != nullptr && (open != gather || gather->count == gather->most)) {
    open->job_ended(*open, here, nullptr);
  }
  const call::Activation* const pusher = call::current_activation();
  const call::Implementation* const running = call::t_turn.running.load(std::memory_order_relaxed);
  // A handler that takes long, or waits, would keep them back.
  const bool quick =
      pusher != nullptr && !pusher->may_block && running != nullptr && running->pace.quick();
  if (!quick || carries_context(*pusher)) return nullptr;
  if (gather == nullptr) {
    try {
      gather = static_cast<Gather*>(
          call::keep_on(here, gather_slot_, &make_gather, this, &destroy_gather));
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  void* const place = place_in(*gather);
  if (place != nullptr) here.gathered(gather);
  return place;
}

// For one more value of a thread's own. The first one counts as emitted at once, so that something
// is seen to be under way; the others when they are sent.
void* Flow::place_in(Gather& gather) noexcept {
  metrics::Shard& shard = registry_->shard();
  // Who is followed goes alone.
  if (shard.shared() || follow_next_.load(std::memory_order_relaxed)) return nullptr;
  if (gather.count == 0) {
    exec::Worker* only = nullptr;
    const exec::Pool& pool = pool_before(*plain_entry_, only);
    gather.most = std::min(most_at_once(*plain_entry_, pool), most_in_chunk_);
    if (gather.most < 2) return nullptr;
    try {
      if (gather.chunk == nullptr) gather.chunk = &chunks_.take();
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
    gather.shard = &shard;
    gather.kept_ns = 0;
    count_emitted(shard, 1);
    // A chunk is drawn as an event is, and stands for all that are in it.
    if (registry_->sampled(counters_.units))
      gather.chunk->emitted_ns = gather.chunk->entered_ns = now_ns();
  }
  return gather.chunk->values() + gather.count++ * stride_;
}

void Flow::count_emitted(metrics::Shard& shard, std::uint32_t values) const noexcept {
  shard.add(counters_.emitted, values);
  shard.add(plain_entry_->only_implementation->sent, values);
}

void Flow::emit(Event& event, Gather& gather) noexcept {
  const bool plain =
      plain_entry_ != nullptr && event.type == plain_entry_->takes && event.marks == 0;
  if (gather.count != 0 && gather.count == gather.most) send(gather, nullptr);
  void* const place = plain ? place_in(gather) : nullptr;
  if (place == nullptr) {
    send(gather, nullptr);
    emit(event);
    return;
  }
  event.type->move(event.storage(), place);
  give_back_event(event, value_bytes_);
}

void Flow::on_job_ended(exec::Worker::Gathered& gathered, exec::Worker& here,
                        const exec::Job* next) noexcept {
  auto& gather = static_cast<Gather&>(gathered);
  if (next != nullptr && gather.count < gather.most) {
    // It may gather more, and it is soon done.
    const Stage* stage = nullptr;
    std::uint32_t values = 1;
    if (next->run == &on_job) {
      stage = static_cast<const Event*>(next)->stage;
    } else if (next->run == &on_chunk) {
      stage = static_cast<const Chunk*>(next)->stage;
      values = static_cast<const Chunk*>(next)->count;
    }
    if (stage != nullptr && stage->plain) {
      gather.kept_ns += cost_of(values, stage->at_once.load(std::memory_order_relaxed));
      if (gather.kept_ns < defaults::kChunkNanos) return;
    }
  }
  gather.flow->send(gather, &here);
}

void Flow::send(Gather& gather, exec::Worker* here) noexcept {
  if (here != nullptr) here->gathered(nullptr);
  const std::uint32_t count = std::exchange(gather.count, 0);
  if (count == 0 || plain_entry_ == nullptr) return;
  count_emitted(*gather.shard, count - 1);
  Stage& to = *plain_entry_;
  Hop hop{.to = &to, .pool = nullptr, .only = nullptr, .keeps_room_of = nullptr};
  hop.pool = &pool_before(to, hop.only);
  exec::Pool* const before = here != nullptr ? &here->pool() : nullptr;
  if (before != hop.pool) hop.keeps_room_of = before;
  if (count == 1) {
    // It stays ours, for those to come.
    send_alone(gather.chunk->values(), *gather.chunk, hop);
    gather.chunk->emitted_ns = 0;
    return;
  }
  Chunk& chunk = *std::exchange(gather.chunk, nullptr);
  chunk.count = count;
  send(chunk, hop);
}

// --- sending ---

// To a plain stage that takes what the values are; they count as sent for already.
void Flow::send(Chunk& chunk, const Hop& hop) noexcept {
  const std::uint32_t most = most_at_once(*hop.to, *hop.pool);
  if (chunk.count <= most) {
    queue(chunk, hop);
    return;
  }
  // The last piece keeps the block.
  std::byte* value = chunk.values();
  const auto move = hop.to->takes->move;
  while (chunk.count > most || (most == 1 && chunk.count != 0)) {
    Chunk* piece = nullptr;
    if (most > 1) {
      try {
        piece = &chunks_.take();
      } catch (const std::bad_alloc&) {
        piece = nullptr;
      }
    }
    if (piece == nullptr) {
      send_alone(value, chunk, hop);
      value += stride_;
      --chunk.count;
      continue;
    }
    for (std::uint32_t at = 0; at < most; ++at, value += stride_) {
      move(value, piece->values() + at * stride_);
    }
    piece->count = most;
    piece->emitted_ns = std::exchange(chunk.emitted_ns, 0);
    piece->entered_ns = chunk.entered_ns;
    chunk.count -= most;
    queue(*piece, hop);
  }
  if (chunk.count == 0) {
    chunks_.give_back(chunk);
    return;
  }
  for (std::uint32_t at = 0; at < chunk.count; ++at, value += stride_) {
    move(value, chunk.values() + at * stride_);
  }
  queue(chunk, hop);
}

void Flow::queue(Chunk& chunk, const Hop& hop) noexcept {
  chunk.run = &on_chunk;
  chunk.owner = &kChunkOwner;
  chunk.stage = hop.to;
  chunk.only = hop.only;
  chunk.keeps_room_of = hop.keeps_room_of;
  chunk.more = static_cast<std::uint16_t>(chunk.count - 1);
  chunk.more_in = hop.pool;
  if (hop.pool->submit_several(chunk) == exec::Admission::refused) [[unlikely]]
    on_chunk_refused(chunk);
}

// An event of its own for a value, with the chunk's times if nobody has them yet; null, and the
// value is gone, without memory for it.
Event* Flow::part(std::byte* value, const ValueType& type, Chunk& chunk) noexcept {
  Event* event = nullptr;
  try {
    event = &make_event();
  } catch (const std::bad_alloc&) {
    if (type.destroy != nullptr) type.destroy(value);
    return nullptr;
  }
  type.move(value, event->storage());
  event->type = &type;
  if (const Nanos emitted = std::exchange(chunk.emitted_ns, 0)) {
    try {
      event->take_times({.emitted_ns = emitted, .entered_ns = chunk.entered_ns});
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): they are not taken
    }
  }
  return event;
}

void Flow::send_alone(std::byte* value, Chunk& chunk, const Hop& hop) noexcept {
  Event* const event = part(value, *hop.to->takes, chunk);
  if (event == nullptr) {
    count_lost(*hop.to, 1);
    return;
  }
  event->only = hop.only;
  queue(*event, *hop.to, *hop.pool, hop.keeps_room_of);
}

// Values that were sent for, and will not be run.
void Flow::count_lost(const Stage& stage, std::uint32_t count) noexcept {
  constexpr ErrorCode kFull = ErrorCode::resource_exhausted;
  for (std::uint32_t lost = 0; lost < count; ++lost) {
    stage.only_implementation->count_done(&kFull, call::Ending::refused, {});
  }
  registry_->shard().add(counters_.dropped, count);
}

void Flow::on_chunk_refused(exec::Request& request) noexcept {
  auto& chunk = static_cast<Chunk&>(request);
  Flow& flow = *chunk.stage->flow;
  flow.leave_queue(chunk);
  flow.destroy_values(chunk, *chunk.stage->takes);
  flow.count_lost(*chunk.stage, chunk.count);
  flow.chunks_.give_back(chunk);
}

exec::Pool* Flow::entry_for_chunk(const exec::Request& request) noexcept {
  const Stage& stage = *static_cast<const Chunk&>(request).stage;
  return stage.after.empty() ? nullptr : &stage.flow->entry();
}

void Flow::leave_queue(Chunk& chunk) noexcept {
  exec::Pool::took_room(chunk);
  std::exchange(chunk.more_in, nullptr)->none_more(chunk);
}

void Flow::destroy_values(Chunk& chunk, const ValueType& type) const noexcept {
  if (type.destroy == nullptr) return;
  for (std::uint32_t at = 0; at < chunk.count; ++at) type.destroy(chunk.values() + at * stride_);
}

// --- running ---

void Flow::on_chunk(exec::Job& job) noexcept {
  auto& chunk = static_cast<Chunk&>(job);
  Flow& flow = *chunk.stage->flow;
  exec::Worker& here = *exec::Worker::current();
  flow.leave_queue(chunk);
  Agenda agenda;
  flow.run_here(chunk, here, agenda);
  flow.run(agenda, here);
}

void Flow::run_here(Chunk& chunk, exec::Worker& here, Agenda& agenda) noexcept {
  Segment* const segment = segment_at(*chunk.stage, here);
  if (segment != nullptr && give_spare(*segment)) [[likely]] {
    run_chunk(*segment, chunk, here, agenda);
    return;
  }
  // Before what is on the agenda already, some of which may be behind it on the same way.
  Agenda now;
  take_apart(chunk, now);
  run(now, here);
}

bool Flow::give_spare(Segment& segment) noexcept {
  if (segment.spare_chunk != nullptr) return true;
  try {
    segment.spare_chunk = &chunks_.take();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

// Each as an event that waits to be run here.
void Flow::take_apart(Chunk& chunk, Agenda& agenda) noexcept {
  Stage& stage = *chunk.stage;
  std::byte* value = chunk.values();
  for (std::uint32_t at = 0; at < chunk.count; ++at, value += stride_) {
    Event* const event = part(value, *stage.takes, chunk);
    if (event == nullptr) {
      count_lost(stage, 1);
      continue;
    }
    event->stage = &stage;
    event->activation.implementation = stage.only_implementation;
    agenda.add(*event);
  }
  chunks_.give_back(chunk);
}

void Flow::run_chunk(Segment& segment, Chunk& chunk, exec::Worker& here, Agenda& agenda) noexcept {
  Chunk* values = &chunk;
  Chunk* spare = segment.spare_chunk;
  const std::uint32_t came = chunk.count;
  std::uint32_t count = came;
  const Nanos emitted = chunk.emitted_ns;
  // Where nothing is sampled no clock is read either; sampling may have ended while it waited.
  const bool timed = emitted != 0 || registry_->sampling() != 0;
  const Nanos began = timed ? now_ns() : 0;
  Nanos begun = began;
  mailbox::LocalQueue failed;
  mailbox::LocalQueue apart;
  std::uint32_t ended = 0;
  {
    const call::Activating activating(&segment.activation, call::Activating::Later{});
    for (std::uint32_t at = 0; at < segment.count && count != 0;) {
      const Segment::Step& step = segment.steps[at];
      // Of a sampled one each stage's times are taken.
      const Stage::Composed* const composed = emitted == 0 ? step.composed : nullptr;
      const bool in_place = composed != nullptr ? composed->in_place : step.steps.in_place;
      Row row{.in = values->values(),
              .out = in_place ? values->values() : spare->values(),
              .stride = stride_,
              .count = count};
      segment.activation.implementation = step.implementation;
      segment.row = &row;
      call::Activating::goes_on(*step.implementation);
      ended += composed != nullptr ? run_chain(segment, at, row, failed)
                                   : run_step(segment, at, row, failed);
      segment.row = nullptr;
      if (!in_place) std::swap(values, spare);
      if (emitted != 0) {
        const Nanos now = now_ns();
        const Nanos run = (now - begun) / count;
        const Nanos wait = at == 0 ? began - chunk.entered_ns : 0;
        step.stage->timers.record(registry_->shard(), {.wait = wait, .run = run}, count);
        step.implementation->pace.note(run);
        begun = now;
      }
      const std::uint32_t behind = at + (composed != nullptr ? composed->count : 1);
      if (segment.has_locals()) [[unlikely]]
        set_apart(segment, at, behind, row, count, apart);
      at = behind;
      count = row.made;
    }
  }
  segment.spare_chunk = spare;
  values->count = count;
  values->emitted_ns = emitted;
  values->entered_ns = begun;
  if (emitted != 0) {
    segment.set_pace();
    registry_->shard().record(segment.first.fused, begun - began, came);
  } else if (timed) {
    const Nanos took = now_ns() - began;
    if (took > 2 * defaults::kChunkNanos) segment.slow_down(came, took);
  }
  metrics::Shard::count_up(*segment.completed, ended);
  while (auto* const event = static_cast<Event*>(failed.pop())) leave_stage(*event, here, agenda);
  leave_segment(segment, *values, here, agenda);
  while (auto* const event = static_cast<Event*>(apart.pop())) {
    if (event->is(Event::kLeaving)) {
      event->unmark(Event::kLeaving);
      depart(*event, event->stage->next, {&here, true}, agenda);
    } else {
      agenda.add(*event);
    }
  }
}

// A value has got something to carry, so that its row has stopped behind it. It goes alone from
// here on, and so that none overtakes it, those behind it do, too.
void Flow::set_apart(Segment& segment, std::uint32_t at, std::uint32_t behind, Row& row,
                     std::uint32_t count, mailbox::LocalQueue& apart) noexcept {
  mailbox::LocalQueue earlier;
  Chunk untimed;
  const Stage& last = *segment.steps[behind - 1].stage;
  Event* carries = nullptr;
  if (row.goes_on) {
    --row.made;
    carries = part(row.out + row.made * row.stride, *last.gives, untimed);
    if (carries == nullptr) registry_->shard().add(counters_.dropped);
  }
  if (carries != nullptr) {
    carries->stage = segment.steps[behind - 1].stage;
    carries->activation.implementation = segment.steps[behind - 1].implementation;
    carries->mark(Event::kLeaving);
    segment.give_locals(*carries);
    earlier.push(*carries);
  } else {
    segment.end_locals();
  }
  const Segment::Step& first = segment.steps[at];
  for (std::byte* value = row.in + row.taken * row.stride; row.taken != count;
       ++row.taken, value += row.stride) {
    if (at != 0) registry_->shard().add(first.implementation->sent);
    Event* const event = part(value, *first.stage->takes, untimed);
    if (event == nullptr) {
      count_lost(*first.stage, 1);
      continue;
    }
    event->stage = first.stage;
    event->activation.implementation = first.implementation;
    earlier.push(*event);
  }
  // Those that were set apart further on came before.
  while (mailbox::Node* const event = apart.pop()) earlier.push(*event);
  apart = earlier;
}

// How many values it has ended.
std::uint32_t Flow::run_step(Segment& segment, std::uint32_t at, Row& row,
                             mailbox::LocalQueue& failed) noexcept {
  const Segment::Step& step = segment.steps[at];
  const std::uint32_t count = row.count;
  std::uint32_t threw = 0;
  while (row.taken != count && !segment.has_locals()) {
    try {
      step.steps.many(step.handler, row);
    } catch (...) {
      ++threw;
      fail(segment, at, row, failed);
      row.count = count;
    }
  }
  metrics::Shard::count_up(*step.runs, row.taken - threw);
  return row.taken - threw - row.made;
}

// The steps from `at` on, as one; how many values they have ended, or were at the flow's end.
std::uint32_t Flow::run_chain(Segment& segment, std::uint32_t at, Row& row,
                              mailbox::LocalQueue& failed) noexcept {
  const Stage::Composed& composed = *segment.steps[at].composed;
  const bool to_end = segment.then == Segment::Then::ends && at + composed.count == segment.count;
  const Stage::Chained run_all = to_end ? composed.run_to_end : composed.run;
  Chain chain{.handlers = &segment.handlers[at], .implementations = &segment.implementations[at]};
  const std::uint32_t count = row.count;
  while (row.taken != count && !segment.has_locals()) {
    try {
      run_all(chain, row);
    } catch (...) {
      fail(segment, at + chain.failed_at, row, failed);
      row.count = count;
    }
  }
  std::uint32_t reached = row.taken;
  std::uint32_t ended = 0;
  for (std::uint32_t stage = 0; stage < composed.count; ++stage) {
    reached -= chain.threw[stage];
    metrics::Shard::count_up(*segment.steps[at + stage].runs, reached);
    reached -= chain.ended[stage];
    ended += chain.ended[stage];
  }
  if (to_end) ended += std::exchange(row.made, 0);
  return ended;
}

// The value at hand, in a catch.
void Flow::fail(Segment& segment, std::uint32_t at, Row& row,
                mailbox::LocalQueue& failed) noexcept {
  const Segment::Step& step = segment.steps[at];
  const Stage& stage = *step.stage;
  std::byte* const value = row.in + row.taken * row.stride;
  ++row.taken;
  if (at != 0) registry_->shard().add(step.implementation->sent);
  Chunk untimed;
  Event* const event = part(value, *stage.takes, untimed);
  if (event == nullptr) {
    segment.end_locals();
    count_lost(stage, 1);
    return;
  }
  if (segment.has_locals()) segment.give_locals(*event);
  event->stage = step.stage;
  event->activation.implementation = step.implementation;
  set_failure(*event, std::current_exception());
  failed.push(*event);
}

void Flow::leave_segment(Segment& segment, Chunk& chunk, exec::Worker& here,
                         Agenda& agenda) noexcept {
  if (chunk.count != 0 && segment.then == Segment::Then::hops) {
    metrics::Shard::count_up(*segment.sent, chunk.count);
    const Hop hop{.to = segment.next,
                  .pool = segment.pool,
                  .only = nullptr,
                  .keeps_room_of = segment.keeps_room_of};
    if (chunk.count == 1) {
      send_alone(chunk.values(), chunk, hop);
    } else {
      send(chunk, hop);
      return;
    }
  } else if (chunk.count != 0 && segment.then == Segment::Then::departs) {
    divide(segment, chunk, here, agenda);
    return;
  } else if (chunk.count != 0) {
    metrics::Shard::count_up(*segment.completed, chunk.count);
    destroy_values(chunk, *segment.value);
    if (chunk.emitted_ns != 0) {
      registry_->shard().record(counters_.latency, chunk.entered_ns - chunk.emitted_ns,
                                chunk.count);
    }
  }
  chunks_.give_back(chunk);
}

}  // namespace penstock::flow
