#pragma once

#include <string>

#include "penstock/flow/graph/flow.hpp"
#include "support/small_binary.hpp"

/// A binary with one flow, whose stages a test adds before start().
namespace penstock::testing {

class OneFlow {
 public:
  /// A stage on the join, or fused behind the one before it.
  template <flow::Role role, class H>
  void stage(std::string id, Kind kind, exec::Pool& pool, exec::Pool* join) {
    app::StageBinding binding = app::bind_stage<role, H>(id, id);
    flow.fit(binding.value_bytes);
    flow::Stage& stage = flow.add_stage();
    app::set_up(stage, binary.service<H>(std::move(id), kind, pool), std::move(binding));
    stage.join = join;
  }
  void start() {
    binary.enroll(flow);
    binary.start();
  }

  [[nodiscard]] std::uint64_t emitted() { return count(flow.counters().emitted); }
  [[nodiscard]] std::uint64_t completed() { return count(flow.counters().completed); }
  [[nodiscard]] std::uint64_t failed() { return count(flow.counters().failed); }
  [[nodiscard]] std::uint64_t dropped() { return count(flow.counters().dropped); }
  [[nodiscard]] bool all_ended() { return emitted() == completed() + failed() + dropped(); }

  flow::Flow flow{"F"};
  SmallBinary binary;

 private:
  [[nodiscard]] std::uint64_t count(std::uint32_t id) { return binary.registry().count(id); }
};

}  // namespace penstock::testing
