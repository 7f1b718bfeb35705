#include "penstock/flow/graph/segment.hpp"

#include <algorithm>

#include "penstock/flow/graph/flow.hpp"

namespace penstock::flow {

Segment::Segment(Stage& first_, std::size_t value_bytes)
    : first(first_), spare(new std::byte[value_bytes == 0 ? 1 : value_bytes]) {
  passing_.got = &on_got;
  passing_.segment = this;
  activation.locals.pass_on(passing_);
}

bool Segment::make(std::uint64_t version_, exec::Worker& here) noexcept {
  metrics::Shard& shard = first.flow->registry().shard();
  count = 0;
  version = version_;
  ends_in_spare = false;
  next = &first;
  do {
    void* const handler = here.object(next->slot);
    if (handler == nullptr) {
      // Its first event makes it; then there is more to look up.
      version = 0;
      break;
    }
    Stage& stage = *next;
    steps[count] = {stage.steps,
                    handler,
                    stage.only_implementation,
                    &shard.cell(count == 0 ? stage.plain_ends : stage.plain_runs),
                    &stage,
                    nullptr};
    handlers[count] = handler;
    implementations[count] = stage.only_implementation;
    if (stage.role == Role::map) ends_in_spare = !ends_in_spare;
    value = stage.gives;
    next = stage.only_next;
    ++count;
    // Acquire: who sees the pool sees its threads.
    pool = next != nullptr ? next->join.load(std::memory_order_acquire) : nullptr;
  } while (next != nullptr && next->plain && pool == nullptr && count < steps.size());
  if (shard.shared()) version = 0;
  if (count == 0 || shard.shared()) return false;

  find_chains();
  completed = &shard.cell(first.flow->counters().completed);
  activation.implementation = first.only_implementation;
  activation.begin(here);
  activation.cause.is_event(first.flow->entry());
  keeps_room_of = &here.pool() != pool ? &here.pool() : nullptr;
  if (next != nullptr && next->plain && pool != nullptr) {
    then = Then::hops;
    sent = &shard.cell(next->only_implementation->sent);
  } else if (steps[count - 1].stage->next.empty()) {
    then = Then::ends;
  } else {
    then = Then::departs;
  }
  drawn_then_ = then;
  return true;
}

// The event goes the slow way behind its last step, a row stops behind the value at hand.
void Segment::on_got(call::Locals::Passing& passing) noexcept {
  Segment& segment = *static_cast<Passing&>(passing).segment;
  if (segment.row != nullptr) {
    segment.row->count = 0;
  } else {
    segment.then = Then::departs;
  }
}

void Segment::give_locals(Event& event) noexcept {
  then = drawn_then_;
  event.mark(Event::kExtras);
  activation.locals.move_to(event.activation.locals);
}

void Segment::end_locals() noexcept {
  const call::Activating activating(&activation);
  activation.locals.end();
  then = drawn_then_;
}

void Segment::find_chains() noexcept {
  for (std::uint32_t at = 0; at < count; ++at) {
    const Stage& begins = *steps[at].stage;
    const Stage::Composed& composed = begins.composed;
    bool whole = composed.run != nullptr && composed.count <= count - at;
    for (std::uint32_t behind = 1; whole && behind < composed.count; ++behind) {
      whole = steps[at + behind].stage->index == begins.index + behind;
    }
    if (whole) steps[at].composed = &composed;
  }
}

void Segment::slow_down(std::uint32_t values, Nanos took) const noexcept {
  const Nanos at_once = values * defaults::kChunkNanos / took;
  first.at_once.store(static_cast<std::uint32_t>(std::max<Nanos>(at_once, 1)),
                      std::memory_order_relaxed);
}

void Segment::set_pace() const noexcept {
  Nanos all = 1;
  for (std::uint32_t at = 0; at < count; ++at) all += steps[at].implementation->pace.ns();
  first.at_once.store(static_cast<std::uint32_t>(std::clamp<Nanos>(defaults::kChunkNanos / all, 1,
                                                                   defaults::kMostInChunk)),
                      std::memory_order_relaxed);
}

}  // namespace penstock::flow
