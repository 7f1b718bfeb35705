#pragma once

#include <cstdint>

#include "penstock/mailbox/mpsc.hpp"

namespace penstock::exec {

class Pool;
class Worker;

/// A piece of work for a worker: the node of its mailbox and the function to run. The job is gone,
/// or somebody else's, once run() was called.
struct Job : mailbox::Node {
  using Run = void (*)(Job& job) noexcept;

  Run run = nullptr;
  /// Counts against the queue limit of the worker it waits for (requests do, replies do not).
  bool counted = false;
};

/// A job that a full queue may refuse or shed.
struct Request : Job {
  /// What those who make requests of a kind do about a full queue.
  struct Owner {
    /// Ends the request without running it. On the thread that found the queue full.
    void (*refuse)(Request& request) noexcept;
    /// The pool where a source looks for room before it makes more of them; null: none.
    Pool* (*entry)(const Request& request) noexcept = nullptr;
  };

  /// Of `marks`, for requests of any owner: it has got the right of its strand, which whoever
  /// refuses it passes on.
  static constexpr std::uint16_t kHasRight = 1U << 15U;

  /// Set while keeps_room_of counts it.
  bool keeps_room = false;
  /// kHasRight, and what its owner notes about it.
  std::uint16_t marks = 0;
  /// It stands for so many more than one: a queue's limit counts them all.
  std::uint16_t more = 0;
  const Owner* owner = nullptr;
  /// Where it is to run once it is its turn.
  Pool* pool = nullptr;
  /// The only worker of the pool that may run it; null: any.
  Worker* only = nullptr;
  /// The pool whose room it keeps while it waits beyond the limit of another one: a full queue
  /// fills the one before it, and once that is full of them the one where its source looks for
  /// room, however many stages lie between. Null: none.
  Pool* keeps_room_of = nullptr;
};

/// What became of a request that was handed over.
enum class Admission { accepted, refused };

}  // namespace penstock::exec
