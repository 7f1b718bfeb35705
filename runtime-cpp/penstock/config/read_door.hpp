#pragma once

#include <optional>

#include "penstock/config/config.hpp"
#include "penstock/config/object_reader.hpp"

namespace penstock::config {

/// Reads where HTTP requests are taken: a loopback address, or
/// `{"address": ..., "auth": "bearer" | "none", "tls": "keys" | {"cert", "key"} | "off"}`, which
/// says both where other machines may reach it. What is wrong is reported.
[[nodiscard]] std::optional<Door> read_door(const json::Json& value, const std::string& pointer,
                                            Problems& problems);

}  // namespace penstock::config
