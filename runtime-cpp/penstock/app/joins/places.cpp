#include "penstock/app/joins/places.hpp"

#include <algorithm>

namespace penstock::app {

namespace {

void add(std::vector<Place>& places, const Place& place) {
  if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
}

// The place of a stage by itself; a null pool and false: it runs where the stages before it run.
bool own_place(const flow::Stage& stage, const JoinChange* change, Place& place) {
  if (change != nullptr && change->stage == &stage) {
    if (change->has_join) place = change->join;
    if (change->has_join) return true;
  } else if (exec::Pool* const join = stage.join.load(std::memory_order_acquire)) {
    place = {join, threads_of(*join)};
    return true;
  }
  if (!stage.after.empty()) return false;
  const call::Service& service = *stage.service;
  place = {service.pool, service.thread >= 0 ? 1 : threads_of(*service.pool)};
  return true;
}

}  // namespace

unsigned threads_of(const exec::Pool& pool) noexcept {
  if (pool.cached()) return Place::kCached;
  const unsigned running = pool.size();
  return running != 0 ? running : static_cast<unsigned>(pool.settings().threads.size());
}

std::vector<std::vector<Place>> places_of(const flow::Flow& flow, const JoinChange* change) {
  std::vector<std::vector<Place>> places(flow.stages().size());
  for (const flow::Stage& stage : flow.stages()) {
    Place own;
    if (own_place(stage, change, own)) {
      places[stage.index].push_back(own);
      continue;
    }
    for (const std::uint32_t before : stage.after) {
      for (const Place& place : places[before]) add(places[stage.index], place);
    }
  }
  return places;
}

}  // namespace penstock::app
