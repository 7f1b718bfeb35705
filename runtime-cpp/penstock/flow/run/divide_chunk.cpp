// How a chunk goes on where there are several ways: each value on one of them, or on several.
#include <array>
#include <bit>
#include <new>
#include <utility>

#include "penstock/flow/graph/flow.hpp"
#include "penstock/flow/run/values.hpp"

namespace penstock::flow {

namespace {

constexpr Values first_ones(std::uint32_t count) noexcept {
  return count == 0 ? 0 : ~Values{0} >> (64 - count);
}
constexpr bool has(Values values, std::uint32_t at) noexcept { return (values >> at & 1) != 0; }

}  // namespace

/// Who takes which values of a chunk.
struct Flow::Ways {
  struct Way {
    Stage* to = nullptr;
    Values takes = 0;
  };
  /// On which values stay together; from a stage with more of them all go one by one.
  static constexpr std::size_t kMost = 16;

  std::array<Way, kMost> all;
  std::uint32_t count = 0;
  Values taken = 0;       ///< by any
  Values several = 0;     ///< by more than one
  Values everywhere = 0;  ///< by all

  /// False: there are too many.
  [[nodiscard]] bool find(const Stage& behind, Chunk& chunk, std::size_t stride) noexcept {
    for (const Link& link : behind.next) {
      // Links to one stage follow each other.
      if (count == 0 || all[count - 1].to != link.to) {
        if (count == kMost) return false;
        all[count++] = {.to = link.to};
      }
      all[count - 1].takes |= taken_by(link, chunk, stride);
    }
    everywhere = first_ones(chunk.count);
    for (std::uint32_t at = 0; at < count; ++at) {
      several |= taken & all[at].takes;
      taken |= all[at].takes;
      everywhere &= all[at].takes;
    }
    return true;
  }
  [[nodiscard]] std::uint32_t takers_of(std::uint32_t value) const noexcept {
    if (has(everywhere, value)) return count;
    std::uint32_t takers = 0;
    for (std::uint32_t at = 0; at < count; ++at) takers += has(all[at].takes, value) ? 1 : 0;
    return takers;
  }
  /// What ways behind this one take, too.
  [[nodiscard]] Values taken_behind(std::uint32_t way) const noexcept {
    Values behind = 0;
    for (std::uint32_t at = way + 1; at < count; ++at) behind |= all[at].takes;
    return behind;
  }

