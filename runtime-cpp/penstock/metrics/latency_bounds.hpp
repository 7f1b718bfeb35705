#pragma once

#include <vector>

#include "penstock/base/time.hpp"

namespace penstock::metrics {

/// Upper bounds of the exported histograms' buckets, seconds, rising: kLatencyBoundsSeconds, and
/// for each deadline itself, a half and three quarters of it, so that one sees how near to it
/// answers come. Of many deadlines the kMostDeadlines that most services have; 0 is none.
[[nodiscard]] std::vector<double> latency_bounds(std::vector<Nanos> deadlines = {});

}  // namespace penstock::metrics
