// How a row of values goes through one step of a segment, and who leaves the row there.
#include <algorithm>
#include <utility>

#include "penstock/flow/graph/flow.hpp"

namespace penstock::flow {

// How many values it has ended, but for pieces, which it has ended itself.
std::uint32_t Flow::run_step(Segment& segment, std::uint32_t at, Row& row, Chunk& chunk,
                             mailbox::LocalQueue& failed) noexcept {
  const Segment::Step& step = segment.steps[at];
  const std::uint32_t count = row.count;
  // Else nobody would know which of them it has ended.
  const bool one_by_one = chunk.pieces != nullptr && step.stage->may_end;
  std::uint32_t threw = 0;
  while (row.taken != count && !segment.stops_row()) {
    const Place before{row.taken, row.made};
    std::uint32_t threw_now = 0;
    row.count = one_by_one ? row.taken + 1 : count;
    try {
      step.steps.many(step.handler, row);
    } catch (...) {
      threw_now = 1;
      fail(segment, at, row, chunk, failed);
    }
    threw += threw_now;
    if (chunk.pieces != nullptr) follow(segment, chunk, before, row, threw_now);
  }
  metrics::Shard::count_up(*step.runs, row.taken - threw);
  return chunk.pieces != nullptr ? 0 : row.taken - threw - row.made;
}

// The steps from `at` on, as one; how many values they have ended, or were at the flow's end, but
// for pieces.
std::uint32_t Flow::run_chain(Segment& segment, std::uint32_t at, Row& row, Chunk& chunk,
                              mailbox::LocalQueue& failed) noexcept {
  const Stage::Composed& composed = *segment.steps[at].composed;
  const bool to_end = segment.then == Segment::Then::ends && at + composed.count == segment.count;
  const Stage::Chained run_all = to_end ? composed.run_to_end : composed.run;
  Chain chain{.handlers = &segment.handlers[at], .implementations = &segment.implementations[at]};
  const std::uint32_t count = row.count;
  const auto* const first = &segment.steps[at];
  const bool one_by_one = chunk.pieces != nullptr &&
                          std::any_of(first, first + composed.count, [](const Segment::Step& step) {
                            return step.stage->may_end;
                          });
  while (row.taken != count && !segment.stops_row()) {
    const Place before{row.taken, row.made};
    std::uint32_t threw = 0;
    row.count = one_by_one ? row.taken + 1 : count;
    try {
      run_all(chain, row);
    } catch (...) {
      threw = 1;
      fail(segment, at + chain.failed_at, row, chunk, failed);
    }
    // Of one that is through the flow.
    if (to_end && segment.has_locals()) segment.end_locals();
    if (chunk.pieces != nullptr) follow(segment, chunk, before, row, threw);
  }
  std::uint32_t reached = row.taken;
  std::uint32_t ended = 0;
  for (std::uint32_t stage = 0; stage < composed.count; ++stage) {
    reached -= chain.threw[stage];
    metrics::Shard::count_up(*segment.steps[at + stage].runs, reached);
    reached -= chain.ended[stage];
    ended += chain.ended[stage];
  }
  if (chunk.pieces != nullptr) {
    if (to_end) end_values(chunk, 0, std::exchange(row.made, 0), End::completed);
    return 0;
  }
  if (to_end) ended += std::exchange(row.made, 0);
  return ended;
}

// Pieces keep their places beside their values, which have moved up; one that was ended, and taken
// alone, has none any more.
void Flow::follow(Segment& segment, Chunk& chunk, Place before, const Row& row,
                  std::uint32_t threw) noexcept {
  const std::uint32_t went_on = row.made - before.made;
  if (row.taken - before.taken == went_on + threw) {
    if (before.made == before.taken) return;
    auto* const places = chunk.places.data();
    std::copy_n(places + before.taken, went_on, places + before.made);
  } else {
    if (segment.has_locals()) segment.end_locals();
    end_values(chunk, before.taken, row.taken, End::completed);
  }
}

// The value at hand, in a catch.
void Flow::fail(Segment& segment, std::uint32_t at, Row& row, const Chunk& chunk,
                mailbox::LocalQueue& failed) noexcept {
  const Segment::Step& step = segment.steps[at];
  const Stage& stage = *step.stage;
  const std::uint32_t place = row.taken++;
  if (at != 0) registry_->shard().add(step.implementation->sent);
  Event* const event = part(row.in + place * row.stride, *stage.takes, chunk, place);
  if (event == nullptr) {
    segment.end_locals();
    lose_sent(stage, chunk, place);
    return;
  }
  if (segment.has_locals()) segment.give_locals(*event);
  event->stage = step.stage;
  event->activation.implementation = step.implementation;
  event->activation.context.deadline_ns = 0;
  set_failure(*event, std::current_exception());
  // Where there was no memory for a failure it is not caught.
  if (stage.rescue != nullptr && event->failure != nullptr) {
    segment.caught = event;
  } else {
    failed.push(*event);
  }
}

// A value has got something to carry, or is on its way to a catch behind which it may go on, so
// that its row has stopped behind it. It goes alone from here on, and so that none overtakes it,
// those behind it do, too.
void Flow::set_apart(Segment& segment, std::uint32_t at, std::uint32_t behind, Row& row,
                     const Chunk& chunk, std::uint32_t count, mailbox::LocalQueue& apart) noexcept {
  mailbox::LocalQueue earlier;
  const Stage& last = *segment.steps[behind - 1].stage;
  Event* const caught = std::exchange(segment.caught, nullptr);
  Event* carries = nullptr;
  if (caught == nullptr && row.goes_on) {
    --row.made;
    carries = part(row.out + row.made * row.stride, *last.gives, chunk, row.made);
  }
  if (caught != nullptr) {
    earlier.push(*caught);
  } else if (carries != nullptr) {
    carries->stage = segment.steps[behind - 1].stage;
    carries->activation.implementation = segment.steps[behind - 1].implementation;
    carries->mark(Event::kLeaving);
    segment.give_locals(*carries);
    earlier.push(*carries);
  } else {
    segment.end_locals();
    if (row.goes_on) end_values(chunk, row.made, row.made + 1, End::dropped);
  }
  const Segment::Step& first = segment.steps[at];
  for (; row.taken != count; ++row.taken) {
    if (at != 0) registry_->shard().add(first.implementation->sent);
    Event* const event =
        part(row.in + row.taken * row.stride, *first.stage->takes, chunk, row.taken);
    if (event == nullptr) {
      lose_sent(*first.stage, chunk, row.taken);
      continue;
    }
    event->stage = first.stage;
    event->activation.implementation = first.implementation;
    earlier.push(*event);
  }
  // Those that were set apart further on came before.
  while (mailbox::Node* const event = apart.pop()) earlier.push(*event);
  apart = earlier;
}

}  // namespace penstock::flow
