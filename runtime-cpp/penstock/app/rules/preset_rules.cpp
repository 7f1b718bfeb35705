#include "penstock/app/rules/preset_rules.hpp"

#include <algorithm>

#include "penstock/control/audit_log.hpp"

namespace penstock::app {

namespace {

RateRule::Settings settings_of(const config::Rule& rule) noexcept {
  return {rule.below.per_second, rule.above.per_second, rule.for_seconds};
}

template <class List, class Is>
bool any(const List& list, Is is) {
  return std::any_of(list.begin(), list.end(), is);
}

}  // namespace

void PresetRules::add(config::Rule rule, std::function<std::uint64_t()> count) {
  RateRule decision(settings_of(rule));
  const std::lock_guard write(states_);
  rules_.push_back({std::move(rule), std::move(count), decision, {}});
}

void PresetRules::each(const std::function<void(const config::Rule&, const State&)>& visit) const {
  const std::lock_guard hold(states_);
  for (const Entry& entry : rules_) visit(entry.rule, entry.state);
}

void PresetRules::look(Nanos now) {
  for (Entry& entry : rules_) {
    if (!entry.state.on) continue;
    const auto side = entry.decision.look(now, entry.count());
    if (side) choose(entry, *side);
  }
}

void PresetRules::choose(Entry& entry, RateRule::Side side) {
  const config::Preset& preset =
      side == RateRule::Side::below ? entry.rule.below.preset : entry.rule.above.preset;
  const control::Outcome<unsigned> outcome = hooks_.bring(preset);
  const auto* const refusal = std::get_if<control::Refusal>(&outcome);
  const bool same = refusal == nullptr && std::get<unsigned>(outcome) == 0;
  const double rate = entry.decision.rate();
  {
    const std::lock_guard write(states_);
    State& state = entry.state;
    state.per_second = rate;
    state.refused = refusal != nullptr ? refusal->message : "";
    if (refusal != nullptr) {
      state.on = false;
      state.chosen.reset();
    } else {
      state.chosen = side;
      if (!same) {
        ++state.switches;
        state.by = By::rule;
      }
    }
  }
  hooks_.changed();
  // What is in force already is nothing that happened.
  if (same) return;
  hooks_.say(control::AuditLog::switched(entry.rule.of, preset.name, rate,
                                         refusal != nullptr ? refusal->code : ""));
}

void PresetRules::set(const std::string& of, bool on) {
  const std::lock_guard write(states_);
  for (Entry& entry : rules_) {
    if (entry.rule.of != of) continue;
    entry.state.on = on;
    if (!on) continue;
    entry.decision = RateRule(settings_of(entry.rule));
    entry.state.chosen.reset();
    entry.state.refused.clear();
  }
}

template <class IsAbout>
void PresetRules::rest_if(IsAbout is_about) {
  const std::lock_guard write(states_);
  for (Entry& entry : rules_) {
    if (!is_about(entry.rule.below.preset) && !is_about(entry.rule.above.preset)) continue;
    entry.state.on = false;
    entry.state.by = By::person;
    entry.state.chosen.reset();
  }
}

void PresetRules::rest(const std::string& pool) {
  rest_if([&pool](const config::Preset& preset) {
    return any(preset.sizes, [&pool](const auto& size) { return size.pool == pool; });
  });
}

void PresetRules::rest(const std::string& flow, const std::string& stage) {
  rest_if([&](const config::Preset& preset) {
    return any(preset.slots,
               [&](const auto& slot) { return slot.flow == flow && slot.stage == stage; });
  });
}

}  // namespace penstock::app
