#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "penstock/app/joins/places.hpp"
#include "penstock/app/pools/cached_pools.hpp"
#include "penstock/app/pools/pool_list.hpp"
#include "penstock/config/config.hpp"
#include "penstock/control/host.hpp"

namespace penstock::app {

/// In the words of the drawing.
[[nodiscard]] std::string_view to_text(exec::Overflow overflow) noexcept;

/// The joins in the slots of the flows: puts them in, changes them and takes them out.
///
/// A join that has threads of its own has a pool of its own, named `<Flow>.<stage>`: made when the
/// slot gets its first such join, kept from then on, asleep without threads while the slot does not
/// use it. A change is one store into the slot. Events that wait in the old queue are run by its
/// threads, which then leave; whatever still comes there (an event that was on its way to the old
/// queue, or waits for the turn of a `single-threaded` service) goes on to the new place.
class Joins {
 public:
  struct Hooks {
    /// Makes a new pool ready for its threads.
    std::function<void(exec::Pool&)> prepare;
    /// The joins, or the threads of one, are not as before. Any thread.
    std::function<void()> changed;
  };

  Joins(PoolList& pools, Hooks hooks)
      : pools_(pools), hooks_(std::move(hooks)), cached_(hooks_.changed) {}

  // --- before the threads start ---

  /// The join of a stage as drawn. The threads of its pool start with the others.
  void put(flow::Flow& flow, flow::Stage& stage, const config::Join& join);
  /// A pool with threads of its own for a stage of another binary's flow, named like those above.
  [[nodiscard]] exec::Pool& put_offered(const config::Join& join);
  /// Once all pools have started. Throws std::system_error.
  void start();

  // --- one control thread at a time ---

  /// What is in the slot before a stage; none: nothing.
  [[nodiscard]] std::optional<control::Join> now(const flow::Stage& stage) const;
  [[nodiscard]] control::Outcome<control::Joined> set(flow::Flow& flow, flow::Stage& stage,
                                                      const control::Join& join);
  [[nodiscard]] control::Outcome<control::Joined> remove(flow::Flow& flow, flow::Stage& stage);
  /// It is the pool of a join's own.
  [[nodiscard]] bool is_own(const exec::Pool& pool) const;
  /// Why the stages of a flow cannot run where they would with this change (null: as things are);
  /// none: they can. `wide` has threads enough, whatever it says.
  [[nodiscard]] static std::optional<control::Refusal> why_not(const flow::Flow& flow,
                                                               const JoinChange* change,
                                                               const exec::Pool* wide = nullptr);

 private:
  [[nodiscard]] exec::Pool* drawn(const std::string& name) const;
  [[nodiscard]] exec::Pool* own_of(const flow::Stage& stage) const;
  exec::Pool& make_own(const flow::Flow& flow, const flow::Stage& stage,
                       exec::PoolSettings settings);
  [[nodiscard]] control::Outcome<control::Joined> set_drawn(flow::Flow& flow, flow::Stage& stage,
                                                            exec::Pool& pool);
  [[nodiscard]] control::Outcome<control::Joined> set_own(flow::Flow& flow, flow::Stage& stage,
                                                          const control::Join& join);
  [[nodiscard]] std::optional<control::Refusal> run_own(flow::Flow& flow, flow::Stage& stage,
                                                        unsigned threads, std::uint32_t queue,
                                                        exec::Overflow overflow);
  void retire_own(const flow::Stage& stage, exec::Pool& heir);
  void expect_blocking(const flow::Flow& flow, const JoinChange& change) const;

  PoolList& pools_;
  const Hooks hooks_;
  std::unordered_map<const flow::Stage*, exec::Pool*> own_;
  std::vector<exec::Pool*> offered_;
  CachedPools cached_;
};

}  // namespace penstock::app
