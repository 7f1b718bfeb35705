#pragma once

#include "penstock/base/time.hpp"
#include "penstock/call/await/wait_list.hpp"
#include "penstock/call/stack/stack.hpp"

namespace penstock::exec {
class Worker;
}

namespace penstock::call {

/// The watchdog's record of a worker's thread. Lives from Watchdog::enter() to leave().
struct WatchedThread {
  exec::Worker* worker = nullptr;
  Turn* turn = nullptr;
  const std::atomic<std::uint64_t>* tick = nullptr;  ///< the watchdog's
  WaitList waits;
  StackRequest stack;

  // The watchdog's own notes: the stretch of work that it saw last.
  std::uint64_t seen = 0;
  const Implementation* running = nullptr;  ///< null: none
  Nanos since = 0;
  bool reported = false;
};

}  // namespace penstock::call
