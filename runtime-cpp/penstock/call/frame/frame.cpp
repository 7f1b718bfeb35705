#include "penstock/call/frame/frame.hpp"

#ifdef PENSTOCK_WORLD
#include <cstring>
#endif
#include <memory>
#include <string>

#include "penstock/call/activation/spans.hpp"
#include "penstock/call/frame/cancel.hpp"
#include "penstock/concurrent/barrier.hpp"
#include "penstock/concurrent/futex.hpp"

namespace penstock::call {

namespace {

// A worker fetches the job's and the answer's line ahead (exec/worker.cpp).
static_assert(sizeof(Frame::Callee) > concurrent::kLine &&
              sizeof(Frame::Callee) <= 2 * concurrent::kLine &&
              sizeof(Frame) == 5 * concurrent::kLine);

// The answer is home. Whoever waits for it is not told.
void land(Frame& frame, exec::Worker& home) noexcept {
  home.let_go();
  if (frame.state.load(std::memory_order_relaxed) == Frame::kDropped) {
    destroy_dropped(frame);
  } else {
    frame.state.store(Frame::kArrived, std::memory_order_release);
  }
}

void arrive(exec::Job& job) noexcept;

// Answers that came along with the one that somebody waits for, and that nobody waits for yet: who
// asks for many at once finds them there, instead of suspending for each.
[[gnu::noinline]] void land_upcoming(exec::Worker& home) noexcept {
  for (mailbox::Node*& node : home.upcoming()) {
    if (node == nullptr) continue;
    auto& job = static_cast<exec::Job&>(*node);
    if (job.run != &arrive) return;
    auto& frame = static_cast<Frame&>(job);
    // Whoever waits can be interrupted by who goes on first: its frame stays in the queue's hands.
    if (frame.waiter != nullptr) return;
    node = nullptr;
    land(frame, home);
  }
}

// The answer came home.
void arrive(exec::Job& job) noexcept {
  auto& frame = static_cast<Frame&>(job);
  exec::Worker& home = *exec::Worker::current();
  // None: dropped, or not awaited yet.
  Waiter* const waiter = std::exchange(frame.waiter, nullptr);
  land(frame, home);
  if (waiter == nullptr) return;
  if (!home.upcoming().empty()) land_upcoming(home);
  waiter->arrived(*waiter, frame);
}

void reply(Frame& frame) noexcept {
  if (frame.inlined) {
    // One thread throughout, also when the callee suspended and its caller gave up: no atomic
    // exchange, which would cost more than the rest of the call.
    if (frame.state.load(std::memory_order_relaxed) == Frame::kDropped) {
      destroy_dropped(frame);
    } else {
      frame.state.store(Frame::kArrived, std::memory_order_relaxed);
    }
    return;
  }
  if (frame.home != nullptr) {
    frame.run = &arrive;
    frame.home->post(frame);
    return;
  }
  // Release: the answer is visible to whoever reads kArrived. Acquire: if the caller dropped the
  // frame, we destroy it after all that the caller did with it.
  switch (frame.state.exchange(Frame::kArrived, std::memory_order_acq_rel)) {
    case Frame::kDropped:
      destroy_dropped(frame);
      break;
    case Frame::kWaiting:
      // The caller may see kArrived by itself and be gone with the frame: only the address is used.
      concurrent::futex_wake(frame.state);
      break;
    default:
      break;
  }
}

// The answer of a handler: where it ran on its caller's thread it is in its place as soon as it is
// made, and only who sleeps for it has to be told. Not that of a full queue: who asks again and
// again would find it there without ever leaving the thread to those it asks.
[[gnu::always_inline]] inline void answer(Frame& frame, exec::Worker& worker) noexcept {
  if (frame.home != &worker || frame.inlined) {
    reply(frame);
  } else if (frame.waiter == nullptr) {
    // Plain code of one thread: the caller's side is nobody else's.
    land(frame, worker);
  } else {
    frame.run = &arrive;
    worker.post_here(frame);
  }
}

void set_error(Frame& frame, ErrorCode code, const char* text) noexcept {
  frame.error = keep_error(code, [&frame, text] {
    return "call to " + frame.implementation->service->name + " " + text;
  });
  frame.failed = true;
}

// Looked at where something is wrong with a call, and by who serves it.
bool is_late(const Frame& frame) noexcept {
  return frame.deadline_ns != 0 && now_ns() >= frame.deadline_ns;
}

// How a call ended that failed, or whose answer nobody wants.
Ending ending_of(const Frame& frame) noexcept {
  const bool dropped = frame.dropped.load(std::memory_order_relaxed);
  if (dropped && frame.late.load(std::memory_order_relaxed)) return Ending::expired;
  const bool timed_out = frame.failed && frame.error->code() == ErrorCode::deadline_exceeded;
  if ((dropped || timed_out) && is_late(frame)) return Ending::expired;
  return dropped ? Ending::skipped : Ending::served;
}

// The times of a sampled call.
Times take_times(Frame& frame) noexcept {
  const Nanos now = now_ns();
  if (frame.spans != nullptr) {
    frame.spans->end(frame.span, now, frame.failed);
    std::exchange(frame.spans, nullptr)->let_go();
  }
  if (frame.begun_ns == 0) return {.wait = now - frame.sent_ns};
  return {.wait = frame.begun_ns - frame.sent_ns, .run = now - frame.begun_ns};
}

// Counts an answer that is sampled, failed or not wanted.
[[gnu::noinline]] void count_fully(Frame& frame, bool refused) noexcept {
  const Implementation& implementation = *frame.implementation;
  const Times times = frame.sampled ? take_times(frame) : Times{};
  if (!frame.failed && !frame.dropped.load(std::memory_order_relaxed)) {
    implementation.count_done(nullptr, Ending::served, times);
    return;
  }
  const ErrorCode code = frame.failed ? frame.error->code() : ErrorCode::cancelled;
  implementation.count_done(frame.failed ? &code : nullptr,
                            refused ? Ending::refused : ending_of(frame), times);
  if (code != ErrorCode::cancelled && frame.site != nullptr) {
    implementation.service->registry->shard().add(frame.site->errors);
  }
}

// Whether there is more to do about the call than to run it and to count it.
bool is_plain(const Frame& frame) noexcept {
  return (static_cast<unsigned>(frame.failed) | static_cast<unsigned>(frame.sampled) |
          static_cast<unsigned>(frame.dropped.load(std::memory_order_relaxed))) == 0;
}

// The answer is counted: nothing but sending it is left.
[[gnu::always_inline]] inline void note_end(Frame& frame) noexcept {
  // Relaxed: who acts on it does so on this thread, or after an event that this store precedes.
  frame.ended.store(true, std::memory_order_relaxed);
}

// By its initializers alone: as a value it would be set to zero as a whole before that.
void make_callee(Frame& frame) noexcept { ::new (static_cast<void*>(&frame.callee)) Frame::Callee; }

// The callee's side comes to life.
Activation& activate(Frame& frame, exec::Worker& worker) noexcept {
  if (!frame.carries) [[likely]]
    make_callee(frame);
  Activation& activation = frame.callee.activation;
  activation.context.deadline_ns = frame.deadline_ns;
  activation.implementation = frame.implementation;
  activation.place = frame.place;
  activation.cause.is(frame);
  activation.begin(worker);
  return activation;
}

// A call is sampled, or nobody wants it any more. False: its handler is not to be run. The clock
// says by itself whether it is late.
[[gnu::noinline]] bool begin_fully(Frame& frame, const exec::Worker& worker) noexcept {
  frame.begun_ns = 0;
  if (frame.dropped.load(std::memory_order_relaxed)) {
    set_error(frame, ErrorCode::cancelled, "was cancelled before it started");
    return false;
  }
  if (is_late(frame)) return true;
  frame.begun_ns = now_ns();
  if (frame.spans == nullptr) return true;
  frame.spans->begin(frame.span, worker, frame.begun_ns);
  frame.callee.activation.spans = frame.spans;
  frame.callee.activation.span = frame.span;
  return true;
}

// The callee's side is over.
void bury(Frame& frame) noexcept {
  std::destroy_at(&frame.callee);
#ifdef PENSTOCK_WORLD
  // Who still reads it is found.
  std::memset(static_cast<void*>(&frame.callee), 0xDB, sizeof(Frame::Callee));
#endif
}

// A worker took the frame out of its queue; the partition's right, if there is one, is ours.
void begin(exec::Job& job) noexcept {
  auto& frame = static_cast<Frame&>(job);
  exec::Pool::took_room(frame);
  exec::Worker& worker = *exec::Worker::current();
  Implementation& implementation = *frame.implementation;
  worker.hold();
  Activation& activation = activate(frame, worker);
  frame.runs_on = &worker;
  // Release: who sees it sees where.
  frame.begun.store(true, std::memory_order_release);
  // Who drops the frame says so and then looks whether it has begun (send_note()): one of us sees
  // the other.
  concurrent::light_barrier();
  if (!is_plain(frame)) [[unlikely]] {
    if (!begin_fully(frame, worker)) {
      finish(frame);
      return;
    }
  }
  if (is_late(frame)) {
    set_error(frame, ErrorCode::deadline_exceeded, "waited beyond its deadline");
    finish(frame);
    return;
  }
  const Activating activating(&activation);
  try {
    implementation.type.serve(frame, implementation.handler_on(worker, frame.place));
  } catch (...) {
    fail(frame, std::current_exception());
  }
}

// Ends a call with its error, which nobody has begun.
void end_unbegun(Frame& frame) noexcept {
  if (frame.carries) bury(frame);
  const bool has_right = (frame.marks & exec::Request::kHasRight) != 0;
  const Implementation& implementation = *frame.implementation;
  const std::uint32_t place = frame.place;
  frame.begun_ns = 0;
  count_fully(frame, true);
  note_end(frame);
  reply(frame);  // the frame is the caller's from here on
  if (has_right) give_back(implementation, place);
}

// A full queue did not take the frame, or shed it, or its pool has stopped.
void refuse(exec::Request& request) noexcept {
  auto& frame = static_cast<Frame&>(request);
  exec::Pool::took_room(frame);
  if (request.pool->size() == 0) {
    set_error(frame, ErrorCode::unavailable, "came after its threads had stopped");
  } else {
    set_error(frame, ErrorCode::resource_exhausted, "found a full queue");
  }
  end_unbegun(frame);
}

constexpr exec::Request::Owner kOwner{&refuse};

[[gnu::noinline]] void carry(Frame& frame, const Context& from) noexcept {
  frame.carries = true;
  make_callee(frame);
  Context& context = frame.callee.activation.context;
  context.trace = from.trace;
  context.baggage = from.baggage;
}

// What the caller itself was asked with goes on to whom it asks.
[[gnu::always_inline]] inline void inherit(Frame& frame, const Context& from) noexcept {
  frame.deadline_ns = from.deadline_ns;
  if (from.trace.present() || from.baggage != nullptr) [[unlikely]]
    carry(frame, from);
}

// On behalf of an event that is followed: the call is written down. Without room it is left out.
[[gnu::noinline]] void follow(Frame& frame, const Activation& caller) noexcept {
  frame.sent_ns = now_ns();
  frame.span = caller.spans->add(
      {.parent = caller.span, .implementation = frame.implementation, .sent_ns = frame.sent_ns});
  if (frame.span == Spans::kNone) return;
  caller.spans->keep();
  frame.spans = caller.spans;
}

[[gnu::always_inline]] inline void prepare(Frame& frame, const CallSite& site,
                                           Implementation& implementation,
                                           const Activation* caller) noexcept {
  Service& service = *site.callee;
  frame.site = &site;
  frame.implementation = &implementation;
  frame.run = &begin;
  frame.owner = &kOwner;
  frame.caller.note();
  frame.sampled = service.registry->sampled(site.count);
  if (frame.sampled || service.deadline_ns != 0) frame.sent_ns = now_ns();
  if (caller != nullptr) {
    frame.keeps_room_of = caller->cause.held_back_at();
    inherit(frame, caller->context);
    if (caller->spans != nullptr) [[unlikely]] {
      follow(frame, *caller);
      frame.sampled = true;
    }
  }
  if (service.deadline_ns != 0) {
    frame.deadline_ns = earlier(frame.deadline_ns, after(frame.sent_ns, service.deadline_ns));
  }
}

}  // namespace

namespace {

[[gnu::noinline]] void begin_here(Frame& frame, exec::Worker& worker) noexcept {
  frame.home = &worker;
  frame.comes_home = true;
  frame.pool = &worker.pool();
  worker.hold();
  begin(frame);
}

// Whether it takes turns, as one of a service with partitions does: it waits, or its turn has come.
[[gnu::always_inline]] inline bool waits_its_turn(Frame& frame, const Service& service,
                                                  exec::Pool& pool, bool blocks) noexcept {
  Partition* const partition = service.partition_of(frame);
  if (partition == nullptr) return false;
  frame.place = partition->index;
  // Those who wait for their turn take up room too, or nothing would hold back who asks: those
  // who block in the pool itself, coroutines beyond its limit where all this comes from.
  if (blocks) frame.keeps_room_of = &pool;
  if (blocks || partition->is_beyond(pool.queue())) exec::Pool::keep_room(frame);
  switch (partition->enter(frame, pool.settings().overflow, pool.settings().queue)) {
    case exec::Strand::Entry::granted:
      submit_granted(frame, *frame.implementation, *partition);
      break;
    case exec::Strand::Entry::queued:
      break;
    case exec::Strand::Entry::refused:
      refuse(frame);
      break;
  }
  return true;
}

}  // namespace

void send(Frame& frame, const CallSite& site, Implementation* implementation) noexcept {
  Service& service = *site.callee;
  exec::Worker* const worker = exec::Worker::current();
  const Activation* const caller = current_activation();
  prepare(frame, site, implementation != nullptr ? *implementation : service.choose(), caller);
  const bool blocks = worker == nullptr || (caller != nullptr && caller->may_block);
  exec::Pool& pool = *service.pool;
  frame.pool = &pool;
  if (service.thread != Service::kAnyThread) [[unlikely]] {
    if (service.is_remote() && !blocks) {
      begin_here(frame, *worker);
      return;
    }
    frame.only = service.only_worker();
  }
  if (!blocks) {
    frame.home = worker;
    frame.comes_home = true;
    worker->hold();
  } else if (worker == nullptr && pool.settings().overflow == exec::Overflow::block) {
    // A thread from outside waits before it adds to a full queue. A worker must not: whom it waits
    // for may wait for it in the same way, and nobody would see the cycle. It adds its request, as
    // other workers do, and sleeps for the answer, where the search for cycles finds it.
    pool.wait_for_room(frame.deadline_ns);
  } else if (worker != nullptr && caller->implementation == nullptr) {
    // A handler that is taken away with its worker (service.cpp), which runs nothing any more.
    set_error(frame, ErrorCode::unavailable, "was made as its handler was taken away");
    end_unbegun(frame);
    return;
  }
  if (waits_its_turn(frame, service, pool, blocks)) return;
  if (pool.submit(frame) == exec::Admission::refused) refuse(frame);
}

void send_to(exec::Pool& pool, Frame& frame, const CallSite& site) noexcept {
  exec::Worker& worker = *exec::Worker::current();
  prepare(frame, site, site.callee->choose(), current_activation());
  frame.pool = &pool;
  frame.home = &worker;
  frame.comes_home = true;
  worker.hold();
  if (waits_its_turn(frame, *site.callee, pool, false)) return;
  // Not submit(): in send() alone the compiler has it in place.
  if (pool.submit_several(frame) == exec::Admission::refused) refuse(frame);
}

void run_inline(Frame& frame, const CallSite& site, Implementation& implementation) {
  frame.home = exec::Worker::current();
  frame.comes_home = true;
  frame.inlined = true;
  if (Partition* const partition = site.callee->partition_of(frame)) {
    if (!partition->try_enter()) {
      // Nobody else knows the frame yet: drop() is to free it.
      frame.state.store(Frame::kArrived, std::memory_order_relaxed);
      throw_busy(*site.callee);
    }
    frame.place = partition->index;
  }
  prepare(frame, site, implementation, current_activation());
  begin(frame);
  if (!frame.arrived()) {
    throw Error(ErrorCode::failed_precondition,
                "inline_call: " + site.callee->name + " suspended; await it instead");
  }
}

void finish(Frame& frame) noexcept {
  const Implementation& implementation = *frame.implementation;
  exec::Worker& worker = *frame.callee.activation.worker.load(std::memory_order_relaxed);
  const std::uint32_t place = frame.place;
  if (is_plain(frame)) [[likely]] {
    implementation.service->registry->add(implementation.done);
  } else {
    count_fully(frame, false);
  }
  bury(frame);
  note_end(frame);
  answer(frame, worker);  // the frame is the caller's from here on
  leave(implementation, place);
  worker.let_go();
}

void fail(Frame& frame, const std::exception_ptr& exception) noexcept {
  try {
    std::rethrow_exception(exception);
  } catch (...) {
    frame.error = keep_error(Error::current());
    frame.failed = true;
  }
  finish(frame);
}

void drop_unanswered(Frame& frame) noexcept {
  frame.waiter = nullptr;
  keep_for_note(frame);
  // Relaxed: a hint, which send_note() makes sure that somebody takes.
  frame.dropped.store(true, std::memory_order_relaxed);
  if (frame.comes_home) {
    // Relaxed: nobody but this thread destroys it after that.
    frame.state.store(Frame::kDropped, std::memory_order_relaxed);
  } else if (frame.state.exchange(Frame::kDropped, std::memory_order_acq_rel) == Frame::kArrived) {
    // Release: what we did with the frame comes before the callee destroys it. Acquire: we destroy
    // it after what the callee did.
    frame.destroy(frame);
    return;
  }
  send_note(frame);
}

void cancel(Frame& frame) noexcept {
  keep_for_note(frame);
  frame.dropped.store(true, std::memory_order_relaxed);  // as in drop_unanswered()
  send_note(frame);
}

void end_cancellable(Frame& frame) noexcept { destroy_dropped(frame); }

void throw_error(const Frame& frame) { throw Error(*frame.error); }

void throw_deadline_exceeded(const Frame& frame) {
  throw Error(ErrorCode::deadline_exceeded, "call to " + frame.implementation->service->name +
                                                " was not answered before its deadline");
}

void throw_busy(const Service& service) {
  throw Error(ErrorCode::failed_precondition,
              "inline_call: " + service.name + " is busy with another request");
}

void throw_not_wired() {
  throw Error(ErrorCode::unimplemented,
              "nobody answers this call: a test gives its answers with ServiceTest::on, a binary "
              "makes its handlers itself");
}

}  // namespace penstock::call
