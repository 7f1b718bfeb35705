#pragma once

#include <span>
#include <string>
#include <vector>

namespace penstock::call {

class Wait;
struct WatchedThread;

/// A cycle in which everybody waits for the next.
struct Cycle {
  Wait* victim = nullptr;  ///< the wait that is to fail
  WatchedThread* thread = nullptr;
  std::string names;  ///< `A -> B -> A`
};

/// All cycles among the waits of `threads`, whose locks the caller holds: what is found is the
/// truth of this moment. One victim a cycle, so that after their failure none is left.
///
/// A wait can never end if what it waits for cannot (a greatest fixpoint: all waits are taken for
/// stuck, and those that may go on are struck out until none is left):
///  - the callee waits itself, and can never end,
///  - or it waits for its turn, and who has it can never go on,
///  - or it needs a thread of its pool, and all of them sleep in waits that can never end,
///  - or the waiting coroutine's own thread sleeps in such a wait.
/// What sheds its oldest, may still get a thread, or waits within a time (gather_within, sleep_for)
/// may go on. Deadlines do not count: the victim is the one whose deadline would come first, so
/// that nobody fails who would have succeeded.
[[nodiscard]] std::vector<Cycle> find_cycles(std::span<WatchedThread* const> threads);

/// Lets the victim's wait fail with Error(deadlock). With the locks of find_cycles() held. False
/// when it was about to sleep and is to be looked at again. Throws std::bad_alloc.
[[nodiscard]] bool break_cycle(const Cycle& cycle);

}  // namespace penstock::call
