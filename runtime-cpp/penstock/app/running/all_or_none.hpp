#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "penstock/control/host.hpp"

namespace penstock::app {

/// One of several changes of the running binary that belong together.
struct Change {
  /// Those of a lower rank come first: pools that grow before pools that shrink, so that no stage
  /// is short of threads in between.
  int rank = 0;
  /// Brings it into force; why not, when a rule is against it. What it throws is a refusal, too.
  std::function<std::optional<control::Refusal>()> bring;
  /// Brings back what was before it.
  std::function<void()> take_back;
  /// It has several parts, some of which may be in force when it is refused.
  bool in_parts = false;
};

/// Brings all changes into force, or none. What is refused while others still stand in its way is
/// tried again after them; when one is refused for good, those in force are taken back, the last
/// one first. None: all are in force. (The designer and the command line do the same with
/// commands, `rearrange` in codegen.)
[[nodiscard]] std::optional<control::Refusal> all_or_none(std::vector<Change> changes);

}  // namespace penstock::app
