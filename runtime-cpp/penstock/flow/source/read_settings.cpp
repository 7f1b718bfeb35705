// What sources may be set to: apart from what they do, so that a configuration is read without
// them.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "penstock/base/limits.hpp"
#include "penstock/flow/source/file_source.hpp"
#include "penstock/flow/source/http_source.hpp"

namespace penstock::flow {

namespace {

/// What the topology's rule takes: unreserved characters between single slashes.
bool is_path(std::string_view path) {
  if (path == "/") return true;
  if (path.empty() || path.front() != '/' || path.back() == '/') return false;
  return std::all_of(path.begin(), path.end(), [last = ' '](char c) mutable {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '_' || c == '~' || c == '-' || (c == '/' && last != '/');
    last = c;
    return good;
  });
}

}  // namespace

FileSource::Settings FileSource::read_from(SourceReader& in) {
  Settings settings;
  if (auto path = in.text("path", 1, SourceReader::kLongestText, true)) {
    settings.path = std::move(*path);
  }
  settings.loop = in.flag("loop", false).value_or(false);
  settings.per_second = in.rate("perSecond", false).value_or(kNoLimit);
  return settings;
}

HttpSource::Settings HttpSource::read_from(SourceReader& in) {
  Settings settings;
  if (auto path = in.text("path", 0, SourceReader::kLongestText, true)) {
    settings.path = std::move(*path);
    if (!is_path(settings.path)) {
      in.refuse("path", "is no path",
                "use /name, of letters, digits, - . _ ~ between single slashes");
    }
  }
  settings.accepted = in.choice("answer", {"result", "accepted"}, false) == 1;
  if (const auto limit =
          in.integer("timeoutMs", 1, limits::kLongestTimeoutMs, "milliseconds", false)) {
    settings.timeout_ms = static_cast<std::int32_t>(*limit);
  }
  if (const auto limit = in.integer("maxBytes", 1, limits::kLargestBody, "bytes", false)) {
    settings.max_bytes = static_cast<std::uint32_t>(*limit);
  }
  return settings;
}

}  // namespace penstock::flow
