// How a chunk gets to the next stage, into the queue of a join or onto the agenda of this worker,
// and what becomes of values that do not get there.
#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <utility>

#include "penstock/flow/graph/flow.hpp"

namespace penstock::flow {

std::uint32_t Flow::most_at_once(const Stage& to, const exec::Pool* pool) noexcept {
  const std::uint32_t quick = to.at_once.load(std::memory_order_relaxed);
  if (pool == nullptr) return quick;
  // With another overflow each is refused or shed by itself.
  if (pool->overflow() != exec::Overflow::block) return 1;
  const std::uint64_t most = std::max<std::uint64_t>(pool->most_at_once(), 1);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, quick));
}

// To a stage where chunks may come, which takes what the values are; they count as sent for
// already.
void Flow::send(Chunk& chunk, const Hop& hop) noexcept {
  const std::uint32_t most = most_at_once(*hop.to, hop.pool);
  const std::uint32_t count = chunk.count;
  if (count <= most && count > 1) [[likely]] {
    queue(chunk, hop);
    return;
  }
  const auto move = hop.to->takes->move;
  std::uint32_t at = 0;
  while (count - at > most || count - at == 1) {
    Chunk* const first = most > 1 && count - at > most ? chunk_or_null() : nullptr;
    if (first == nullptr) {
      send_alone(chunk, at++, hop);
      continue;
    }
    for (; first->count < most; ++at) {
      move(value_in(chunk, at), value_in(*first, first->count));
      first->places[first->count++] = chunk.places[at];
    }
    first->pieces = chunk.pieces;
    first->emitted_ns = std::exchange(chunk.emitted_ns, 0);
    first->entered_ns = chunk.entered_ns;
    queue(*first, hop);
  }
  if (at == count) {
    chunks_.give_back(chunk);
    return;
  }
  // The last ones keep the block.
  chunk.count = 0;
  for (; at < count; ++at) {
    move(value_in(chunk, at), value_in(chunk, chunk.count));
    chunk.places[chunk.count++] = chunk.places[at];
  }
  queue(chunk, hop);
}

void Flow::queue(Chunk& chunk, const Hop& hop) noexcept {
  chunk.run = &on_chunk;
  chunk.stage = hop.to;
  if (hop.pool == nullptr) {
    // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): what is not queued has one
    hop.agenda->add(chunk);
    return;
  }
  chunk.owner = &kChunkOwner;
  chunk.only = hop.only;
  chunk.keeps_room_of = hop.keeps_room_of;
  chunk.more = static_cast<std::uint16_t>(chunk.count - 1);
  chunk.more_in = hop.pool;
  if (hop.pool->submit_several(chunk) == exec::Admission::refused) [[unlikely]]
    on_chunk_refused(chunk);
}

void Flow::send_alone(Chunk& chunk, std::uint32_t at, const Hop& hop) noexcept {
  Event* const event = part(value_in(chunk, at), *hop.to->takes, chunk, at);
  if (event == nullptr) {
    lose_sent(*hop.to, chunk, at);
    return;
  }
  take_times(*event, chunk);
  if (hop.pool == nullptr) {
    event->stage = hop.to;
    event->activation.implementation = hop.to->only_implementation;
    hop.agenda->add(*event);
    return;
  }
  event->only = hop.only;
  queue(*event, *hop.to, *hop.pool, hop.keeps_room_of);
}

// An event of its own for a value that was at this place of a chunk; null, and the value is gone,
// without memory for it.
Event* Flow::part(std::byte* value, const ValueType& type, const Chunk& of,
                  std::uint32_t at) noexcept {
  Event* event = nullptr;
  try {
    event = &make_event();
  } catch (const std::bad_alloc&) {
    if (type.destroy != nullptr) type.destroy(value);
    return nullptr;
  }
  type.move(value, event->storage());
  event->type = &type;
  belongs_to(*event, of, at);
  return event;
}

void Flow::belongs_to(Event& event, const Chunk& of, std::uint32_t at) noexcept {
  if (of.pieces == nullptr) return;
  event.pieces = &of.pieces_at(at);
  event.mark(Event::kExtras);
}

// Those of the chunk that it comes from, if nobody has them yet.
void Flow::take_times(Event& event, Chunk& chunk) noexcept {
  const Nanos emitted = std::exchange(chunk.emitted_ns, 0);
  if (emitted == 0) return;
  try {
    event.take_times({.emitted_ns = emitted, .entered_ns = chunk.entered_ns});
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): they are not taken
  }
}

// --- what ends with a chunk ---

// What was at the places from `from` to `to` is an event that ends so, or a piece of one.
void Flow::end_values(const Chunk& of, std::uint32_t from, std::uint32_t to, End how) noexcept {
  metrics::Shard& shard = registry_->shard();
  if (of.pieces == nullptr) {
    shard.add(counters_.of(how), to - from);
    return;
  }
  std::array<std::uint32_t, 3> ended{};
  for (std::uint32_t at = from; at < to; ++at) {
    if (const std::optional<End> event = of.pieces_at(at).end(how)) {
      ++ended[static_cast<std::size_t>(*event)];
    }
  }
  const std::uint32_t all = ended[0] + ended[1] + ended[2];
  if (all == 0) return;
  for (const End end : {End::completed, End::failed, End::dropped}) {
    if (const std::uint32_t count = ended[static_cast<std::size_t>(end)]) {
      shard.add(counters_.of(end), count);
    }
  }
  of.pieces->ended(all);
}

// A value that was sent for, and will not be run.
void Flow::lose_sent(const Stage& stage, const Chunk& of, std::uint32_t at) noexcept {
  constexpr ErrorCode kFull = ErrorCode::resource_exhausted;
  stage.only_implementation->count_done(&kFull, call::Ending::refused, {});
  end_values(of, at, at + 1, End::dropped);
}

void Flow::on_chunk_refused(exec::Request& request) noexcept {
  auto& chunk = static_cast<Chunk&>(request);
  Flow& flow = *chunk.stage->flow;
  flow.leave_queue(chunk);
  flow.destroy_values(chunk, *chunk.stage->takes);
  for (std::uint32_t at = 0; at < chunk.count; ++at) flow.lose_sent(*chunk.stage, chunk, at);
  flow.chunks_.give_back(chunk);
}

exec::Pool* Flow::entry_for_chunk(const exec::Request& request) noexcept {
  const Stage& stage = *static_cast<const Chunk&>(request).stage;
  return stage.after.empty() ? nullptr : &stage.flow->entry();
}

void Flow::leave_queue(Chunk& chunk) noexcept {
  exec::Pool::took_room(chunk);
  std::exchange(chunk.more_in, nullptr)->none_more(chunk);
}

void Flow::destroy_values(Chunk& chunk, const ValueType& type) const noexcept {
  if (type.destroy == nullptr) return;
  for (std::uint32_t at = 0; at < chunk.count; ++at) type.destroy(value_in(chunk, at));
}

}  // namespace penstock::flow
