#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "penstock/app/rules/rate_rule.hpp"
#include "penstock/config/config.hpp"
#include "penstock/control/host.hpp"

namespace penstock::app {

/// Rules that bring a preset into force by themselves: each watches one rate, until somebody else
/// changes what its presets are about, and again when it is told so.
class PresetRules {
 public:
  struct Hooks {
    /// Brings a preset into force, by the rules of any other change; how many things changed.
    std::function<control::Outcome<unsigned>(const config::Preset&)> bring;
    /// The state of a rule is another.
    std::function<void()> changed;
    /// A line for the log, which may be lost.
    std::function<void(const std::string&)> say;
  };
  enum class By : std::uint8_t { nobody, person, rule };
  struct State {
    bool on = true;      ///< it is at work
    By by = By::nobody;  ///< who changed last what its presets are about
    /// What it chose, and is in force; none: nothing yet, or a person changed something since.
    std::optional<RateRule::Side> chosen;
    std::uint64_t switches = 0;  ///< since the start
    double per_second = 0;       ///< when it chose last
    std::string refused;         ///< why that was not possible, after which it rests; or empty
  };

  explicit PresetRules(Hooks hooks) : hooks_(std::move(hooks)) {}
  PresetRules(const PresetRules&) = delete;
  PresetRules& operator=(const PresetRules&) = delete;
  ~PresetRules() = default;

  // --- the thread that starts the binary, before the first look ---

  /// A rule, and what counts what it watches.
  void add(config::Rule rule, std::function<std::uint64_t()> count);
  [[nodiscard]] bool none() const noexcept { return rules_.empty(); }

  // --- any thread ---

  /// In the order in which they are drawn. Does not wait for a change.
  void each(const std::function<void(const config::Rule&, const State&)>& visit) const;

  // --- while nobody else changes threads, pins or joins (AdaptivePools::hold()) ---

  /// Looks at every rate and does what follows; `now` grows from call to call.
  void look(Nanos now);
  /// Lets a rule work, or rest. Nothing where there is none.
  void set(const std::string& of, bool on);
  /// A person changed a pool, or the join before a stage: rules with presets about it rest.
  void rest(const std::string& pool);
  void rest(const std::string& flow, const std::string& stage);

 private:
  struct Entry {
    config::Rule rule;
    std::function<std::uint64_t()> count;
    RateRule decision;
    State state;
  };

  void choose(Entry& entry, RateRule::Side side);
  template <class IsAbout>
  void rest_if(IsAbout is_about);

  const Hooks hooks_;
  mutable std::mutex states_;
  std::deque<Entry> rules_;  // who writes a state holds both locks, who holds one may read it
};

}  // namespace penstock::app
