// How a chunk goes on where the ways of its values part.
#include <array>
#include <new>
#include <utility>

#include "penstock/flow/graph/flow.hpp"

namespace penstock::flow {

/// What goes on to one of the stages behind, in the order in which it came.
struct Flow::Way {
  Stage* to = nullptr;
  exec::Pool* pool = nullptr;  ///< of the join before it; null: it runs here
  Chunk* chunk = nullptr;      ///< null: nothing has come yet
};
struct Flow::Ways {
  /// On which values stay together; what goes further ones goes alone.
  static constexpr std::size_t kMost = 8;
  std::array<Way, kMost> all{};
  std::uint32_t count = 0;
};

namespace {

/// Who takes a value.
struct Taker {
  Stage* stage = nullptr;  ///< the first one
  bool several = false;    ///< another one does, too
  [[nodiscard]] bool none() const noexcept { return stage == nullptr && !several; }
};

Taker taker_of(const std::vector<Link>& links, const void* value) noexcept {
  Taker taker;
  for (const Link& link : links) {
    if (link.to == taker.stage || !link.taken(value)) continue;
    if (taker.stage != nullptr) return {.stage = taker.stage, .several = true};
    taker.stage = link.to;
  }
  return taker;
}

}  // namespace

// Each value goes where it is taken. Those of an unsampled chunk that one plain stage alone takes
// stay together; all others go one by one, and none overtakes another on the same way.
void Flow::divide(Segment& segment, Chunk& chunk, exec::Worker& here, Agenda& agenda) noexcept {
  Stage& last = *segment.steps[segment.count - 1].stage;
  const bool together = chunk.emitted_ns == 0 && last.ways_part;
  Ways ways;
  std::uint32_t ended = 0;
  std::byte* value = chunk.values();
  for (std::uint32_t at = 0; at < chunk.count; ++at, value += stride_) {
    const Taker taker = together ? taker_of(last.next, value) : Taker{.several = true};
    if (taker.none()) {
      ++ended;
      if (segment.value->destroy != nullptr) segment.value->destroy(value);
      continue;
    }
    if (Way* const way = taker.several ? nullptr : way_to(*taker.stage, ways)) {
      segment.value->move(value, way->chunk->values() + way->chunk->count++ * stride_);
      continue;
    }
    if (taker.several) send(ways, here, agenda);
    Event* const event = part(value, *segment.value, chunk);
    if (event == nullptr) {
      registry_->shard().add(counters_.dropped);
      continue;
    }
    event->stage = &last;
    depart(*event, last.next, {&here, true}, agenda);
  }
  metrics::Shard::count_up(*segment.completed, ended);
  send(ways, here, agenda);
  chunks_.give_back(chunk);
}

// With a chunk that has room for all; null: what goes there goes alone.
Flow::Way* Flow::way_to(Stage& to, Ways& ways) noexcept {
  Way* way = nullptr;
  for (std::uint32_t at = 0; at < ways.count && way == nullptr; ++at) {
    if (ways.all[at].to == &to) way = &ways.all[at];
  }
  if (way == nullptr) {
    if (!to.plain || ways.count == ways.all.size()) return nullptr;
    way = &ways.all[ways.count++];
    // Acquire: who sees the pool sees its threads.
    *way = {.to = &to, .pool = to.join.load(std::memory_order_acquire)};
  }
  if (way->chunk != nullptr) return way;
  try {
    way->chunk = &chunks_.take();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  return way;
}

void Flow::send(Ways& ways, exec::Worker& here, Agenda& agenda) noexcept {
  for (std::uint32_t at = 0; at < ways.count; ++at) {
    const Way& way = ways.all[at];
    Chunk* const chunk = std::exchange(ways.all[at].chunk, nullptr);
    if (chunk == nullptr) continue;
    registry_->shard().add(way.to->only_implementation->sent, chunk->count);
    if (way.pool == nullptr) {
      chunk->run = &on_chunk;
      chunk->stage = way.to;
      agenda.add(*chunk);
      continue;
    }
    exec::Pool* const before = &here.pool();
    const Hop hop{.to = way.to,
                  .pool = way.pool,
                  .only = nullptr,
                  .keeps_room_of = before != way.pool ? before : nullptr};
    if (chunk->count == 1) {
      send_alone(chunk->values(), *chunk, hop);
      chunks_.give_back(*chunk);
    } else {
      send(*chunk, hop);
    }
  }
}

}  // namespace penstock::flow
