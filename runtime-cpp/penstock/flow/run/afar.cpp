// How values go to a stage that another binary runs, and on when they are back.
#include <bit>
#include <string_view>

#include "penstock/flow/graph/flow.hpp"
#include "penstock/flow/run/values.hpp"

namespace penstock::flow {

// An event that carries nothing but its value. False: its stage is to be run.
bool Flow::take_afar(Event& event) noexcept {
  Stage& stage = *event.stage;
  if (!stage.afar->take(stage, static_cast<std::byte*>(event.storage()))) return false;
  event.type = nullptr;
  free_event(event);
  return true;
}

void Flow::keep_room(Chunk& chunk, std::uint32_t values) noexcept {
  chunk.owner = &kChunkOwner;
  chunk.keeps_room_of = &entry();
  chunk.more = static_cast<std::uint16_t>(values - 1);
  exec::Pool::keep_room(chunk);
}

Event* Flow::fail_afar(Stage& stage, Chunk& chunk, std::uint32_t at, ErrorCode code,
                       std::string_view text) noexcept {
  Event* const event = part(value_in(chunk, at), *stage.takes, chunk, at);
  if (event == nullptr) {
    lose_sent(stage, chunk, at);
    return nullptr;
  }
  event->stage = &stage;
  event->activation.implementation = stage.only_implementation;
  event->activation.context.deadline_ns = 0;
  set_failure(*event, code, text);
  return event;
}

void Flow::came_back(Stage& stage, Chunk& chunk, Afterwards& afterwards) noexcept {
  exec::Worker& here = *exec::Worker::current();
  const auto done =
      static_cast<std::uint32_t>(std::popcount(afterwards.goes_on | afterwards.ended));
  metrics::Shard& shard = registry_->shard();
  shard.add(stage.count, done);
  shard.add(stage.only_implementation->done, done);
  for_each_value(afterwards.ended,
                 [&](std::uint32_t at) { end_values(chunk, at, at + 1, End::completed); });
  Agenda agenda;
  while (auto* const event = static_cast<Event*>(afterwards.failed.pop()))
    leave_stage(*event, here, agenda);
  const bool whole =
      afterwards.is_all && std::popcount(afterwards.goes_on) == static_cast<int>(chunk.count);
  Chunk* const row = whole ? &chunk : take_out(chunk, afterwards.goes_on, *stage.gives);
  if (row != nullptr) {
    go_on_behind(stage, *row, here, agenda);
  } else {
    for_each_value(afterwards.goes_on, [&](std::uint32_t at) {
      Event* const event = part(value_in(chunk, at), *stage.gives, chunk, at);
      if (event == nullptr) return end_values(chunk, at, at + 1, End::dropped);
      event->stage = &stage;
      depart(*event, stage.next, {&here, true}, agenda);
    });
  }
  if (afterwards.is_all && !whole) chunks_.give_back(chunk);
  run(agenda, here);
}

// Some of a chunk's values, in another one; null: there are none, or there is no memory.
Chunk* Flow::take_out(Chunk& chunk, Values values, const ValueType& type) noexcept {
  Chunk* const row = values != 0 ? chunk_or_null() : nullptr;
  if (row != nullptr) take_values(*row, chunk, values, 0, type);
  return row;
}

void Flow::go_on_behind(Stage& stage, Chunk& chunk, exec::Worker& here, Agenda& agenda) noexcept {
  if (!stage.next.empty()) return divide(stage, chunk, here, agenda);
  destroy_values(chunk, *stage.gives);
  end_values(chunk, 0, chunk.count, End::completed);
  chunks_.give_back(chunk);
}

}  // namespace penstock::flow
