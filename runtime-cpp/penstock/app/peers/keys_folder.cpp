#include "penstock/app/peers/keys_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace penstock::app {

std::string folder_of_keys(const std::string& config_file) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody here changes the environment
  if (const char* const told = std::getenv("PENSTOCK_KEYS"); told != nullptr && *told != '\0')
    return told;
  const auto beside = std::filesystem::absolute(config_file).parent_path();
  const auto of_project = (beside / "../../keys").lexically_normal();
  std::error_code failed;
  const bool is_generated = std::filesystem::is_directory(of_project, failed);
  return (is_generated ? of_project : beside / "keys").string();
}

}  // namespace penstock::app
