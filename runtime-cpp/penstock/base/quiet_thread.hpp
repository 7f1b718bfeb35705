#pragma once

#include <functional>
#include <thread>

namespace penstock {

/// Starts a thread with this name (at most 15 bytes) that blocks every signal: signals are for the
/// thread that waits for them.
[[nodiscard]] std::thread start_quiet_thread(const char* name, std::function<void()> body);

}  // namespace penstock
