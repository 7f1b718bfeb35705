#pragma once

#include <vector>

#include "penstock/flow/graph/flow.hpp"

/// Where the stages of a flow run: the joins that are in their slots, followed along the flow.
namespace penstock::app {

/// A pool on which a stage runs, or one thread of it.
struct Place {
  /// As many threads as there is work for.
  static constexpr unsigned kCached = 0;

  exec::Pool* pool = nullptr;  ///< null: that of a join which is not there yet
  unsigned threads = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

/// A change that is thought through before it is made: the slot of `stage` holds `join`, or
/// nothing.
struct JoinChange {
  const flow::Stage* stage = nullptr;
  bool has_join = false;
  Place join;
};

/// Threads of a pool now, or, before it has started, at its start.
[[nodiscard]] unsigned threads_of(const exec::Pool& pool) noexcept;

/// For each stage of the flow all places it may run on; several behind a merge of branches that run
/// apart. `change` may be null.
[[nodiscard]] std::vector<std::vector<Place>> places_of(const flow::Flow& flow,
                                                        const JoinChange* change = nullptr);

}  // namespace penstock::app
