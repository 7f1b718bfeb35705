#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "penstock/base/defaults.hpp"
#include "penstock/flow/event/chunk.hpp"
#include "penstock/flow/event/event.hpp"
#include "penstock/flow/graph/stage.hpp"
#include "penstock/metrics/registry.hpp"

namespace penstock::flow {

/// What one worker does with an event that comes to a plain stage: the handlers of that stage and
/// of those fused behind it, one after another, and where the event goes then. All that is the same
/// for each event is looked up once, when the segment is made; it is made anew when a join of the
/// flow has changed since (Flow::version). Belongs to the worker's thread.
///
/// Events that carry nothing but a value run in one activation. Where a handler gives one of them
/// an object to carry (Context::local()) it says so, and that event leaves the segment on its own:
/// nobody looks for it at any other.
struct Segment {
  struct Step {
    Stage::Plain steps;
    void* handler = nullptr;
    call::Implementation* implementation = nullptr;
    metrics::Shard::Cell* runs = nullptr;
    Stage* stage = nullptr;
    /// What it and the steps behind it are as one; null: each goes by itself.
    const Stage::Composed* composed = nullptr;
  };
  enum class Then : std::uint8_t {
    ends,     ///< it has been through the flow
    hops,     ///< it is queued for `next`, a plain stage behind a join
    departs,  ///< all else: Flow::depart() sees to it
  };

  Segment(Stage& first_, std::size_t value_bytes);
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;
  ~Segment() { ChunkStore::destroy(spare_chunk); }

  /// Looks everything up. `version_` is the flow's, read before. False, and never up to date, while
  /// this worker has no handler for the first stage.
  bool make(std::uint64_t version_, exec::Worker& here) noexcept;
  /// Tells `first` how many values a worker takes through all steps at once.
  void set_pace() const noexcept;
  /// The same once so many took longer than they should.
  void slow_down(std::uint32_t values, Nanos took) const noexcept;

  /// The event, or value, at hand has got something to carry.
  [[nodiscard]] bool has_locals() const noexcept { return !activation.locals.empty(); }
  /// None of the row comes behind the value at hand, but alone.
  [[nodiscard]] bool stops_row() const noexcept { return has_locals() || caught != nullptr; }
  /// Gives it to the event; whatever comes next begins without.
  void give_locals(Event& event) noexcept;
  void end_locals() noexcept;

  Stage& first;
  /// 0: it is to be made again before it is used again.
  std::uint64_t version = 0;
  /// For events that carry nothing but a value.
  call::Activation activation;
  /// Where every second value is made.
  const std::unique_ptr<std::byte[]> spare;
  /// And every second row of them; null: not needed yet.
  Chunk* spare_chunk = nullptr;

  Then then = Then::departs;
  bool ends_in_spare = false;  ///< the last value
  Stage* next = nullptr;
  exec::Pool* pool = nullptr;            ///< of next's join
  exec::Pool* keeps_room_of = nullptr;   ///< while the event waits there
  metrics::Shard::Cell* sent = nullptr;  ///< events for `next`
  metrics::Shard::Cell* completed = nullptr;
  const ValueType* value = nullptr;  ///< behind the last step

  /// Where a handler threw, from there until the event has left the segment.
  const Step* failed = nullptr;
  /// A handler has ended the event, until it has left.
  bool ended = false;
  /// The value at hand of a row, which has failed and goes to a catch, until it is set apart.
  Event* caught = nullptr;
  /// What handlers take values from at the moment; null: an event goes alone.
  Row* row = nullptr;
  std::uint32_t count = 0;
  std::array<Step, defaults::kMostStepsAtOnce> steps;
  // Of the steps, as a chain has them.
  std::array<void*, defaults::kMostStepsAtOnce> handlers;
  std::array<const call::Implementation*, defaults::kMostStepsAtOnce> implementations;

 private:
  struct Passing final : call::Locals::Passing {
    Segment* segment = nullptr;
  };

  void find_chains() noexcept;
  static void on_got(call::Locals::Passing& passing) noexcept;

  Passing passing_;
  Then drawn_then_ = Then::departs;
};

}  // namespace penstock::flow
