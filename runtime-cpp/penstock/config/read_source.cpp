#include "penstock/config/read_source.hpp"

#include <algorithm>
#include <array>

namespace penstock::config {
namespace {

constexpr std::array<std::string_view, 4> kKindNames{"rate", "http", "file", "service"};
constexpr double kFastestRate = 1e9;
constexpr std::int64_t kLongestTimeoutMs = 3'600'000;
constexpr std::int64_t kLargestBody = 16 << 20;

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

class SourceReader {
 public:
  SourceReader(const json::Json& value, std::string pointer, Problems& problems)
      : object_(value, std::move(pointer), problems), problems_(problems) {}

  Source read() {
    object_.required("kind");
    const auto kind = object_.choice("kind", {kKindNames.begin(), kKindNames.end()});
    if (!kind) return source_;
    source_.kind = static_cast<SourceKind>(*kind);
    switch (source_.kind) {
      case SourceKind::rate:
        source_.per_second = 0;
        if (object_.required("perSecond") != nullptr) read_rate();
        break;
      case SourceKind::http:
        read_http();
        break;
      case SourceKind::file:
        read_file();
        break;
      case SourceKind::service:
        break;
    }
    object_.finish();
    return std::move(source_);
  }

 private:
  void read_rate() {
    const json::Json* const rate = object_.optional("perSecond");
    if (rate == nullptr) return;
    const double per_second = rate->is_number() ? rate->get<double>() : -1;
    if (per_second >= 0 && per_second <= kFastestRate) {
      source_.per_second = per_second;
      return;
    }
    problems_.add(object_.at("perSecond"), "is " + json::excerpt(*rate),
                  "use a number of events a second from 0 (paused) to 1000000000");
  }

  void read_http() {
    if (const auto path = object_.text("path", true)) {
      source_.path = *path;
      if (!is_path(*path)) {
        problems_.add(object_.at("path"), "is no path",
                      "use /name, of letters, digits, - . _ ~ between single slashes");
      }
    }
    source_.accepted = object_.choice("answer", {"result", "accepted"}) == 1;
    if (const auto limit =
            object_.integer("timeoutMs", 1, kLongestTimeoutMs, "milliseconds", false)) {
      source_.timeout_ms = static_cast<std::int32_t>(*limit);
    }
    if (const auto limit = object_.integer("maxBytes", 1, kLargestBody, "bytes", false)) {
      source_.max_bytes = static_cast<std::uint32_t>(*limit);
    }
  }

  void read_file() {
    if (const auto path = object_.text("path", true)) {
      source_.path = *path;
      if (path->empty()) problems_.add(object_.at("path"), "is empty", "name a file of JSON lines");
    }
    source_.loop = object_.flag("loop");
    read_rate();
  }

  ObjectReader object_;
  Problems& problems_;
  Source source_;
};

}  // namespace

std::string_view to_string(SourceKind kind) {
  return kKindNames.at(static_cast<std::size_t>(kind));
}

Source read_source(const json::Json& value, const std::string& pointer, Problems& problems) {
  return SourceReader(value, pointer, problems).read();
}

}  // namespace penstock::config
