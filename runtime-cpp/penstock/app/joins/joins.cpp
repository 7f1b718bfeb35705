#include "penstock/app/joins/joins.hpp"

#include <algorithm>

#include "penstock/control/problem_codes.hpp"

namespace penstock::app {

std::string_view to_text(exec::Overflow overflow) noexcept {
  switch (overflow) {
    case exec::Overflow::block:
      return "block";
    case exec::Overflow::reject:
      return "reject";
    case exec::Overflow::shed_oldest:
      return "shed-oldest";
  }
  return "block";
}

namespace {

using control::Joined;
using control::Outcome;
using control::Refusal;

exec::Overflow overflow_of(const std::string& text) noexcept {
  return text == "reject"        ? exec::Overflow::reject
         : text == "shed-oldest" ? exec::Overflow::shed_oldest
                                 : exec::Overflow::block;
}
exec::Overflow overflow_of(config::Overflow overflow) noexcept {
  switch (overflow) {
    case config::Overflow::reject:
      return exec::Overflow::reject;
    case config::Overflow::shed_oldest:
      return exec::Overflow::shed_oldest;
    case config::Overflow::block:
      break;
  }
  return exec::Overflow::block;
}

exec::PoolSettings settings_of(const config::Join& join) {
  exec::PoolSettings settings;
  settings.threads.resize(std::max(join.threads, 1U));
  settings.queue = join.queue;
  settings.overflow = overflow_of(join.overflow);
  return settings;
}

double since_ms(Nanos begun) noexcept { return static_cast<double>(now_ns() - begun) / 1e6; }

std::string place_text(const Place& place) {
  return place.pool != nullptr ? "one thread of pool " + place.pool->name()
                               : std::string("the one thread of the join");
}

// Where the events of a stage without a join run: on the thread of a stage before it.
exec::Pool& pool_before(const flow::Flow& flow, const flow::Stage& stage) {
  const JoinChange removed{&stage, false, {}};
  return *places_of(flow, &removed)[stage.index].front().pool;
}

}  // namespace

std::optional<Refusal> Joins::why_not(const flow::Flow& flow, const JoinChange* change,
                                      const exec::Pool* wide) {
  const auto places = places_of(flow, change);
  for (const flow::Stage& stage : flow.stages()) {
    if (stage.service->kind != Kind::sync_remote) continue;
    for (const Place& place : places[stage.index]) {
      if (place.threads != 1 || (wide != nullptr && place.pool == wide)) continue;
      return Refusal{control::problem::kJoinDoesNotFit,
                     "the sync-remote stage " + stage.id + " of " + flow.name() + " would run on " +
                         place_text(place) +
                         ", and every event behind it would wait while it blocks",
                     "give the join, or the pool it runs on, two threads at least"};
    }
  }
  return std::nullopt;
}

exec::Pool* Joins::drawn(const std::string& name) const {
  for (const auto& pool : pools_) {
    if (pool->name() == name && pool->name().find('.') == std::string::npos) return pool.get();
  }
  return nullptr;
}

exec::Pool* Joins::own_of(const flow::Stage& stage) const {
  const auto found = own_.find(&stage);
  return found == own_.end() ? nullptr : found->second;
}

bool Joins::is_own(const exec::Pool& pool) const {
  return std::any_of(own_.begin(), own_.end(),
                     [&pool](const auto& own) { return own.second == &pool; });
}

exec::Pool& Joins::make_own(const flow::Flow& flow, const flow::Stage& stage,
                            exec::PoolSettings settings) {
  settings.name = flow.name() + "." + stage.id;
  exec::Pool& pool = pools_.add(std::make_unique<exec::Pool>(std::move(settings)));
  own_.emplace(&stage, &pool);
  return pool;
}

void Joins::put(flow::Flow& flow, flow::Stage& stage, const config::Join& join) {
  exec::Pool& pool = make_own(flow, stage, settings_of(join));
  pool.set_cached(join.threads == Place::kCached);
  flow.set_join(stage, &pool);
}

exec::Pool& Joins::put_offered(const config::Join& join) {
  exec::PoolSettings settings = settings_of(join);
  settings.name = join.stage;
  exec::Pool& pool = pools_.add(std::make_unique<exec::Pool>(std::move(settings)));
  pool.set_cached(join.threads == Place::kCached);
  offered_.push_back(&pool);
  return pool;
}

void Joins::start() {
  for (const auto& [stage, pool] : own_) {
    if (pool->cached()) cached_.add(*pool);
  }
  for (exec::Pool* const pool : offered_) {
    if (pool->cached()) cached_.add(*pool);
  }
}

std::optional<control::Join> Joins::now(const flow::Stage& stage) const {
  const exec::Pool* const pool = stage.join.load(std::memory_order_acquire);
  if (pool == nullptr) return std::nullopt;
  if (pool != own_of(stage)) return control::Join{pool->name()};
  const int threads = pool->cached() ? 0 : static_cast<int>(pool->size());
  return control::Join{"", threads, static_cast<int>(pool->queue()),
                       std::string(to_text(pool->overflow()))};
}

Outcome<Joined> Joins::set(flow::Flow& flow, flow::Stage& stage, const control::Join& join) {
  if (join.pool.empty()) return set_own(flow, stage, join);
  exec::Pool* const pool = drawn(join.pool);
  if (pool == nullptr) {
    return Refusal{control::problem::kNoSuchPool,
                   "pool " + join.pool + " is not one of the binary's",
                   "name a pool of the binary, or give the join threads of its own"};
  }
  return set_drawn(flow, stage, *pool);
}

// So that quick work in a pool does not wait behind the threads that block.
void Joins::expect_blocking(const flow::Flow& flow, const JoinChange& change) const {
  const auto places = places_of(flow, &change);
  for (const flow::Stage& stage : flow.stages()) {
    if (stage.service->kind != Kind::sync_remote) continue;
    for (const Place& place : places[stage.index]) {
      if (place.pool != nullptr) place.pool->expect_blocking();
    }
  }
}

Outcome<Joined> Joins::set_drawn(flow::Flow& flow, flow::Stage& stage, exec::Pool& pool) {
  const Nanos begun = now_ns();
  const JoinChange change{&stage, true, {&pool, threads_of(pool)}};
  if (auto refusal = why_not(flow, &change)) return std::move(*refusal);
  expect_blocking(flow, change);
  flow.set_join(stage, &pool);
  retire_own(stage, pool);
  hooks_.changed();
  return Joined{pool.name(), static_cast<int>(pool.size()), since_ms(begun)};
}

Outcome<Joined> Joins::set_own(flow::Flow& flow, flow::Stage& stage, const control::Join& join) {
  const Nanos begun = now_ns();
  const auto threads = static_cast<unsigned>(join.threads);
  const JoinChange change{&stage, true, {own_of(stage), threads}};
  if (auto refusal = why_not(flow, &change)) return std::move(*refusal);
  if (auto refusal = run_own(flow, stage, threads, static_cast<std::uint32_t>(join.queue),
                             overflow_of(join.overflow))) {
    hooks_.changed();
    return std::move(*refusal);
  }
  expect_blocking(flow, {&stage, true, {own_of(stage), threads}});
  exec::Pool& pool = *own_of(stage);
  flow.set_join(stage, &pool);
  hooks_.changed();
  return Joined{pool.name(), static_cast<int>(pool.size()), since_ms(begun)};
}

// Gets the stage's own pool to run with these settings, new, asleep or in use.
std::optional<Refusal> Joins::run_own(flow::Flow& flow, flow::Stage& stage, unsigned threads,
                                      std::uint32_t queue, exec::Overflow overflow) {
  const bool cached = threads == Place::kCached;
  const unsigned wanted = std::max(threads, 1U);
  if (cached) cached_.prepare();  // first, because it may throw, and then all is to be as before
  exec::Pool* pool = own_of(stage);
  unsigned before = 0;
  unsigned actual = 0;
  if (pool == nullptr) {
    exec::PoolSettings settings;
    settings.threads.resize(wanted);
    settings.queue = queue;
    settings.overflow = overflow;
    pool = &make_own(flow, stage, std::move(settings));
    pool->set_cached(cached);
    hooks_.prepare(*pool);
    std::vector<std::string> none;
    try {
      static_cast<void>(pool->start(true, none));
    } catch (const std::system_error&) {
      // Fewer than asked: said below.
    }
    actual = pool->size();
  } else if (pool->retired()) {
    pool->set_cached(cached);
    pool->set_limits(queue, overflow);
    actual = pool->unretire(wanted);
  } else {
    cached_.remove(*pool);
    before = pool->size();
    // Before the rest: it may be refused, too. One that becomes cached keeps what it has: those
    // that are not needed leave later.
    actual = cached ? wanted : pool->resize(wanted);
    if (actual == wanted) {
      pool->set_cached(cached);
      pool->set_limits(queue, overflow);
    }
  }
  if (actual < wanted) {
    if (stage.join.load(std::memory_order_relaxed) != pool) {
      pool->retire(pool_before(flow, stage));
    } else {
      pool->resize(before);
      if (pool->cached()) cached_.add(*pool);
    }
    return Refusal{control::problem::kNotPossibleNow,
                   "the system gave the join of " + stage.id + " " + std::to_string(actual) +
                       " of its " + std::to_string(wanted) + " threads",
                   "see the limits on threads of this user and of the container"};
  }
  if (cached) cached_.add(*pool);
  return std::nullopt;
}

void Joins::retire_own(const flow::Stage& stage, exec::Pool& heir) {
  exec::Pool* const own = own_of(stage);
  if (own == nullptr || own->retired()) return;
  cached_.remove(*own);
  own->retire(heir);
}

Outcome<Joined> Joins::remove(flow::Flow& flow, flow::Stage& stage) {
  const Nanos begun = now_ns();
  const JoinChange change{&stage, false, {}};
  if (auto refusal = why_not(flow, &change)) return std::move(*refusal);
  expect_blocking(flow, change);
  exec::Pool& before = pool_before(flow, stage);
  flow.set_join(stage, nullptr);
  retire_own(stage, before);
  hooks_.changed();
  return Joined{"", 0, since_ms(begun)};
}

}  // namespace penstock::app
