#pragma once

#include "penstock/config/config.hpp"
#include "penstock/config/object_reader.hpp"

namespace penstock::config {

/// Reads what is in the slot before a stage: a pool's name (not checked here), or
/// `{"threads": n | "cached", "queue": n, "overflow": ...}`. What is wrong is reported.
[[nodiscard]] Join read_join(const std::string& stage, const json::Json& value,
                             const std::string& pointer, Problems& problems);

}  // namespace penstock::config
