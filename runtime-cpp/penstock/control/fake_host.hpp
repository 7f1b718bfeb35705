#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include "penstock/control/host.hpp"
#include "penstock/control/problem_codes.hpp"
#include "penstock/metrics/latency_bounds.hpp"

namespace penstock::control::fake {

/// A binary that is none, for the tests of the control plane: two pools, two services, one flow.
class FakeHost final : public Host {
 public:
  explicit FakeHost(std::size_t extra_services = 0) {
    schema_.project = "ads";
    schema_.binary = "ads-server";
    schema_.topology_hash = "sha256:00";
    schema_.runtime = "0.1.0";
    schema_.pid = 42;
    schema_.started_at_ms = 1'700'000'000'000;
    schema_.sampling = 3;
    schema_.latency_bounds = metrics::latency_bounds({});
    schema_.services = {{0, "GetAd", "async-remote", 0, {}, true},
                        {1, "ProduceAd", "sync-remote", 1, {"ModelA", "ModelB"}, false}};
    for (std::size_t i = 0; i < extra_services; ++i) {
      schema_.services.push_back(
          {static_cast<std::uint32_t>(2 + i), "Extra" + std::to_string(i), "simple", 0, {}, true});
    }
    schema_.calls = {{0, 0, 1}};
    schema_.flows = {{0, "Impressions", 200, {{"pick", 0, "map", 0}, {"log", 1, "catch", {}}}}};
    schema_.rules = {
        {"Impressions", {1000, "calm"}, {5000, "busy"}, 5, true, "rule", "busy", 3, 5432.1239, ""}};
    schema_.pools = {{0, "front", 1024, "block", "adaptive", 0, {{"front-0", 100, {0}, {0}}}},
                     {1,
                      "models",
                      16,
                      "reject",
                      "park",
                      -5,
                      {{"models-0", 101, {}, {0, 1}}, {"models-1", 102, {}, {0, 1}}}}};
  }

  metrics::Schema schema() override {
    const std::lock_guard lock(mutex_);
    return schema_;
  }
  std::uint64_t schema_revision() override { return revision_; }

