#pragma once

#include <functional>
#include <memory>
#include <string>

#include "penstock/config/config.hpp"
#include "penstock/flow/source/source_reader.hpp"

namespace penstock::app {

/// What reads the settings of a flow's source, by the kind that the binary was built for.
struct SourceRegistration {
  const char* kind = nullptr;
  std::shared_ptr<const void> (*read)(SourceReader& in) = nullptr;
};

/// Lets the classes of sources read their settings out of a configuration. `find`: null for a flow
/// that the binary does not have, of which nothing is said here.
[[nodiscard]] config::ReadSource read_sources(
    std::function<const SourceRegistration*(const std::string& flow)> find);

}  // namespace penstock::app
