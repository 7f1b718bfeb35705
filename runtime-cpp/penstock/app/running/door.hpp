#pragma once

#include <optional>
#include <string>

#include "penstock/app/model/model.hpp"
#include "penstock/edge/server.hpp"

namespace penstock::app {

/// What the HTTP address of a binary is opened with; nothing: it has none. `token`: what
/// PENSTOCK_HTTP_TOKEN said. Throws StartError where who may ask, or what secures it, cannot be
/// read.
[[nodiscard]] std::optional<edge::ServerOptions> door_of(const Model& model,
                                                         const config::Config& config,
                                                         const std::string& config_file,
                                                         const std::string& token);

}  // namespace penstock::app
