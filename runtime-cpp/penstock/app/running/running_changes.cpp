// What commands change in the running binary, joins aside (running_joins.cpp).
#include "penstock/app/process/say.hpp"
#include "penstock/app/running/asking.hpp"
#include "penstock/app/running/running.hpp"
#include "penstock/base/defaults.hpp"
#include "penstock/control/problem_codes.hpp"
#include "penstock/exec/affinity.hpp"

namespace penstock::app {

std::optional<control::Refusal> Running::refuse_size(const exec::Pool& pool,
                                                     unsigned threads) const {
  const std::string& name = pool.name();
  if (threads < pool.fewest()) {
    return control::Refusal{
        control::problem::kNotPossibleNow,
        "a service is placed on thread " + std::to_string(pool.fewest() - 1) + " of pool " + name,
        "keep at least " + std::to_string(pool.fewest()) +
            " threads, or place the service on the whole pool"};
  }
  if (pool.stopped()) {
    return control::Refusal{control::problem::kNotPossibleNow,
                            "pool " + name + " has ended its threads, as the binary stops",
                            "start the binary again"};
  }
  if (pool.retired() || pool.cached()) {
    return control::Refusal{control::problem::kNotPossibleNow,
                            pool.retired()
                                ? "pool " + name + " belongs to a join that is not in use"
                                : "pool " + name + " has as many threads as there is work for",
                            "set the join to a number of threads"};
  }
  return refuse_narrow(pool, threads);
}

control::Outcome<control::Setting> Running::resize_pool(const std::string& name, int threads) {
  exec::Pool* const pool = find_pool(name);
  if (pool == nullptr) {
    return control::Refusal{control::problem::kNoSuchPool, "no pool " + name, "see /topology"};
  }
  const auto hold = adaptive_.hold();
  auto outcome = resize_held(*pool, static_cast<unsigned>(threads), defaults::kResizeWaitNanos);
  if (std::holds_alternative<control::Setting>(outcome)) let_rest(*pool);
  return outcome;
}

control::Outcome<control::Setting> Running::resize_held(exec::Pool& pool, unsigned threads,
                                                        Nanos patience) {
  if (auto refusal = refuse_size(pool, threads)) return std::move(*refusal);
  const unsigned before = pool.size();
  const unsigned actual = pool.resize(threads, patience);
  if (const std::string text = pool.priority_warning(); !text.empty()) {
    say_or_lose("warning: " + text);
  }
  changed();
  return control::Setting{static_cast<double>(threads), static_cast<double>(actual),
                          static_cast<double>(before)};
}

// Who was told of the change may have looked before they rested.
void Running::let_rest(const exec::Pool& pool) {
  adaptive_.rest(pool);
  rules_.rest(pool.name());
  changed();
}

control::Outcome<control::Pinning> Running::pin(const std::string& name, int thread,
                                                const std::vector<int>& cpus) {
  exec::Pool* const pool = find_pool(name);
  if (pool == nullptr) {
    return control::Refusal{control::problem::kNoSuchPool, "no pool " + name, "see /topology"};
  }
  const auto hold = adaptive_.hold();
  auto outcome = pin_held(*pool, thread, cpus);
  if (std::holds_alternative<control::Pinning>(outcome)) let_rest(*pool);
  return outcome;
}

control::Outcome<control::Pinning> Running::pin_held(exec::Pool& pool, int thread,
                                                     const std::vector<int>& cpus) {
  if (static_cast<unsigned>(thread) >= pool.size()) {
    return control::Refusal{
        control::problem::kNoSuchThread,
        "pool " + pool.name() + " has no thread " + std::to_string(thread) + " any more",
        "it has " + std::to_string(pool.size()) + " threads, from 0 on"};
  }
  const std::vector<int> absent = exec::absent_cpus(cpus);
  if (!absent.empty()) {
    return control::Refusal{
        control::problem::kAbsentCpu,
        "thread " + std::to_string(thread) + " of pool " + pool.name() +
            " cannot be pinned: this process has no CPU " + std::to_string(absent.front()),
        "the CPUs of this process are 0 to " + std::to_string(exec::process_cpus().back())};
  }
  std::vector<int> actual = pool.pin(static_cast<unsigned>(thread), cpus);
  if (actual.empty()) {
    return control::Refusal{control::problem::kNotPossibleNow,
                            "the kernel refused to pin thread " + std::to_string(thread),
                            "see which CPUs the process may use: taskset -p PID"};
  }
  changed();
  return control::Pinning{cpus, std::move(actual)};
}

control::Outcome<control::Setting> Running::set_source(const std::string& flow, double per_second) {
  for (const auto& source : model_.sources()) {
    if (source->flow().name() != flow) continue;
    const std::optional<double> before = source->per_second();
    if (!source->set_per_second(per_second)) {
      return control::Refusal{
          control::problem::kNotPossibleNow,
          "flow " + flow + " has a " + std::string(source->kind()) + " source, which keeps no rate",
          "limit those who send to it, or the queue that its events enter"};
    }
    changed();
    return control::Setting{per_second, source->per_second().value_or(per_second), before};
  }
  return control::Refusal{control::problem::kNoSuchFlow, "no flow " + flow, "see /topology"};
}

control::Outcome<control::Setting> Running::set_sampling(int per128) {
  const int before = model_.registry().sampling();
  model_.registry().set_sampling(per128);
  changed();
  return control::Setting{static_cast<double>(per128),
                          static_cast<double>(model_.registry().sampling()),
                          static_cast<double>(before)};
}

control::Outcome<control::Asked> Running::ask(const control::Asking& asking) {
  return app::ask(model_, asking);
}

}  // namespace penstock::app
