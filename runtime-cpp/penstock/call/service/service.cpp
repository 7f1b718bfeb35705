#include "penstock/call/service/service.hpp"

#include <algorithm>
#include <utility>

#include "penstock/base/defaults.hpp"
#include "penstock/base/random.hpp"

namespace penstock {

std::string_view to_string(Kind kind) noexcept {
  switch (kind) {
    case Kind::simple:
      return "simple";
    case Kind::single_threaded:
      return "single-threaded";
    case Kind::sync_remote:
      return "sync-remote";
    case Kind::async_remote:
      return "async-remote";
  }
  return "simple";
}

namespace call {

namespace {

// The handler objects of one worker's thread.
class Handlers final : public exec::Worker::Local {
 public:
  Handlers() = default;
  Handlers(const Handlers&) = delete;
  Handlers& operator=(const Handlers&) = delete;
  ~Handlers() override {
    // Its thread runs nothing and looks for no answers any more: send() refuses what they ask.
    Activation leaving;
    leaving.may_block = true;
    const Activating at(&leaving);
    for (const auto& [handler, destroy] : objects_) destroy(handler);
  }

  // Remembers it for its end; throws std::bad_alloc before it is made.
  template <class Make>
  void* add(void (*destroy)(void*) noexcept, const Make& make) {
    if (objects_.size() == objects_.capacity())
      objects_.reserve(objects_.size() + objects_.size() / 2 + 8);
    void* const handler = make();
    objects_.emplace_back(handler, destroy);
    return handler;
  }

