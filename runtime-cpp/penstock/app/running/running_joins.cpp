// Joins of the running binary.
#include "penstock/app/running/running.hpp"
#include "penstock/control/problem_codes.hpp"

namespace penstock::app {

namespace {

using control::Refusal;

Refusal no_such_flow(const std::string& flow) {
  return {control::problem::kNoSuchFlow, "no flow " + flow, "see /topology"};
}
Refusal no_such_stage(const std::string& flow, const std::string& stage) {
  return {control::problem::kNoSuchStage, "flow " + flow + " has no stage " + stage,
          "see /topology"};
}

}  // namespace

flow::Stage* Running::find_stage(flow::Flow& flow, const std::string& id) {
  for (flow::Stage& stage : flow.stages()) {
    if (stage.id == id) return &stage;
  }
  return nullptr;
}

flow::Flow* Running::find_flow(const std::string& name) const {
  for (const auto& flow : model_.flows()) {
    if (flow->name() == name) return flow.get();
  }
  return nullptr;
}

control::Outcome<control::Joined> Running::set_join(const std::string& flow,
                                                    const std::string& stage,
                                                    const control::Join& join) {
  flow::Flow* const of = find_flow(flow);
  if (of == nullptr) return no_such_flow(flow);
  flow::Stage* const place = find_stage(*of, stage);
  if (place == nullptr) return no_such_stage(flow, stage);
  const auto hold = adaptive_.hold();
  auto outcome = model_.joins().set(*of, *place, join);
  if (std::holds_alternative<control::Joined>(outcome)) {
    rules_.rest(flow, stage);
    changed();
  }
  return outcome;
}

control::Outcome<control::Joined> Running::remove_join(const std::string& flow,
                                                       const std::string& stage) {
  flow::Flow* const of = find_flow(flow);
  if (of == nullptr) return no_such_flow(flow);
  flow::Stage* const place = find_stage(*of, stage);
  if (place == nullptr) return no_such_stage(flow, stage);
  const auto hold = adaptive_.hold();
  auto outcome = model_.joins().remove(*of, *place);
  if (std::holds_alternative<control::Joined>(outcome)) {
    rules_.rest(flow, stage);
    changed();
  }
  return outcome;
}

// A pool of one thread must not serve a `sync-remote` stage, however it comes to one.
std::optional<Refusal> Running::refuse_narrow(const exec::Pool& pool, unsigned threads) const {
  if (threads != 1) return std::nullopt;
  for (const auto& flow : model_.flows()) {
    const auto places = places_of(*flow);
    for (const flow::Stage& stage : flow->stages()) {
      if (stage.service->kind != Kind::sync_remote) continue;
      for (const Place& place : places[stage.index]) {
        if (place.pool != &pool) continue;
        return Refusal{control::problem::kJoinDoesNotFit,
                       "the sync-remote stage " + stage.id + " of " + flow->name() +
                           " runs on pool " + pool.name() +
                           ", and every event behind it would wait while it blocks",
                       "keep two threads at least, or give the stage a join of its own"};
      }
    }
  }
  return std::nullopt;
}

}  // namespace penstock::app
