#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/base/defaults.hpp"
#include "penstock/call/service/service.hpp"

namespace penstock::flow {

class Flow;
struct Event;
struct Stage;
struct Chunk;
struct ValueType;

enum class Role : std::uint8_t { map, side_effect, catch_failure };
[[nodiscard]] std::string_view to_string(Role role) noexcept;

/// For which values of the stage before a branch is taken.
struct Choice {
  /// Reads the deciding field of the value; null: the branch is taken always.
  std::int64_t (*of)(const void* value) = nullptr;
  std::vector<std::int64_t> values;

  [[nodiscard]] bool takes(const void* value) const noexcept;
};

/// A way on behind a stage: where to, and what must hold for the value that goes there.
struct Link {
  Stage* to = nullptr;
  std::vector<const Choice*> when;

  [[nodiscard]] bool taken(const void* value) const noexcept;
};

/// Values in a row that a plain handler takes one after another.
struct Row {
  std::byte* in = nullptr;   ///< `count` values, `stride` apart
  std::byte* out = nullptr;  ///< memory for as many responses; `in` where the values stay
  std::size_t stride = 0;
  std::uint32_t count = 0;  ///< a handler may lower it, so that the value at hand is the last one
  std::uint32_t taken = 0;  ///< of `in`: these are there no more, or moved up
  std::uint32_t made = 0;   ///< at `out`, without gaps
  bool goes_on = true;      ///< the value that was taken last: it is the last one at `out`
};

/// Stages that take a row as one.
struct Chain {
  using PerStage = std::array<std::uint32_t, defaults::kMostStepsAtOnce>;

  void* const* handlers = nullptr;
  const call::Implementation* const* implementations = nullptr;
  PerStage ended{};  ///< values that a stage has ended
  PerStage threw{};  ///< values of which it threw
  std::uint32_t failed_at =
      0;  ///< the stage that threw last, whose value is at the row's `in[taken]`
};

/// Takes values of a stage to the binary that runs it, and hands back what comes of them
/// (Flow::came_back()). On the worker that they are at.
struct Afar {
  /// Moves from the value of an event that carries nothing else. False, and nothing done: the
  /// stage's handler is to be run.
  bool (*take)(Stage& stage, std::byte* value) noexcept = nullptr;
  /// The same of a whole chunk, which is its own from then on.
  bool (*take_all)(Stage& stage, Chunk& chunk) noexcept = nullptr;
};

/// A place in a flow, with the slot before it.
struct Stage {
  /// Asks the handler with the event's value, or its failure, and puts the result in its place.
  /// Throws what a plain handler throws. Sets `suspended` when a coroutine is not done yet.
  using Run = void (*)(Event& event, void* handler);

  /// Asks a plain handler with the value at `in` and makes the response in the memory at `out`,
  /// where the value then is and no more at `in`; without one, or for a side effect, it stays.
  /// Gives where it is; null where the handler has ended the event, whose value is gone. Throws
  /// what the handler throws, with the value at `in`.
  using Step = void* (*)(void* handler, void* in, void* out);

  /// The same for what is left of a row; throws what the handler throws, with its value at
  /// `in[taken]`.
  using Steps = void (*)(void* handler, Row& row);

  /// Of a plain handler whose values move without throwing; nulls: it is not one.
  struct Plain {
    Step one = nullptr;
    Steps many = nullptr;
    bool in_place = false;  ///< it makes no other value
  };

  /// Takes what is left of a row through stages, value by value; throws what a handler throws.
  using Chained = void (*)(Chain& chain, Row& row);

  /// Of a chain of plain stages (compose.hpp); null: there is none.
  struct Composed {
    Chained run = nullptr;
    /// The same where the flow ends behind it: nothing is made at the row's `out`, `made` counts
    /// what came to the end.
    Chained run_to_end = nullptr;
    std::uint32_t count = 0;
    bool in_place = false;  ///< the values stay where they are
  };

  // --- set up before the first thread starts ---

  std::string id;
  Role role = Role::map;
  call::Service* service = nullptr;
  /// One for each implementation of the service.
  std::vector<Run> run;
  Plain steps;
  /// Of this stage and those that follow it in the order of the flow, which run so while no join
  /// divides them.
  Composed composed;
  /// Of a stage that another binary runs, where its values may go together; null: its handler asks
  /// for each.
  const Afar* afar = nullptr;
  const ValueType* takes = nullptr;  ///< what its handler is asked with; of a catch: a failure
  const ValueType* gives = nullptr;  ///< what is there behind it, if it does not fail
  bool has_response = false;
  /// Its handler may end an event, which then has no value any more.
  bool may_end = false;
  /// Positions of the stages before it; none: the source.
  std::vector<std::uint32_t> after;
  Choice when;
  std::uint32_t index = 0;

  // What the flow makes of the drawn links (graph.cpp).
  Flow* flow = nullptr;
  std::vector<Link>
      next;  ///< for a value, in the order of the stages; one stage may be there twice
  Stage* rescue = nullptr;  ///< the catch for a failure here; null: there is none
  /// Nothing but its handler is to be run: one plain function, any number at once, no deadline.
  bool plain = false;
  /// Chunks may come here: it is plain, or takes them to another binary.
  bool in_chunks = false;
  std::uint32_t slot = 0;  ///< where chunks may come: where a worker keeps its handler
  /// And what it runs from here on (segment.hpp); not there: nothing.
  std::uint32_t segment_slot = ~std::uint32_t{0};
  call::Implementation* only_implementation = nullptr;  ///< where chunks may come
  Stage* only_next = nullptr;  ///< where every value goes on; null: none, or it depends
  /// No stage can be come to by two of the ways on from here: values of one way may pass those of
  /// another, and nobody sees it.
  bool ways_part = false;

  // Ids in the registry.
  std::uint32_t count = 0;
  std::uint32_t errors = 0;
  metrics::RareCounter expired;  ///< of `count`: not run, because their deadline had passed
  call::Timers timers;           ///< of a plain stage those of its implementation, too
  /// Timer of the virtual stage that begins here, of this stage and those fused behind it: from the
  /// start of this handler until the event leaves the last one.
  std::uint32_t fused = 0;
  /// Runs that count for the stage and for its service at once: of events that came from the stage
  /// before on the same thread, and of those that were sent for (Implementation::add_runs).
  std::uint32_t plain_runs = 0;
  std::uint32_t plain_ends = 0;

  // --- any time ---

  /// The slot: the pool of its join; null: none, it runs fused behind the stage before it. Written
  /// by one control thread; whoever reads it sees the pool's threads.
  std::atomic<exec::Pool*> join{nullptr};
  /// Where chunks may come: values that a worker takes through it, and what is fused behind it, in
  /// defaults::kChunkNanos, as far as known.
  std::atomic<std::uint32_t> at_once{1};
};

}  // namespace penstock::flow
