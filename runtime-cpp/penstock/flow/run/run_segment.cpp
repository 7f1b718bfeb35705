// How an event goes through plain stages that run on one worker: an indirect call and one counter
// for each.
#include <utility>

#include "penstock/flow/graph/flow.hpp"

namespace penstock::flow {

namespace {

void* make_segment(const void* from) {
  auto& first = *static_cast<Stage*>(const_cast<void*>(from));  // NOLINT: as a stage runs
  return new Segment(first, first.flow->value_bytes());
}
void destroy_segment(void* segment) noexcept { delete static_cast<Segment*>(segment); }

}  // namespace

Segment* Flow::remake_segment(Stage& first, std::uint64_t version, exec::Worker& here) noexcept {
  if (!first.plain || here.object(first.slot) == nullptr) return nullptr;
  void* segment = here.object(first.segment_slot);
  if (segment == nullptr) {
    try {
      segment = call::keep_on(here, first.segment_slot, &make_segment, &first, &destroy_segment);
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  auto& remade = *static_cast<Segment*>(segment);
  return remade.make(version, here) ? &remade : nullptr;
}

// The step at which a handler threw, whose event is as it was before that step; null: none did.
// `value` is where the value is in the end.
template <bool kTimed>
const Segment::Step* Flow::run_steps(Segment& segment, Event& event, call::Activation& activation,
                                     void*& value) noexcept {
  const call::Activating activating(&activation, call::Activating::Later{});
  const Segment::Step* step = segment.steps.data();
  const Segment::Step* const end = step + segment.count;
  // Values are made here and there in turns.
  void* free_place = segment.spare.get();
  if constexpr (kTimed) begin_timed(*event.timing, *step->stage);
  try {
    do {
      activation.implementation = step->implementation;
      if constexpr (kTimed) {
        if (Trace* const trace = event.timing->trace) trace->begin(event);
      }
      call::Activating::goes_on(*step->implementation);
      void* const given = step->steps.one(step->handler, value, free_place);
      if (given == free_place) free_place = value;
      value = given;
      metrics::Shard::count_up(*step->runs);
      if constexpr (kTimed) take_times(*step, event);
    } while (value != nullptr && ++step != end);
    return nullptr;
  } catch (...) {
    if (value != event.storage()) step->stage->takes->move(value, event.storage());
    event.stage = step->stage;
    event.type = step->stage->takes;
    // Of a stage before, or of another event: here is none.
    event.activation.context.deadline_ns = 0;
    set_failure(event, std::current_exception());
    return step;
  }
}

// Of a step that is done; the next one begins now.
void Flow::take_times(const Segment::Step& step, Event& event) noexcept {
  const Nanos ended = now_ns();
  Timing& timing = *event.timing;
  const call::Times times{.wait = timing.begun_ns - timing.entered_ns,
                          .run = ended - timing.begun_ns};
  const Stage& stage = *step.stage;
  stage.timers.record(stage.flow->registry_->shard(), times);
  step.implementation->pace.note(times.run);
  if (timing.trace != nullptr) {
    timing.trace->add(stage, event, *exec::Worker::current(), ended, false);
  }
  timing.entered_ns = timing.begun_ns = ended;
}

// True when the event is queued for the next stage or at its end; false when it is to leave the
// segment by leave_segment().
bool Flow::run_segment(Segment& segment, Event& event) noexcept {
  void* value = event.storage();
  const Segment::Step* failed = nullptr;
  if (!event.is(Event::kExtras | Event::kSampled)) [[likely]] {
    failed = run_steps<false>(segment, event, segment.activation, value);
  } else {
    failed = run_with_extras(segment, event, value);
  }
  if (failed != nullptr) [[unlikely]] {
    segment.failed = failed;
    return false;
  }
  const bool ended = value == nullptr;
  if (ended || segment.then == Segment::Then::ends) {
    if (event.is(Event::kExtras | Event::kSampled) || (ended && segment.has_locals()))
        [[unlikely]] {
      segment.ended = ended;
      if (!ended && segment.ends_in_spare) segment.value->move(value, event.storage());
      return false;
    }
    metrics::Shard::count_up(*segment.completed);
    if (!ended && segment.value->destroy != nullptr) segment.value->destroy(value);
    event.marks = 0;
    give_back_event(event, value_bytes_);
    return true;
  }
  if (segment.ends_in_spare) segment.value->move(value, event.storage());
  if (segment.then != Segment::Then::hops) return false;
  event.only = nullptr;
  metrics::Shard::count_up(*segment.sent);
  queue(event, *segment.next, *segment.pool, segment.keeps_room_of);
  return true;
}

// It carries more than a value, and handlers are to find it; or its times are taken.
const Segment::Step* Flow::run_with_extras(Segment& segment, Event& event, void*& value) noexcept {
  call::Activation* activation = &segment.activation;
  if (event.is(Event::kExtras)) {
    activation = &event.activation;
    activation->implementation = segment.activation.implementation;
    activation->begin(*segment.activation.worker.load(std::memory_order_relaxed));
    activation->context.deadline_ns = 0;
  }
  if (!event.is(Event::kSampled)) return run_steps<false>(segment, event, *activation, value);
  const Segment::Step* const failed = run_steps<true>(segment, event, *activation, value);
  segment.set_pace();
  if (failed == nullptr && value != nullptr && segment.then == Segment::Then::hops) {
    segment.first.flow->leave_fused(event, event.timing->entered_ns);
  }
  return failed;
}

// Where no other segment of this worker, or end, is next. What is to run here is put on the agenda.
void Flow::leave_segment(Segment& segment, Event& event, Agenda& agenda) noexcept {
  exec::Worker& here = *segment.activation.worker.load(std::memory_order_relaxed);
  event.unmark(Event::kAsStage);
  if (segment.has_locals()) segment.give_locals(event);
  if (const Segment::Step* const failed = std::exchange(segment.failed, nullptr)) {
    // The stages before it count their runs by themselves; the first one was sent for before.
    event.activation.implementation = failed->implementation;
    if (failed != segment.steps.data()) registry_->shard().add(failed->implementation->sent);
    leave_stage(event, here, agenda);
    return;
  }
  event.stage = segment.steps[segment.count - 1].stage;
  if (std::exchange(segment.ended, false)) {
    event.type = nullptr;
    end(event, End::completed);
    return;
  }
  event.type = segment.value;
  depart(event, event.stage->next, {&here, true}, agenda);
}

}  // namespace penstock::flow