 private:
  static Values taken_by(const Link& link, Chunk& chunk, std::size_t stride) noexcept {
    if (link.when.empty()) return first_ones(chunk.count);
    Values values = 0;
    const std::byte* value = chunk.values();
    for (std::uint32_t at = 0; at < chunk.count; ++at, value += stride) {
      values |= Values{link.taken(value) ? 1U : 0U} << at;
    }
    return values;
  }
};

// Values that go on to one stage go there together, and none overtakes another on a way. The last
// way keeps the block.
void Flow::divide(Stage& last, Chunk& chunk, exec::Worker& here, Agenda& agenda) noexcept {
  const ValueType& type = *last.gives;
  Ways ways;
  // The times of a sampled one are those of its first value; and where ways meet again it would be
  // seen who comes first.
  const bool together = chunk.emitted_ns == 0 && last.ways_part;
  if (!together || !ways.find(last, chunk, stride_) || !make_pieces(chunk, ways)) {
    go_on_one_by_one(last, chunk, here, agenda);
    return;
  }
  const Values untaken = first_ones(chunk.count) & ~ways.taken;
  for_each_value(untaken, [&](std::uint32_t at) {
    if (type.destroy != nullptr) type.destroy(value_in(chunk, at));
    if (chunk.pieces != nullptr) end_values(chunk, at, at + 1, End::completed);
  });
  if (untaken != 0 && chunk.pieces == nullptr) {
    registry_->shard().add(counters_.completed, static_cast<std::uint32_t>(std::popcount(untaken)));
  }
  bool passed_on = false;
  for (std::uint32_t at = 0; at < ways.count; ++at) {
    Stage& to = *ways.all[at].to;
    const Values takes = ways.all[at].takes;
    const Values behind = ways.taken_behind(at);
    if (takes == 0) continue;
    passed_on = behind == 0 && to.in_chunks;
    Chunk* const row = passed_on ? &chunk : to.in_chunks ? chunk_or_null() : nullptr;
    if (row == nullptr) {
      for_each_value(takes, [&](std::uint32_t value) {
        go_alone(chunk, value, type, has(behind, value), to, here, agenda);
      });
      continue;
    }
    take_values(*row, chunk, takes, behind, type);
    go_together(*row, to, here, agenda);
  }
  if (!passed_on) chunks_.give_back(chunk);
}

Chunk* Flow::chunk_or_null() noexcept {
  try {
    return &chunks_.take();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

// Of each event that goes several ways. False: there is no memory for it.
bool Flow::make_pieces(Chunk& chunk, const Ways& ways) noexcept {
  if (ways.several == 0) return true;
  if (chunk.pieces == nullptr) {
    try {
      chunk.pieces = &PiecesOfMany::make(chunk.count);
    } catch (const std::bad_alloc&) {
      return false;
    }
    for (std::uint32_t at = 0; at < chunk.count; ++at) {
      chunk.places[at] = static_cast<std::uint8_t>(at);
    }
  }
  for_each_value(ways.several,
                 [&](std::uint32_t at) { chunk.pieces_at(at).add(ways.takers_of(at) - 1); });
  return true;
}

// Copies of those that go on elsewhere, too.
void Flow::take_values(Chunk& row, Chunk& from, std::uint64_t takes, std::uint64_t elsewhere,
                       const ValueType& type) noexcept {
  // It has what it takes.
  if (&row == &from && takes == first_ones(from.count)) return;
  std::uint32_t count = 0;
  for_each_value(takes, [&](std::uint32_t at) {
    std::byte* const value = value_in(from, at);
    std::byte* const place = value_in(row, count);
    if (has(elsewhere, at)) {
      try {
        type.copy(value, place);
      } catch (...) {
        end_values(from, at, at + 1, End::dropped);
        return;
      }
    } else if (value != place) {
      type.move(value, place);
    }
    row.places[count++] = from.places[at];
  });
  row.count = count;
  row.pieces = from.pieces;
}

void Flow::go_together(Chunk& row, Stage& to, exec::Worker& here, Agenda& agenda) noexcept {
  registry_->shard().add(to.only_implementation->sent, row.count);
  exec::Pool* const before = &here.pool();
  // Acquire: who sees the pool sees its threads.
  exec::Pool* const pool = to.join.load(std::memory_order_acquire);
  send(row, {.to = &to,
             .pool = pool,
             .only = nullptr,
             .keeps_room_of = before != pool ? before : nullptr,
             .agenda = &agenda});
}

// A value, or a copy of it. Those before it have first come to their ends on this worker: one that
// fails and is caught has more stages to go through than those behind it.
void Flow::go_alone(Chunk& chunk, std::uint32_t at, const ValueType& type, bool copies, Stage& to,
                    exec::Worker& here, Agenda& agenda) noexcept {
  run(agenda, here);
  std::byte* const value = value_in(chunk, at);
  Event* const event = copies ? copy_of(value, type, chunk, at) : part(value, type, chunk, at);
  if (event == nullptr) {
    end_values(chunk, at, at + 1, End::dropped);
    return;
  }
  send(*event, to, {&here, true}, agenda);
}

Event* Flow::copy_of(const std::byte* value, const ValueType& type, const Chunk& of,
                     std::uint32_t at) noexcept {
  Event* event = nullptr;
  try {
    event = &make_event();
    type.copy(value, event->storage());
  } catch (...) {
    if (event != nullptr) free_event(*event);
    return nullptr;
  }
  event->type = &type;
  belongs_to(*event, of, at);
  return event;
}

// Each to its end on this worker before the next one, as if they had come so.
void Flow::go_on_one_by_one(Stage& last, Chunk& chunk, exec::Worker& here,
                            Agenda& agenda) noexcept {
  for (std::uint32_t at = 0; at < chunk.count; ++at) {
    run(agenda, here);
    Event* const event = part(value_in(chunk, at), *last.gives, chunk, at);
    if (event == nullptr) {
      end_values(chunk, at, at + 1, End::dropped);
      continue;
    }
    take_times(*event, chunk);
    event->stage = &last;
    depart(*event, last.next, {&here, true}, agenda);
  }
  chunks_.give_back(chunk);
}

}  // namespace penstock::flow
