#pragma once

#include <atomic>
#include <unordered_map>

#include "penstock/app/model/model.hpp"
#include "penstock/app/pools/adaptive_pools.hpp"
#include "penstock/app/process/process_stats.hpp"
#include "penstock/app/rules/preset_rules.hpp"
#include "penstock/app/running/all_or_none.hpp"
#include "penstock/app/running/resent_share.hpp"
#include "penstock/control/host.hpp"
#include "penstock/metrics/window.hpp"

namespace penstock::app {

/// The running binary as its control plane sees it. Thread rules: control::Host's.
class Running final : public control::Host {
 public:
  /// As long as a sample that comes once a second may be away.
  static constexpr Nanos kTracesShown = 1'500'000'000;

  /// Samples have the last event that was followed for so long after its end.
  explicit Running(Model& model, Nanos traces_shown = kTracesShown);

  [[nodiscard]] metrics::Schema schema() override;
  [[nodiscard]] std::uint64_t schema_revision() override;
  [[nodiscard]] metrics::Sample sample() override;
  [[nodiscard]] std::optional<std::string> not_ready() override;

  [[nodiscard]] control::Outcome<control::Setting> resize_pool(const std::string& pool,
                                                               int threads) override;
  [[nodiscard]] control::Outcome<control::Pinning> pin(const std::string& pool, int thread,
                                                       const std::vector<int>& cpus) override;
  [[nodiscard]] control::Outcome<control::Adapting> adapt_pool(
      const std::string& pool, const std::optional<control::Bounds>& bounds) override;
  [[nodiscard]] control::Outcome<control::Adapting> rest_pool(const std::string& pool) override;
  [[nodiscard]] control::Outcome<control::Ruling> set_rule(const std::string& of, bool on) override;
  [[nodiscard]] control::Outcome<control::Setting> set_source(const std::string& flow,
                                                              double per_second) override;
  [[nodiscard]] control::Outcome<control::Setting> set_sampling(int per128) override;
  [[nodiscard]] control::Outcome<control::Joined> set_join(const std::string& flow,
                                                           const std::string& stage,
                                                           const control::Join& join) override;
  [[nodiscard]] control::Outcome<control::Joined> remove_join(const std::string& flow,
                                                              const std::string& stage) override;

  [[nodiscard]] control::Outcome<control::Asked> ask(const control::Asking& asking) override;

  /// Any thread.
  void set_ready() noexcept { state_.store(kReady, std::memory_order_release); }
  void set_draining() noexcept { state_.store(kDraining, std::memory_order_release); }

  /// Gives the pools that are drawn with bounds their controllers, which begin with
  /// adaptive().start(), as the rules do. Once, after Model::configure().
  void set_bounds_as_drawn();
  [[nodiscard]] const PresetRules& rules() const noexcept { return rules_; }
  [[nodiscard]] AdaptivePools& adaptive() noexcept { return adaptive_; }

 private:
  static constexpr int kStarting = 0;
  static constexpr int kReady = 1;
  static constexpr int kDraining = 2;

  void add_services(metrics::Sample& sample);
  void add_flows(metrics::Sample& sample);
  void add_trace(metrics::Sample& sample, flow::Flow& flow, std::uint32_t id) const;
  void add_calls(metrics::EventTrace& row, const flow::Trace& trace) const;
  void add_pools(metrics::Sample& sample, Nanos now);
  void add_stuck(metrics::Sample& sample, Nanos now);
  void add_links(metrics::Sample& sample, Nanos now);
  void add_refused(metrics::Sample& sample);
  [[nodiscard]] metrics::Endings endings_of(const call::Implementation& implementation,
                                            std::uint64_t done);
  [[nodiscard]] std::uint64_t errors_of(const call::Implementation& implementation) const;
  [[nodiscard]] const Switches& switches_of(int tid, Nanos now);
  // While adaptive().hold() is held.
  /// Whatever changes this pool by itself.
  void let_rest(const exec::Pool& pool);
  [[nodiscard]] control::Outcome<control::Setting> resize_held(exec::Pool& pool, unsigned threads,
                                                               Nanos patience);
  [[nodiscard]] control::Outcome<control::Pinning> pin_held(exec::Pool& pool, int thread,
                                                            const std::vector<int>& cpus);
  [[nodiscard]] control::Outcome<unsigned> bring(const config::Preset& preset);
  [[nodiscard]] std::optional<Change> size_change(exec::Pool& pool,
                                                  const config::Preset::Size& size);
  [[nodiscard]] std::optional<Change> slot_change(flow::Flow& flow, flow::Stage& stage,
                                                  const config::Preset::Slot& slot);
  [[nodiscard]] std::optional<control::Refusal> arrange_pool(
      exec::Pool& pool, const std::vector<config::Thread>& threads);
  void set_rules_as_drawn();
  void add_rules(metrics::Schema& schema) const;
  [[nodiscard]] std::function<std::uint64_t()> counter_of(const std::string& of) const;
  [[nodiscard]] std::uint64_t left_queue_of(const exec::Pool& pool) const;
  [[nodiscard]] bool take_step(exec::Pool& pool, const PoolStep& step);
  [[nodiscard]] std::optional<control::Refusal> refuse_size(const exec::Pool& pool,
                                                            unsigned threads) const;
  [[nodiscard]] control::Outcome<control::Adapting> adapting(const exec::Pool& pool) const;
  [[nodiscard]] exec::Pool* find_pool(const std::string& name) const;
  [[nodiscard]] flow::Flow* find_flow(const std::string& name) const;
  [[nodiscard]] static flow::Stage* find_stage(flow::Flow& flow, const std::string& id);
  [[nodiscard]] std::optional<control::Refusal> refuse_narrow(const exec::Pool& pool,
                                                              unsigned threads) const;
  void changed() noexcept { revision_.fetch_add(1, std::memory_order_relaxed); }

  Model& model_;
  const Nanos traces_shown_;
  metrics::Window window_;
  const Nanos started_;
  const std::int64_t started_at_ms_;
  std::uint64_t sequence_ = 0;
  std::vector<std::uint64_t> served_;  // when last looked, by an implementation's slot
  std::vector<std::uint64_t> stage_served_;
  std::uint64_t unwritten_ = 0;  // services that answered `unimplemented`, when last looked
  std::atomic<std::uint64_t> revision_{1};
  std::atomic<int> state_{kStarting};
  struct Cached {
    Switches switches;
    Nanos read_at = 0;
  };
  std::unordered_map<int, Cached> switches_;
  std::unordered_map<std::uint32_t, ResentShare> resent_;  // by the id of a link
  PresetRules rules_;
  AdaptivePools adaptive_;  // last: its thread uses all of the above
};

}  // namespace penstock::app
