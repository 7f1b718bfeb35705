// Pools of the running binary whose threads come and go.
#include <algorithm>

#include "penstock/app/process/say.hpp"
#include "penstock/app/running/running.hpp"
#include "penstock/control/audit_log.hpp"
#include "penstock/control/problem_codes.hpp"

namespace penstock::app {

void Running::set_bounds_as_drawn() {
  const auto hold = adaptive_.hold();
  for (const Model::Adaptive& drawn : model_.adaptive()) {
    adaptive_.set(*drawn.pool, drawn.bounds, AdaptivePools::By::nobody);
  }
  set_rules_as_drawn();
  if (!model_.adaptive().empty() || !rules_.none()) changed();
}

control::Outcome<control::Adapting> Running::adapting(const exec::Pool& pool) const {
  const auto state = adaptive_.state_of(pool);
  if (!state) {
    return control::Refusal{control::problem::kNoBounds,
                            "pool " + pool.name() + " has no bounds for its threads",
                            "give it bounds, as 2-32"};
  }
  return control::Adapting{
      {static_cast<int>(state->bounds.from), static_cast<int>(state->bounds.to)},
      state->on,
      static_cast<int>(pool.size())};
}

control::Outcome<control::Adapting> Running::adapt_pool(
    const std::string& name, const std::optional<control::Bounds>& bounds) {
  exec::Pool* const pool = find_pool(name);
  if (pool == nullptr) {
    return control::Refusal{control::problem::kNoSuchPool, "no pool " + name, "see /topology"};
  }
  const auto hold = adaptive_.hold();
  if (model_.joins().is_own(*pool)) {
    return control::Refusal{control::problem::kNotPossibleNow, "pool " + name + " is a join's own",
                            "set its threads with the join, 0: as many as there is work for"};
  }
  const auto before = adaptive_.state_of(*pool);
  if (!bounds && !before) return adapting(*pool);
  const Bounds wanted =
      bounds ? Bounds{static_cast<unsigned>(bounds->from), static_cast<unsigned>(bounds->to)}
             : before->bounds;
  if (auto refusal = refuse_size(*pool, wanted.from)) return std::move(*refusal);
  for (unsigned index = 0; index < pool->size(); ++index) {
    if (pool->asked_cpus(index).empty()) continue;
    return control::Refusal{control::problem::kNotPossibleNow,
                            "thread " + std::to_string(index) + " of pool " + name + " is pinned",
                            "let it run anywhere first"};
  }
  // First: the system may give no thread for its controller, and then all is to be as before.
  adaptive_.set(*pool, wanted, AdaptivePools::By::person);
  const unsigned within = std::clamp(pool->size(), wanted.from, wanted.to);
  if (within != pool->size()) static_cast<void>(pool->resize(within));
  rules_.rest(name);
  changed();
  return adapting(*pool);
}

control::Outcome<control::Adapting> Running::rest_pool(const std::string& name) {
  exec::Pool* const pool = find_pool(name);
  if (pool == nullptr) {
    return control::Refusal{control::problem::kNoSuchPool, "no pool " + name, "see /topology"};
  }
  const auto hold = adaptive_.hold();
  adaptive_.rest(*pool);
  changed();
  return adapting(*pool);
}

// Stages that run fused take nothing from a queue, and calls to a service go where it is placed, as
// does what a source makes for a first stage without a join.
std::uint64_t Running::left_queue_of(const exec::Pool& pool) const {
  std::uint64_t left = 0;
  for (const auto& service : model_.services()) {
    if (service->pool != &pool || service->is_remote()) continue;
    left += service->done_count();
  }
  std::uint64_t of_stages = 0;
  for (const auto& flow : model_.flows()) {
    for (const flow::Stage& stage : flow->stages()) {
      const std::uint64_t runs = flow->runs(stage);
      const exec::Pool* const join = stage.join.load(std::memory_order_acquire);
      const bool is_placed = stage.service->pool == &pool && !stage.service->is_remote();
      if (join == &pool || (join == nullptr && stage.after.empty() && is_placed)) left += runs;
      if (is_placed) of_stages += runs;
    }
  }
  return left - std::min(left, of_stages);
}

bool Running::take_step(exec::Pool& pool, const PoolStep& step) {
  const unsigned before = pool.size();
  // Without patience: a thread that leaves may be at work for long, and other pools are to grow.
  const auto outcome = resize_held(pool, step.threads, 0);
  const unsigned threads = pool.size();
  if (!std::holds_alternative<control::Setting>(outcome) || threads == before) return false;
  say_or_lose(control::AuditLog::adapted(pool.name(), before, threads,
                                         static_cast<double>(step.waited) / 1e6));
  return true;
}

}  // namespace penstock::app
