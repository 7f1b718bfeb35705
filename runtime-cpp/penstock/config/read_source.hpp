#pragma once

#include <string>

#include "penstock/config/config.hpp"
#include "penstock/config/object_reader.hpp"

namespace penstock::config {

/// `{"kind": "http", "path": "/mo", ...}`: the source of a flow. Problems are reported; the parts
/// that are right are kept.
[[nodiscard]] Source read_source(const json::Json& value, const std::string& pointer,
                                 Problems& problems);

}  // namespace penstock::config
