#include "penstock/base/context.hpp"

#include <array>
#include <cstdio>

namespace penstock {

namespace {

// Lower-case hex only, as the W3C text demands.
std::optional<std::uint64_t> parse_hex(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char digit : digits) {
    if (digit >= '0' && digit <= '9') {
      value = (value << 4U) | static_cast<std::uint64_t>(digit - '0');
    } else if (digit >= 'a' && digit <= 'f') {
      value = (value << 4U) | static_cast<std::uint64_t>(digit - 'a' + 10);
    } else {
      return std::nullopt;
    }
  }
  return value;
}

}  // namespace

std::string TraceIds::traceparent() const {
  if (!present()) return {};
  std::array<char, 64> text{};
  const int size = std::snprintf(text.data(), text.size(), "00-%016llx%016llx-%016llx-%02x",
                                 static_cast<unsigned long long>(trace_high),
                                 static_cast<unsigned long long>(trace_low),
                                 static_cast<unsigned long long>(parent), unsigned{flags});
  return {text.data(), static_cast<std::size_t>(size)};
}

std::optional<TraceIds> TraceIds::parse(std::string_view text) {
  if (text.size() < 55 || text[2] != '-' || text[35] != '-' || text[52] != '-') return std::nullopt;
  const auto version = parse_hex(text.substr(0, 2));
  if (!version || *version == 0xFF) return std::nullopt;
  // A later version may say more behind it.
  if (text.size() > 55 && (*version == 0 || text[55] != '-')) return std::nullopt;
  const auto high = parse_hex(text.substr(3, 16));
  const auto low = parse_hex(text.substr(19, 16));
  const auto parent = parse_hex(text.substr(36, 16));
  const auto flags = parse_hex(text.substr(53, 2));
  if (!high || !low || !parent || !flags || (*high | *low) == 0 || *parent == 0) {
    return std::nullopt;
  }
  return TraceIds{*high, *low, *parent, static_cast<std::uint8_t>(*flags)};
}

std::string_view Context::baggage_value(std::string_view key) const {
  if (baggage) {
    for (const auto& [name, value] : *baggage) {
      if (name == key) return value;
    }
  }
  return {};
}

}  // namespace penstock