 private:
  std::vector<std::pair<void*, void (*)(void*) noexcept>> objects_;
};

void* make(const void* from) {
  const auto& implementation = *static_cast<const Implementation*>(from);
  void* const handler = implementation.type.create();
  const Implementation::Type& type = implementation.type;
  const Implementation::Extras* const extras = implementation.extras.get();
  if (extras == nullptr) return handler;
  if (extras->shared != nullptr) type.set_shared(handler, extras->shared);
  for (const Wire& wire : extras->wiring) wire.set(type.calls_of(handler), wire);
  for (const auto& give : extras->inlets) give(handler);
  return handler;
}

}  // namespace

Implementation::~Implementation() { end_objects(); }

void Implementation::end_objects() noexcept {
  if (objects == nullptr) return;
  const std::size_t places = service->partitions.all().size();
  for (std::size_t place = 0; place < places; ++place) {
    if (void* const object = std::exchange(objects[place], nullptr)) type.destroy(object);
  }
}

Implementations::~Implementations() {
  for (Implementation* const implementation : *this) delete implementation;
}

Implementation& Implementations::add(const Implementation::Type& type) {
  auto fresh = std::make_unique<Implementation>(type);
  if (first_ == nullptr) {
    first_ = fresh.get();
  } else if (several()) {
    list_->all.push_back(fresh.get());
  } else {
    list_ = std::make_unique<List>(List{{first_, fresh.get()}, {}});
  }
  return *fresh.release();
}

Implementation& Implementations::draw() const noexcept {
  const std::uint32_t count = size();
  if (!several() || list_->weights.empty()) return *begin()[random_below(count)];
  const std::vector<std::uint32_t>& weights = list_->weights;
  const std::uint32_t ticket = random_below(weights.back());
  std::size_t index = 0;
  while (weights[index] <= ticket) ++index;
  return *begin()[index];
}

void Implementations::set_shares(const std::vector<std::int32_t>& shares) {
  if (!several()) return;
  std::vector<std::uint32_t> weights;
  std::uint64_t sum = 0;
  for (const std::int32_t share : shares) sum += static_cast<std::uint32_t>(share);
  if (sum != 0) {
    // Scaled down where the sum is beyond a ticket's range.
    const std::uint64_t scale = sum / 0x7FFFFFFFU + 1;
    weights.reserve(shares.size());
    std::uint32_t cumulated = 0;
    for (const std::int32_t share : shares) {
      const auto part = static_cast<std::uint32_t>(static_cast<std::uint32_t>(share) / scale);
      cumulated += share > 0 && part == 0 ? 1 : part;
      weights.push_back(cumulated);
    }
  }
  list_->weights = std::move(weights);
}

Implementation::Extras& Implementation::give_extras() {
  if (extras == nullptr) extras = std::make_unique<Extras>();
  return *extras;
}

// Not one that the worker knows by its slot.
void* Implementation::find_handler(exec::Worker& worker, std::uint32_t place) {
  if (extras != nullptr && extras->borrowed != nullptr) return extras->borrowed;
  if (objects != nullptr) return handler_at(place);
  return keep_on(worker, slot, &make, this, type.destroy);
}

void* keep_on(exec::Worker& worker, std::uint32_t slot, void* (*make)(const void* from),
              const void* from, void (*destroy)(void*) noexcept) {
  if (worker.local() == nullptr) worker.set_local(std::make_unique<Handlers>());
  worker.reserve_objects(slot + 1U);
  void* const object =
      static_cast<Handlers*>(worker.local())->add(destroy, [make, from] { return make(from); });
  worker.set_object(slot, object);
  return object;
}

void* Implementation::handler_at(std::uint32_t place) {
  void*& object = objects[place];
  if (object == nullptr) object = make(this);
  return object;
}

void make_handlers(const Service& service, exec::Worker& worker) noexcept {
  const Partitions& turns = service.partitions;
  if (turns.exist()) {
    // Where the right is taken a request has come already, and makes them.
    if (turns.several() || !turns.first_to_prepare() || !turns.at(0).try_enter()) return;
  }
  for (Implementation* const implementation : service.implementations) {
    try {
      static_cast<void>(implementation->handler_on(worker, 0));
    } catch (...) {
      // Tried again by its first request.
    }
  }
  if (turns.exist()) give_back(*service.implementations.front(), 0);
}

void Pace::note(Nanos run) noexcept {
  const Nanos before = ns();
  // A thread that was preempted says nothing about the handler.
  const Nanos counted = std::min(run, before < 1'000'000'000 ? 4 * before + 1'000 : run);
  const Nanos now = before < 1'000'000'000 ? before + (counted - before) / 8 : run;
  ns_.store(now, std::memory_order_relaxed);
}

void Implementation::add_runs(std::uint32_t whole, std::uint32_t ends, const Timers& of_stage) {
  if (runs == nullptr) runs = std::make_unique<Runs>();
  runs->whole.push_back(whole);
  runs->ends.push_back(ends);
  runs->timers.push_back(of_stage);
}

std::vector<std::uint32_t> Implementation::timers_of(std::uint32_t Timers::*part) const {
  std::vector<std::uint32_t> all{timers.*part};
  if (runs == nullptr) return all;
  for (const Timers& of_stage : runs->timers) all.push_back(of_stage.*part);
  return all;
}

std::uint64_t Implementation::done_count() const {
  const std::uint64_t plain = service->registry->count(done);
  return runs == nullptr ? plain : plain + sum(runs->ends) + sum(runs->whole);
}

std::uint64_t Implementation::sent_events() const {
  const std::uint64_t plain = sent == 0 ? 0 : service->registry->count(sent);
  return runs == nullptr ? plain : plain + sum(runs->whole);
}

std::uint64_t Implementation::sum(const std::vector<std::uint32_t>& counters) const {
  std::uint64_t sum = 0;
  for (const std::uint32_t counter : counters) sum += service->registry->count(counter);
  return sum;
}

std::uint64_t Service::sent_count() const {
  std::uint64_t sent = asked.load(std::memory_order_relaxed);
  for (const CallSite* site = sites; site != nullptr; site = site->next) {
    sent += registry->count(site->count);
  }
  for (const Implementation* const part : implementations) sent += part->sent_events();
  return sent;
}

std::uint64_t Service::done_count() const {
  std::uint64_t done = 0;
  for (const Implementation* const part : implementations) done += part->done_count();
  return done;
}

void enroll(Service& service, metrics::Registry& registry, std::uint32_t& slots) {
  service.registry = &registry;
  if (service.kind == Kind::single_threaded) {
    const bool divided = service.implementations.front()->type.key != nullptr;
    service.partitions.make(divided ? defaults::kPartitions : 1);
  }
  const std::size_t places = service.partitions.all().size();
  std::uint32_t index = 0;
  for (Implementation* const implementation : service.implementations) {
    implementation->service = &service;
    implementation->index = index++;
    implementation->slot = slots++;
    implementation->done = registry.add_counters();
    implementation->errors = registry.add_rare_counters(kErrorCodes);
    implementation->stuck = registry.add_rare_counters();
    implementation->unserved = registry.add_rare_counters(kUnservedEndings);
    implementation->timers = Timers(registry);
    if (places != 0) implementation->objects = std::make_unique<void*[]>(places);
  }
}

void enroll(CallSite& site, metrics::Registry& registry) {
  site.count = registry.add_sampled_counter();
  site.errors = registry.add_rare_counters();
  site.next = std::exchange(site.callee->sites, &site);
}

namespace {

void mark_right(exec::Request& request) noexcept {
  request.marks = static_cast<std::uint16_t>(request.marks | exec::Request::kHasRight);
}

// It goes from its strand into the queue of its pool, which counts it from here on.
void enter_queue(exec::Request& request) noexcept {
  if (request.keeps_room_of == request.pool) exec::Pool::took_room(request);
}

// Gives up the right of `place`. Who has it now; null: nobody.
exec::Request* next_at(const Implementation& implementation, std::uint32_t place) noexcept {
  exec::Request* const next = implementation.service->partitions.at(place).leave();
  if (next != nullptr) mark_right(*next);
  return next;
}

// Whether its pool has become smaller. It would run a strand that is never without requests for
// ever and so never leave. In a pool that stops there is nobody else to do it.
bool was_removed(const exec::Worker& worker) noexcept {
  const unsigned size = worker.pool().size();
  return worker.index() >= size && size != 0;
}

}  // namespace

void submit_granted(exec::Request& request, const Implementation& implementation,
                    const Partition& partition) noexcept {
  mark_right(request);
  enter_queue(request);
  if (implementation.service->partitions.several()) {
    // Where its handler object is in the cache.
    request.pool->submit_near(request, implementation.slot + partition.index);
  } else {
    request.pool->submit_admitted(request);
  }
}

void pass_on(const Implementation& implementation, std::uint32_t place) noexcept {
  exec::Request* const next = next_at(implementation, place);
  if (next == nullptr) return;
  exec::Worker* const here = exec::Worker::current();
  exec::Pool& pool = *next->pool;
  if (here == nullptr || &here->pool() != &pool ||
      (next->only != here && (next->only != nullptr || was_removed(*here)))) {
    enter_queue(*next);
    pool.submit_admitted(*next);
    return;
  }
  // Several partitions that became busy here would otherwise share this thread for as long as they
  // are busy, while another one idles.
  const bool moves = implementation.service->partitions.several() && next->only == nullptr &&
                     (here->has_own_jobs() || here->depth() != 0) && pool.submit_to_idle(*next);
  if (!moves) here->post(*next);
}

void give_back(const Implementation& implementation, std::uint32_t place) noexcept {
  exec::Request* const next = next_at(implementation, place);
  if (next == nullptr) return;
  enter_queue(*next);
  next->pool->submit_admitted(*next);
}

}  // namespace call
}  // namespace penstock
