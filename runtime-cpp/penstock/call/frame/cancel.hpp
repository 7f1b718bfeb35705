#pragma once

namespace penstock::call {

struct Frame;

/// Tells the callee of a dropped frame, if it has begun, that nobody waits any more: a coroutine
/// that is suspended goes on with Error(cancelled). The news is a job for the callee's worker, and
/// the frame outlives it: whoever comes last, the news or the dropped answer, destroys the frame.
///
/// On the caller's thread, in this order: keep_for_note(), state = kDropped, send_note().
void keep_for_note(Frame& frame) noexcept;
void send_note(Frame& frame) noexcept;

/// Destroys a frame whose answer nobody wants, unless a note is still out: then that does it. On
/// the thread where the answer ended.
void destroy_dropped(Frame& frame) noexcept;

}  // namespace penstock::call
