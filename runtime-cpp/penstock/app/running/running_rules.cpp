// Rules of the running binary, which change between presets by themselves.
#include <algorithm>

#include "penstock/app/running/running.hpp"
#include "penstock/control/problem_codes.hpp"

namespace penstock::app {

namespace {

using control::Refusal;

std::string_view to_text(PresetRules::By by) {
  switch (by) {
    case PresetRules::By::nobody:
      return "drawing";
    case PresetRules::By::person:
      return "person";
    case PresetRules::By::rule:
      return "rule";
  }
  return "drawing";
}

metrics::PresetRule::Side side_of(const config::Rule::Side& side) {
  return {side.per_second, side.preset.name};
}

std::string chosen_of(const config::Rule& rule, const PresetRules::State& state) {
  if (!state.chosen) return {};
  return *state.chosen == RateRule::Side::below ? rule.below.preset.name : rule.above.preset.name;
}

control::Join join_of(const config::Join& join) {
  if (!join.pool.empty()) return {join.pool};
  return {"", static_cast<int>(join.threads), static_cast<int>(join.queue),
          std::string(config::to_string(join.overflow))};
}

bool same(const std::vector<int>& a, const std::vector<int>& b) {
  return std::is_permutation(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

std::function<std::uint64_t()> Running::counter_of(const std::string& of) const {
  for (const auto& known : model_.flows()) {
    if (known->name() != of) continue;
    return [this, flow = known.get()] { return model_.registry().count(flow->counters().emitted); };
  }
  for (const auto& known : model_.services()) {
    if (known->name.str() != of) continue;
    return [service = known.get()] { return service->sent_count(); };
  }
  return [] { return std::uint64_t{0}; };
}

void Running::set_rules_as_drawn() {
  for (const config::Rule& rule : model_.rules()) rules_.add(rule, counter_of(rule.of));
}

void Running::add_rules(metrics::Schema& schema) const {
  rules_.each([&schema](const config::Rule& rule, const PresetRules::State& state) {
    schema.rules.push_back({rule.of, side_of(rule.below), side_of(rule.above), rule.for_seconds,
                            state.on, std::string(to_text(state.by)), chosen_of(rule, state),
                            state.switches, state.per_second, state.refused});
  });
}

control::Outcome<control::Ruling> Running::set_rule(const std::string& of, bool on) {
  const auto hold = adaptive_.hold();
  rules_.set(of, on);
  std::optional<control::Ruling> ruling;
  rules_.each([&](const config::Rule& rule, const PresetRules::State& state) {
    if (rule.of == of) ruling = {state.on, chosen_of(rule, state)};
  });
  if (!ruling) {
    return Refusal{control::problem::kNoSuchRule, "no rule of " + of, "see /topology"};
  }
  changed();
  return *std::move(ruling);
}

// As many threads as `threads` says, each where it says.
std::optional<Refusal> Running::arrange_pool(exec::Pool& pool,
                                             const std::vector<config::Thread>& threads) {
  const auto wanted = static_cast<unsigned>(threads.size());
  if (wanted != pool.size()) {
    // Without patience, as the steps of a controller.
    auto outcome = resize_held(pool, wanted, 0);
    if (auto* const refusal = std::get_if<Refusal>(&outcome)) return std::move(*refusal);
    if (pool.size() < wanted) {
      return Refusal{control::problem::kNotPossibleNow,
                     "the system gave pool " + pool.name() + " " + std::to_string(pool.size()) +
                         " of its " + std::to_string(wanted) + " threads",
                     "see the limits on threads of this user and of the container"};
    }
  }
  for (unsigned index = 0; index < wanted; ++index) {
    const std::vector<int>& cpus = threads[index].cpus;
    if (same(pool.asked_cpus(index), cpus)) continue;
    auto outcome = pin_held(pool, static_cast<int>(index), cpus);
    if (auto* const refusal = std::get_if<Refusal>(&outcome)) return std::move(*refusal);
  }
  return std::nullopt;
}

std::optional<Change> Running::size_change(exec::Pool& pool, const config::Preset::Size& size) {
  std::vector<config::Thread> before(pool.size());
  for (unsigned index = 0; index < before.size(); ++index) {
    before[index].cpus = pool.asked_cpus(index);
  }
  const bool is_so = std::equal(
      before.begin(), before.end(), size.threads.begin(), size.threads.end(),
      [](const config::Thread& a, const config::Thread& b) { return same(a.cpus, b.cpus); });
  if (is_so) return std::nullopt;
  return Change{
      size.threads.size() >= before.size() ? 0 : 2,
      [this, &pool, &size] { return arrange_pool(pool, size.threads); },
      [this, &pool, before] { static_cast<void>(arrange_pool(pool, before)); },
      true,
  };
}

std::optional<Change> Running::slot_change(flow::Flow& flow, flow::Stage& stage,
                                           const config::Preset::Slot& slot) {
  std::optional<control::Join> before = model_.joins().now(stage);
  // What the first stage of a flow has without a join: the pool of its service.
  if (!before && stage.index == 0) before = control::Join{stage.service->pool->name()};
  const auto wanted = slot.join ? std::optional(join_of(*slot.join)) : std::nullopt;
  if (before == wanted) return std::nullopt;
  const auto put = [this, &flow, &stage](const std::optional<control::Join>& join) {
    auto outcome =
        join ? model_.joins().set(flow, stage, *join) : model_.joins().remove(flow, stage);
    auto* const refusal = std::get_if<Refusal>(&outcome);
    return refusal == nullptr ? std::nullopt : std::optional(std::move(*refusal));
  };
  return Change{1, [put, wanted] { return put(wanted); },
                [put, before] { static_cast<void>(put(before)); }};
}

control::Outcome<unsigned> Running::bring(const config::Preset& preset) {
  std::vector<Change> changes;
  const auto add = [&changes](std::optional<Change> change) {
    if (change) changes.push_back(std::move(*change));
  };
  for (const config::Preset::Size& size : preset.sizes) {
    exec::Pool* const pool = find_pool(size.pool);
    if (pool == nullptr) {
      return Refusal{control::problem::kNoSuchPool, "no pool " + size.pool, "see /topology"};
    }
    if (const auto state = adaptive_.state_of(*pool); state && state->on) {
      return Refusal{control::problem::kNotPossibleNow,
                     "the threads of pool " + size.pool + " come and go by themselves",
                     "let them stay: pool.adapt " + size.pool + " off"};
    }
    add(size_change(*pool, size));
  }
  for (const config::Preset::Slot& slot : preset.slots) {
    flow::Flow* const flow = find_flow(slot.flow);
    flow::Stage* const stage = flow == nullptr ? nullptr : find_stage(*flow, slot.stage);
    if (stage == nullptr) {
      return Refusal{control::problem::kNoSuchStage, "no stage " + slot.flow + "/" + slot.stage,
                     "see /topology"};
    }
    add(slot_change(*flow, *stage, slot));
  }
  const auto count = static_cast<unsigned>(changes.size());
  if (auto refusal = all_or_none(std::move(changes))) return std::move(*refusal);
  return count;
}

}  // namespace penstock::app
