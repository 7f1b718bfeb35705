// How a chunk goes through plain stages that run on one worker: one call a stage.
#include <utility>

#include "penstock/flow/graph/flow.hpp"

namespace penstock::flow {

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
  const Stage& stage = *chunk.stage;
  // The times of a sampled one are those of its first value.
  if (stage.afar != nullptr && chunk.emitted_ns == 0 && stage.afar->take_all(*chunk.stage, chunk))
    return;
  // Before what is on the agenda already, some of which may be behind it on the same way.
  take_apart(chunk, here);
}

bool Flow::give_spare(Segment& segment) noexcept {
  if (segment.spare_chunk == nullptr) segment.spare_chunk = chunk_or_null();
  return segment.spare_chunk != nullptr;
}

// Each as an event that is run here, to its end before the next one.
void Flow::take_apart(Chunk& chunk, exec::Worker& here) noexcept {
  Stage& stage = *chunk.stage;
  for (std::uint32_t at = 0; at < chunk.count; ++at) {
    Event* const event = part(value_in(chunk, at), *stage.takes, chunk, at);
    if (event == nullptr) {
      lose_sent(stage, chunk, at);
      continue;
    }
    take_times(*event, chunk);
    event->stage = &stage;
    event->activation.implementation = stage.only_implementation;
    Agenda now;
    now.add(*event);
    run(now, here);
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
      ended += composed != nullptr ? run_chain(segment, at, row, chunk, failed)
                                   : run_step(segment, at, row, chunk, failed);
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
      if (segment.stops_row()) [[unlikely]]
        set_apart(segment, at, behind, row, chunk, count, apart);
      at = behind;
      count = row.made;
    }
  }
  segment.spare_chunk = spare;
  if (chunk.pieces != nullptr && values != &chunk) {
    values->pieces = std::exchange(chunk.pieces, nullptr);
    values->places = chunk.places;
  }
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
    // To its end before the next one: one that is caught has more stages to go through than those
    // behind it, which would overtake it on the same agenda.
    run(agenda, here);
    if (event->failed_at != nullptr) {
      leave_stage(*event, here, agenda);
    } else if (event->is(Event::kLeaving)) {
      event->unmark(Event::kLeaving);
      depart(*event, event->stage->next, {&here, true}, agenda);
    } else {
      agenda.add(*event);
    }
  }
}

void Flow::leave_segment(Segment& segment, Chunk& chunk, exec::Worker& here,
                         Agenda& agenda) noexcept {
  if (chunk.count == 0) {
    chunks_.give_back(chunk);
    return;
  }
  switch (segment.then) {
    case Segment::Then::hops:
      metrics::Shard::count_up(*segment.sent, chunk.count);
      send(chunk, {.to = segment.next,
                   .pool = segment.pool,
                   .only = nullptr,
                   .keeps_room_of = segment.keeps_room_of,
                   .agenda = nullptr});
      return;
    case Segment::Then::departs:
      divide(*segment.steps[segment.count - 1].stage, chunk, here, agenda);
      return;
    case Segment::Then::ends:
      break;
  }
  destroy_values(chunk, *segment.value);
  if (chunk.pieces != nullptr) {
    end_values(chunk, 0, chunk.count, End::completed);
  } else {
    metrics::Shard::count_up(*segment.completed, chunk.count);
    if (chunk.emitted_ns != 0) {
      registry_->shard().record(counters_.latency, chunk.entered_ns - chunk.emitted_ns,
                                chunk.count);
    }
  }
  chunks_.give_back(chunk);
}

}  // namespace penstock::flow
