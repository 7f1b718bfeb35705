#pragma once

#include <string>

#include "penstock/metrics/snapshot.hpp"

namespace penstock::metrics {

/// Media type of prometheus_text().
inline constexpr const char* kPrometheusType = "text/plain; version=0.0.4; charset=utf-8";

/// A snapshot in Prometheus' text format 0.0.4: HELP and TYPE once a family, base units (seconds,
/// bytes), cumulative histogram buckets, labels escaped. Rows whose id the schema does not know are
/// left out. Linear in the size of the snapshot.
[[nodiscard]] std::string prometheus_text(const Schema& schema, const Sample& sample);

}  // namespace penstock::metrics
