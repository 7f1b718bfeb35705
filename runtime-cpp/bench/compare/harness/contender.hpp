#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace compare {

/// Something that does a workload: ours (`penstock...`), a physical limit (`limit...`) or a peer.
struct Contender {
  std::string_view workload;
  std::string_view name;
  std::string_view what;  ///< one line for the page
  /// Sets itself up, warms up, measures for about kMeasured, and returns the rate in the unit of
  /// the workload: higher is better.
  double (*rate)() = nullptr;
  /// Does so many, for who counts instructions.
  void (*times)(std::uint64_t count) = nullptr;
};

/// All of this program, in no particular order.
[[nodiscard]] std::vector<Contender>& contenders();

/// A global of this type enters a contender, so that a file joins by being linked.
struct Enter {
  explicit Enter(const Contender& contender) { contenders().push_back(contender); }
};

}  // namespace compare
