#include "penstock/call/frame/cancel.hpp"

#include "penstock/call/activation/suspended.hpp"
#include "penstock/call/frame/frame.hpp"
#include "penstock/concurrent/barrier.hpp"

namespace penstock::call {

namespace {

void end_note(Frame& frame) noexcept {
  // Acquire: what the dropper and the callee did with the frame comes before its end. Release: the
  // same for what was done here.
  if (frame.note.exchange(Frame::kNoteBack, std::memory_order_acq_rel) == Frame::kFrameDone) {
    frame.destroy(frame);
  }
}

// On its way to the callee's worker.
struct Note : exec::Job {
  explicit Note(Frame& dropped) noexcept : frame(dropped) { run = &deliver; }
  Note(const Note&) = delete;
  Note& operator=(const Note&) = delete;
  ~Note() = default;

  static void deliver(exec::Job& job) noexcept {
    auto& note = static_cast<Note&>(job);
    Frame& frame = note.frame;
    std::destroy_at(&note);
    concurrent::release(&note, sizeof(Note));
    // Relaxed: the callee wrote it on this thread, or on one that has ended.
    if (!frame.ended.load(std::memory_order_relaxed)) {
      // Suspended in something of ours; or of the user's, which nobody can interrupt.
      if (Suspended* const where = frame.callee.activation.suspended) where->interrupt(*where);
    }
    end_note(frame);
  }

  Frame& frame;
};

// Where the callee runs, or ran; null: it has not begun.
exec::Worker* running_on(const Frame& frame) noexcept {
  // Acquire: pairs with the release in begin().
  if (!frame.begun.load(std::memory_order_acquire)) return nullptr;
  return frame.runs_on;
}

// The worker of a callee that has begun and may need the news; else null.
exec::Worker* worker_of(const Frame& frame) noexcept {
  if (exec::Worker* const worker = running_on(frame)) return worker;
  // What waits in a queue finds out by itself when it begins. One that begins right now must not be
  // missed: the barrier comes between our `dropped` and this look; begin() stores and looks the
  // other way round. After its deadline a callee finds out by that, and a flood of calls that come
  // too late pays no system call.
  if (frame.deadline_ns != 0 && now_ns() >= frame.deadline_ns) return nullptr;
  concurrent::heavy_barrier();
  return running_on(frame);
}

}  // namespace

void keep_for_note(Frame& frame) noexcept {
  // Relaxed: published with `dropped`.
  frame.note.store(Frame::kNoteOut, std::memory_order_relaxed);
}

void send_note(Frame& frame) noexcept {
  exec::Worker* const worker = worker_of(frame);
  if (worker == nullptr || frame.ended.load(std::memory_order_relaxed)) {
    end_note(frame);
    return;
  }
  void* memory = nullptr;
  try {
    memory = concurrent::allocate(sizeof(Note));
  } catch (const std::bad_alloc&) {
    end_note(frame);  // It runs to its end, as one that never suspends does.
    return;
  }
  worker->post(*::new (memory) Note(frame));
}

void destroy_dropped(Frame& frame) noexcept {
  if (frame.note.exchange(Frame::kFrameDone, std::memory_order_acq_rel) != Frame::kNoteOut) {
    frame.destroy(frame);
  }
}

}  // namespace penstock::call

namespace penstock {

bool cancelled() noexcept {
  const call::Activation* activation = call::current_activation();
  if (activation == nullptr) return false;
  const call::Frame* const asked = activation->cause.call();
  if (asked != nullptr && asked->dropped.load(std::memory_order_relaxed)) return true;
  const Nanos deadline = activation->context.deadline_ns;
  return deadline != 0 && now_ns() >= deadline;
}

}  // namespace penstock
