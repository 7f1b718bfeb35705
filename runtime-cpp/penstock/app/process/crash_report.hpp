#pragma once

#include <string>

namespace penstock::app {

/// From here on a fault (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) first says on standard error
/// which signal it was, in which service and on which thread, with the stack, and then ends the
/// process as before. Signals that somebody else handles already, such as a sanitizer, are left to
/// them. Once, before the first thread.
void report_crashes(const std::string& binary) noexcept;

/// Gives the calling thread a stack of its own for the report: its usual one may be what
/// overflowed. Until give_back_crash_stack(), on the same thread. Without memory it goes without.
void take_crash_stack() noexcept;
void give_back_crash_stack() noexcept;

}  // namespace penstock::app
