#include "penstock/exec/cpu_quota.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>

namespace penstock::exec {

namespace {

// The first line of a file, without what is not there.
std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// A number that says a limit; none for `max`, `-1` and what is no number.
std::optional<unsigned long> limit(std::string_view text) {
  unsigned long value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end || value == 0) return std::nullopt;
  return value;
}

std::optional<unsigned> cpus_of(std::string_view quota, std::string_view period) {
  const auto time = limit(quota);
  const auto of = limit(period);
  if (!time || !of) return std::nullopt;
  return static_cast<unsigned>(std::min((*time - 1) / *of + 1, 1UL << 20U));
}

// Version 2: `QUOTA PERIOD` in one file.
std::optional<unsigned> unified(const std::string& group) {
  const std::string line = line_of(group + "/cpu.max");
  const std::size_t space = line.find(' ');
  if (space == std::string::npos) return std::nullopt;
  const std::string_view text = line;
  return cpus_of(text.substr(0, space), text.substr(space + 1));
}

// Version 1: a file each.
std::optional<unsigned> by_controller(const std::string& group) {
  return cpus_of(line_of(group + "/cpu.cfs_quota_us"), line_of(group + "/cpu.cfs_period_us"));
}

}  // namespace

std::optional<unsigned> cpu_quota(const std::string& mounted, const std::string& groups) {
  std::optional<unsigned> least;
  std::istringstream lines(groups);
  // `HIERARCHY:CONTROLLERS:/PATH`; version 2 has no controllers.
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool of_cpu = ("," + controllers + ",").find(",cpu,") != std::string::npos;
    if (!controllers.empty() && !of_cpu) continue;
    std::string root = mounted;
    if (!controllers.empty()) root.append("/").append(controllers);
    // A container sees its own group as the root, though its path may be that of the host.
    for (std::string path = line.substr(second + 1);; path.resize(path.rfind('/'))) {
      if (path == "/") path.clear();
      const auto cpus = controllers.empty() ? unified(root + path) : by_controller(root + path);
      if (cpus) least = std::min(*cpus, least.value_or(*cpus));
      if (path.find('/') == std::string::npos) break;
    }
  }
  return least;
}

}  // namespace penstock::exec
