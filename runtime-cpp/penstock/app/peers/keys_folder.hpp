#pragma once

#include <string>

namespace penstock::app {

/// Where the keys of a binary are: in the folder that PENSTOCK_KEYS names, else in that of the
/// project that its configuration was generated in, else beside it.
[[nodiscard]] std::string folder_of_keys(const std::string& config_file);

}  // namespace penstock::app