  metrics::Sample sample() override {
    const std::lock_guard lock(mutex_);
    ++samples_;
    metrics::Sample sample;
    sample.t_ms = 1234.5678;
    for (const metrics::ServiceName& service : schema_.services) {
      sample.services.push_back({service.id, 10, 2, 1, 0, {12.3456, 20.0, 30.0, 40.0, 22.5}});
    }
    metrics::LatencyTotals totals;
    totals.buckets.fill(2);
    totals.sum_seconds = 0.5;
    sample.implementations = {{0, 0, 10, 2, {}, totals, {{"deadline_exceeded", 2}}},
                              {1, 0, 7, 0, {}, totals, {}},
                              {1, 1, 3, 0, {1, 2, 3, 4, 2}, totals, {}}};
    sample.calls = {{0, 9, 1}};
    sample.flows = {{0, 100, 90, 5, 1, 4, {}}};
    sample.stages = {{0, 0, 95, 5, {}, totals, {}}, {0, 1, 90, 0, {}, totals, {}}};
    sample.pools = {{0, 3, 1, 1, 0, 0}, {1, 0, 0, 2, 7, 21}};
    sample.threads = {{0, 0, 1'000'000, 2'000'000, 11, 12, 0, 0}, {1, 1, 5, 6, 7, 8, 1, 21}};
    sample.stuck = {{1, 0, 1, 7'250}};
    sample.traces = {{0,
                      12.5,
                      130.25,
                      "failed",
                      {{0, 0, 0, 0, 10.5, 100, false}, {1, 1, 1, 110, 5, 15.25, true}}}};
    sample.process = {3'000'000'000, 12345678, 9};
    return sample;
  }

  std::optional<std::string> not_ready() override {
    const std::lock_guard lock(mutex_);
    return not_ready_;
  }

  Outcome<Setting> resize_pool(const std::string& pool, int threads) override {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return !held_; });
    double before = 0;
    for (metrics::PoolName& item : schema_.pools) {
      if (item.name != pool) continue;
      before = static_cast<double>(item.threads.size());
      item.threads.resize(static_cast<std::size_t>(threads));
    }
    ++revision_;
    return Setting{static_cast<double>(threads), static_cast<double>(threads), before};
  }

  Outcome<Pinning> pin(const std::string& pool, int thread, const std::vector<int>& cpus) override {
    for (const int cpu : cpus) {
      if (cpu > 1) {
        return Refusal{problem::kAbsentCpu,
                       "pool.pin: thread " + pool + "-" + std::to_string(thread) +
                           ": this machine has no CPU " + std::to_string(cpu),
                       "CPUs here: 0, 1."};
      }
    }
    return Pinning{cpus, cpus.empty() ? std::vector<int>{0, 1} : cpus};
  }

  Outcome<Adapting> adapt_pool(const std::string& pool,
                               const std::optional<Bounds>& bounds) override {
    const std::lock_guard lock(mutex_);
    for (metrics::PoolName& item : schema_.pools) {
      if (item.name != pool) continue;
      if (!bounds && !item.adaptive) {
        return Refusal{problem::kNoBounds, "The pool has no bounds", "Give it bounds."};
      }
      if (!item.adaptive) item.adaptive.emplace();
      if (bounds) {
        item.adaptive->from = static_cast<unsigned>(bounds->from);
        item.adaptive->to = static_cast<unsigned>(bounds->to);
      }
      item.adaptive->on = true;
      item.adaptive->by = "person";
    }
    ++revision_;
    return adapting(pool);
  }
  Outcome<Adapting> rest_pool(const std::string& pool) override {
    const std::lock_guard lock(mutex_);
    for (metrics::PoolName& item : schema_.pools) {
      if (item.name == pool && item.adaptive) item.adaptive->on = false;
    }
    ++revision_;
    return adapting(pool);
  }

  Outcome<Ruling> set_rule(const std::string& of, bool on) override {
    const std::lock_guard lock(mutex_);
    for (metrics::PresetRule& rule : schema_.rules) {
      if (rule.name != of) continue;
      rule.on = on;
      ++revision_;
      return Ruling{on, rule.preset};
    }
    return Refusal{problem::kNoSuchRule, "There is no such rule", "See /topology."};
  }

  Outcome<Setting> set_source(const std::string& /*flow*/, double per_second) override {
    if (per_second == 13) throw std::runtime_error("the clock has stopped");
    const std::lock_guard lock(mutex_);
    schema_.flows.front().per_second = per_second;
    ++revision_;
    return Setting{per_second, per_second};
  }

  Outcome<Setting> set_sampling(int per128) override {
    const std::lock_guard lock(mutex_);
    schema_.sampling = per128;
    ++revision_;
    return Setting{static_cast<double>(per128), static_cast<double>(per128)};
  }

  Outcome<Joined> set_join(const std::string& /*flow*/, const std::string& stage,
                           const Join& join) override {
    const std::lock_guard lock(mutex_);
    for (metrics::StageName& item : schema_.flows.front().stages) {
      if (item.id != stage) continue;
      if (join.pool.empty() && join.threads == 1 && stage == "log") {
        return Refusal{problem::kJoinDoesNotFit,
                       "the sync-remote stage log would run on one thread",
                       "Give the join more threads."};
      }
      item.pool = join.pool == "models" ? 1U : 0U;
    }
    ++revision_;
    return Joined{join.pool.empty() ? "Impressions." + stage : join.pool,
                  join.pool == "models" ? 2 : std::max(join.threads, 1), 0.5};
  }

  Outcome<Joined> remove_join(const std::string& /*flow*/, const std::string& stage) override {
    const std::lock_guard lock(mutex_);
    for (metrics::StageName& item : schema_.flows.front().stages) {
      if (item.id == stage) item.pool.reset();
    }
    ++revision_;
    return Joined{"", 0, 0.5};
  }

  Outcome<Asked> ask(const Asking& asking) override {
    if (asking.request == "hold") {
      std::unique_lock lock(mutex_);
      if (asks_++ == 0) first_asked_ns_ = asking.asked_ns;
      opened_.notify_all();
      opened_.wait(lock, [this] { return !held_; });
    }
    if (asking.request == "fail") return Asked{"", "unavailable", "\"gone\"", 1.5};
    if (asking.request.find('{') == std::string::npos) {
      return Refusal{problem::kNoRequest, "The request is none", "Use JSON."};
    }
    return Asked{R"({"text":"best"})",
                 "",
                 "",
                 2.5,
                 {{std::nullopt, "GetAd", "", "front·0", 0, 10, 2400.5, false},
                  {0, "ProduceAd", "ModelA", "", 20, std::nullopt, std::nullopt, true}}};
  }
  /// Asking::asked_ns of the first one that was held.
  [[nodiscard]] Nanos first_asked_ns() {
    const std::lock_guard lock(mutex_);
    return first_asked_ns_;
  }
  [[nodiscard]] int asks() {
    const std::lock_guard lock(mutex_);
    return asks_;
  }

  /// resize_pool(), and ask() for "hold", block while held.
  void hold(bool held) {
    {
      const std::lock_guard lock(mutex_);
      held_ = held;
    }
    opened_.notify_all();
  }
  void set_not_ready(std::optional<std::string> reason) {
    const std::lock_guard lock(mutex_);
    not_ready_ = std::move(reason);
  }
  [[nodiscard]] int samples() {
    const std::lock_guard lock(mutex_);
    return samples_;
  }

 private:
  [[nodiscard]] Adapting adapting(const std::string& pool) const {
    for (const metrics::PoolName& item : schema_.pools) {
      if (item.name != pool || !item.adaptive) continue;
      return {{static_cast<int>(item.adaptive->from), static_cast<int>(item.adaptive->to)},
              item.adaptive->on,
              static_cast<int>(item.threads.size())};
    }
    return {};
  }

  std::mutex mutex_;
  std::condition_variable opened_;
  metrics::Schema schema_;
  std::optional<std::string> not_ready_;
  bool held_ = false;
  int samples_ = 0;
  int asks_ = 0;
  Nanos first_asked_ns_ = 0;
  std::atomic<std::uint64_t> revision_{1};
};

}  // namespace penstock::control::fake
