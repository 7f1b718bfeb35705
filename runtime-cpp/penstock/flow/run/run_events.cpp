// How an event goes through the stages that run on one worker.
#include <utility>

#include "penstock/flow/graph/flow.hpp"

namespace penstock::flow {

// A worker took the event out of its queue, or its turn came.
void Flow::on_job(exec::Job& job) noexcept {
  auto& event = static_cast<Event&>(job);
  Flow& flow = *event.stage->flow;
  Segment* const segment = flow.segment_for(event, *exec::Worker::current());
  if (segment == nullptr) [[unlikely]] {
    flow.run_slowly(event);
    return;
  }
  if (event.keeps_room) [[unlikely]]
    exec::Pool::took_room(event);
  if (!flow.run_segment(*segment, event)) [[unlikely]]
    flow.go_on_slowly(*segment, event);
}

void Flow::run_slowly(Event& event) noexcept {
  leave_queue(event);
  Agenda agenda;
  agenda.add(event);
  run(agenda, *exec::Worker::current());
}

void Flow::go_on_slowly(Segment& segment, Event& event) noexcept {
  Agenda agenda;
  leave_segment(segment, event, agenda);
  run(agenda, *exec::Worker::current());
}

void Flow::run(Agenda& agenda, exec::Worker& here) noexcept {
  while (exec::Job* const job = agenda.take()) {
    if (job->run == &on_chunk) {
      // With all that comes of it: what is behind it on the same way waits on the agenda, and would
      // overtake the values that are set apart.
      Agenda now;
      run_here(static_cast<Chunk&>(*job), here, now);
      run(now, here);
      continue;
    }
    auto& event = static_cast<Event&>(*job);
    if (Segment* const segment = segment_for(event, here)) {
      if (!run_segment(*segment, event)) leave_segment(*segment, event, agenda);
    } else if (event.stage->afar != nullptr && event.marks == 0 && take_afar(event)) {
      // It comes back (came_back()).
    } else if (run_stage(event, here)) {
      leave_stage(event, here, agenda);
    }
  }
}

// True when the stage is done; false when its coroutine suspended.
bool Flow::run_stage(Event& event, exec::Worker& here) noexcept {
  const Stage& stage = *event.stage;
  call::Activation& activation = event.activation;
  activation.begin(here);
  activation.cause.is_event(stage.flow->entry());
  const Nanos deadline = stage.service->deadline_ns;
  Nanos limit = 0;
  if (stage.role == Role::catch_failure) {
    // Also after the deadline of the event: somebody has to take note of that.
    if (deadline != 0) limit = after(now_ns(), deadline);
  } else if (deadline != 0 || event.deadline_ns != 0) {
    const Nanos now = now_ns();
    limit = earlier(event.deadline_ns, deadline != 0 ? after(now, deadline) : 0);
    if (event.deadline_ns != 0 && now >= event.deadline_ns) {
      if (event.is(Event::kSampled)) event.timing->begun_ns = 0;
      activation.context.deadline_ns = event.deadline_ns;
      set_failure(event, ErrorCode::deadline_exceeded, "came after the deadline of the event");
      return true;
    }
  }
  activation.context.deadline_ns = limit;
  event.unmark(Event::kSuspended);
  if (event.is(Event::kSampled)) {
    begin_timed(*event.timing, stage);
    if (Trace* const trace = event.timing->trace) trace->begin(event);
  }
  try {
    const call::Activating activating(&activation);
    // Also where it follows another stage's coroutine.
    call::Activating::new_turn();
    call::Implementation& implementation = *activation.implementation;
    stage.run[implementation.index](event, implementation.handler_on(here, activation.place));
  } catch (...) {
    set_failure(event, std::current_exception());
  }
  const bool suspended = event.is(Event::kSuspended);
  if (suspended) here.hold();
  return !suspended;
}

// What follows a stage that is done. What is to run here is put on the agenda.
void Flow::leave_stage(Event& event, exec::Worker& here, Agenda& agenda) noexcept {
  const Stage& stage = *event.stage;
  const call::Implementation& implementation = *event.activation.implementation;
  const std::uint32_t place = event.activation.place;
  // A catch stage failed only if the failure is now its own.
  const bool failed = event.failed_at == &stage;
  if (!event.activation.locals.empty()) event.mark(Event::kExtras);
  const bool sampled = event.is(Event::kSampled);
  const Nanos ended = sampled ? now_ns() : 0;
  call::Times times;
  if (sampled) {
    const Timing& timing = *event.timing;
    const bool run = timing.begun_ns != 0;
    times.wait = (run ? timing.begun_ns : ended) - timing.entered_ns;
    if (run) times.run = ended - timing.begun_ns;
  }
  // A plain stage's times stand for those of its implementation.
  const call::Times counted = stage.plain ? call::Times{} : times;
  metrics::Shard& shard = registry_->shard();
  shard.add(stage.count);
  if (failed) {
    const ErrorCode code =
        event.failure != nullptr ? event.failure->code : ErrorCode::resource_exhausted;
    const Nanos deadline = event.activation.context.deadline_ns;
    const bool late = code == ErrorCode::deadline_exceeded && deadline != 0 && now_ns() >= deadline;
    implementation.count_done(&code, late ? call::Ending::expired : call::Ending::served, counted);
    shard.add(stage.errors);
    if (late) shard.add(stage.expired);
  } else {
    implementation.count_done(nullptr, call::Ending::served, counted);
  }
  if (sampled) {
    stage.timers.record(shard, times);
    if (Trace* const trace = event.timing->trace) trace->add(stage, event, here, ended, failed);
  }

  const Origin origin{&here, true};
  if (failed) {
    // Where there was no memory for a failure nobody can be told what it was.
    if (stage.rescue != nullptr && event.failure != nullptr) {
      send(event, *stage.rescue, origin, agenda);
    } else {
      end(event, End::failed);
    }
  } else if ((!stage.has_response && stage.role != Role::side_effect) ||
             (stage.may_end && event.type == nullptr)) {
    // Nothing to go on with: its handler has ended it, a map has completed its branch, or a catch
    // has taken note of the failure.
    event.clear_value();
    end(event, stage.role == Role::catch_failure ? End::failed : End::completed);
  } else {
    depart(event, stage.next, origin, agenda);
  }
  // Only now, with the event in the next queue: who gets the right next comes there behind it.
  call::leave(implementation, place);
}

void Flow::begin_timed(Timing& timing, const Stage& stage) noexcept {
  timing.begun_ns = now_ns();
  if (timing.fused_at == nullptr) {
    timing.fused_at = &stage;
    timing.fused_ns = timing.begun_ns;
  }
}

void Flow::leave_fused(Event& event, Nanos at) noexcept {
  if (const Stage* const first = std::exchange(event.timing->fused_at, nullptr)) {
    registry_->shard().record(first->fused, at - event.timing->fused_ns);
  }
}

void resume_after_stage(Event& event) noexcept {
  exec::Worker& here = *event.activation.worker.load(std::memory_order_relaxed);
  here.let_go();
  Flow& flow = *event.stage->flow;
  Flow::Agenda agenda;
  flow.leave_stage(event, here, agenda);
  flow.run(agenda, here);
}

namespace {

// Without memory the text stays as it is.
void set_text(std::string& text, std::string_view to) noexcept {
  try {
    text = to;
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): the code says more than it
  }
}

}  // namespace

void set_failure(Event& event, ErrorCode code, std::string_view message) noexcept {
  event.failure.reset(new (std::nothrow) Failure);
  event.mark(Event::kExtras);
  event.failed_at = event.stage;
  if (event.failure == nullptr) return;
  Failure& failure = *event.failure;
  failure.code = code;
  set_text(failure.message, message);
  set_text(failure.flow, event.stage->flow->name());
  set_text(failure.stage, event.stage->id);
}

void set_failure(Event& event, const std::exception_ptr& exception) noexcept {
  try {
    std::rethrow_exception(exception);
  } catch (...) {
    const Error error = Error::current();
    set_failure(event, error.code(), error.message());
  }
}

}  // namespace penstock::flow
