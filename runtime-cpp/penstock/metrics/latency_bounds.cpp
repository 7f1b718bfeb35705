#include "penstock/metrics/latency_bounds.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "penstock/metrics/snapshot.hpp"

namespace penstock::metrics {

std::vector<double> latency_bounds(std::vector<Nanos> deadlines) {
  std::map<Nanos, int> users;
  for (const Nanos deadline : deadlines) {
    if (deadline > 0) ++users[deadline];
  }
  std::vector<std::pair<Nanos, int>> common(users.begin(), users.end());
  std::stable_sort(common.begin(), common.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (common.size() > kMostDeadlines) common.resize(kMostDeadlines);

  std::vector<double> bounds(kLatencyBoundsSeconds.begin(), kLatencyBoundsSeconds.end());
  for (const auto& [deadline, count] : common) {
    // In whole nanoseconds, so that 0.25 is the 0.25 that is there already.
    for (const Nanos bound : {deadline / 2, deadline / 4 * 3, deadline}) {
      bounds.push_back(static_cast<double>(bound) / 1e9);
    }
  }
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  return bounds;
}

}  // namespace penstock::metrics
