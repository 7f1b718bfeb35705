// How what handlers and sources emit is gathered into chunks.
#include <algorithm>
#include <new>
#include <utility>

#include "penstock/call/frame/frame.hpp"
#include "penstock/flow/graph/flow.hpp"

namespace penstock::flow {

namespace {

void* make_gather(const void* from) {
  return new Gather(*static_cast<Flow*>(const_cast<void*>(from)));  // NOLINT: as a handler
}
void destroy_gather(void* gather) noexcept { delete static_cast<Gather*>(gather); }

constexpr Nanos cost_of(std::uint32_t values, std::uint32_t at_once) noexcept {
  return defaults::kChunkNanos / at_once * values;
}

}  // namespace

Gather::Gather(Flow& of) noexcept : flow(&of) { job_ended = &Flow::on_job_ended; }

exec::Pool& Flow::pool_before(const Stage& first, exec::Worker*& only) noexcept {
  // Acquire: who sees the pool sees its threads.
  exec::Pool* const join = first.join.load(std::memory_order_acquire);
  // Nothing fuses with its source: to where the service is placed.
  only = join == nullptr ? first.service->only_worker() : nullptr;
  return join != nullptr ? *join : *first.service->pool;
}

// Of a worker whose handler emits; null: the event is to go alone.
void* Flow::open_place(exec::Worker& here) noexcept {
  exec::Worker::Gathered* const open = here.gathered();
  auto* gather = static_cast<Gather*>(here.object(gather_slot_));
  if (open != nullptr && (open != gather || gather->count == gather->most)) {
    open->job_ended(*open, here, nullptr);
  }
  const call::Activation* const pusher = call::current_activation();
  const call::Implementation* const running = call::t_turn.running.load(std::memory_order_relaxed);
  // A handler that takes long, or waits, would keep them back.
  const bool quick =
      pusher != nullptr && !pusher->may_block && running != nullptr && running->pace.quick();
  if (!quick || carries_context(*pusher)) return nullptr;
  if (gather == nullptr) {
    try {
      gather = static_cast<Gather*>(
          call::keep_on(here, gather_slot_, &make_gather, this, &destroy_gather));
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  void* const place = place_in(*gather);
  if (place != nullptr) {
    here.gathered(gather);
    gather->held_back_at = pusher->cause.held_back_at();
  }
  return place;
}

// For one more value of a thread's own. The first one counts as emitted at once, so that something
// is seen to be under way; the others when they are sent.
void* Flow::place_in(Gather& gather) noexcept {
  metrics::Shard& shard = registry_->shard();
  // Who is followed goes alone; nobody is where nothing is sampled.
  if (shard.shared() ||
      (follow_next_.load(std::memory_order_relaxed) && registry_->sampling() != 0)) {
    return nullptr;
  }
  if (gather.count == 0) {
    exec::Worker* only = nullptr;
    const exec::Pool& pool = pool_before(*chunk_entry_, only);
    gather.most = std::min(most_at_once(*chunk_entry_, &pool), most_in_chunk_);
    if (gather.most < 2) return nullptr;
    try {
      if (gather.chunk == nullptr) gather.chunk = &chunks_.take();
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
    gather.shard = &shard;
    gather.kept_ns = 0;
    count_emitted(shard, 1);
    // A chunk is drawn as an event is, and stands for all that are in it.
    if (registry_->sampled(counters_.units))
      gather.chunk->emitted_ns = gather.chunk->entered_ns = now_ns();
  }
  return gather.chunk->values() + gather.count++ * stride_;
}

void Flow::count_emitted(metrics::Shard& shard, std::uint32_t values) const noexcept {
  shard.add(counters_.emitted, values);
  shard.add(chunk_entry_->only_implementation->sent, values);
}

void Flow::emit(Event& event, Gather& gather) noexcept {
  const bool bare =
      chunk_entry_ != nullptr && event.type == chunk_entry_->takes && event.marks == 0;
  if (gather.count != 0 && gather.count == gather.most) send(gather, nullptr);
  void* const place = bare ? place_in(gather) : nullptr;
  if (place == nullptr) {
    send(gather, nullptr);
    emit(event);
    return;
  }
  event.type->move(event.storage(), place);
  give_back_event(event, value_bytes_);
}

void Flow::on_job_ended(exec::Worker::Gathered& gathered, exec::Worker& here,
                        const exec::Job* next) noexcept {
  auto& gather = static_cast<Gather&>(gathered);
  if (next != nullptr && gather.count < gather.most) {
    // It may gather more, and it is soon done.
    const Stage* stage = nullptr;
    std::uint32_t values = 1;
    if (next->run == &on_job) {
      stage = static_cast<const Event*>(next)->stage;
    } else if (next->run == &on_chunk) {
      stage = static_cast<const Chunk*>(next)->stage;
      values = static_cast<const Chunk*>(next)->count;
    }
    if (stage != nullptr && stage->plain) {
      gather.kept_ns += cost_of(values, stage->at_once.load(std::memory_order_relaxed));
      if (gather.kept_ns < defaults::kChunkNanos) return;
    }
  }
  gather.flow->send(gather, &here);
}

void Flow::send(Gather& gather, exec::Worker* here) noexcept {
  if (here != nullptr) here->gathered(nullptr);
  const std::uint32_t count = std::exchange(gather.count, 0);
  if (count == 0 || chunk_entry_ == nullptr) return;
  count_emitted(*gather.shard, count - 1);
  Stage& to = *chunk_entry_;
  Hop hop{.to = &to};
  hop.pool = &pool_before(to, hop.only);
  exec::Pool* const before = here != nullptr ? &here->pool() : nullptr;
  if (before != hop.pool) hop.keeps_room_of = before;
  // The handler that pushed them is not at work any more, which else would say where (entry_for).
  if (gather.held_back_at != nullptr && (hop.keeps_room_of == nullptr || before->is_kept())) {
    hop.keeps_room_of = gather.held_back_at;
  }
  if (count == 1) {
    // It stays ours, for those to come.
    send_alone(*gather.chunk, 0, hop);
    gather.chunk->emitted_ns = 0;
    return;
  }
  Chunk& chunk = *std::exchange(gather.chunk, nullptr);
  chunk.count = count;
  send(chunk, hop);
}

}  // namespace penstock::flow
