#include "penstock/http/context_headers.hpp"

#include <algorithm>

#include "penstock/base/utf8.hpp"

namespace penstock::http {
namespace {

constexpr std::string_view kTrace = "traceparent";
constexpr std::string_view kTokenMarks = "!#$%&'*+-.^_`|~";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// A token of RFC 9110.
bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kTokenMarks.find(c) != std::string_view::npos;
  });
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Percent escapes undone; nothing where they are broken or no UTF-8 without NUL comes out.
std::optional<std::string> unescaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    const int high = at + 2 < text.size() ? hex_digit(text[at + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[at + 2]) : -1;
    if (low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    at += 2;
  }
  for (std::string_view rest = out; !rest.empty();) {
    const std::size_t length = utf8_length(rest);
    if (length == 0 || rest.front() == '\0') return std::nullopt;
    rest.remove_prefix(length);
  }
  return out;
}

/// `key=value;property`, of which the properties are left out.
void read_member(std::string_view member, Baggage& out) {
  member = member.substr(0, member.find(';'));
  const std::size_t equals = member.find('=');
  if (equals == std::string_view::npos) return;
  const std::string_view key = trimmed(member.substr(0, equals));
  if (!is_token(key)) return;
  if (auto value = unescaped(trimmed(member.substr(equals + 1)))) {
    out.emplace_back(key, std::move(*value));
  }
}

std::shared_ptr<const Baggage> baggage_of(const RequestHead& head) {
  auto baggage = std::make_shared<Baggage>();
  std::size_t bytes = 0;
  for (const auto& [name, value] : head.fields) {
    // Several fields are one list.
    if (!same_without_case(name, "baggage")) continue;
    bytes += value.size();
    if (bytes > kMostBaggageBytes) return nullptr;
    for (std::string_view rest = value; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      read_member(rest.substr(0, comma), *baggage);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  if (baggage->empty() || baggage->size() > kMostBaggage) return nullptr;
  return baggage;
}

}  // namespace

Context context_of(const RequestHead& head) {
  Context context;
  const auto given = std::count_if(head.fields.begin(), head.fields.end(), [](const auto& item) {
    return same_without_case(item.first, kTrace);
  });
  // Two of them: nobody knows which one is meant.
  if (const auto trace = field(head, kTrace); trace && given == 1) {
    context.trace = TraceIds::parse(trimmed(*trace)).value_or(TraceIds{});
  }
  const bool has_baggage =
      std::any_of(head.fields.begin(), head.fields.end(),
                  [](const auto& item) { return same_without_case(item.first, "baggage"); });
  if (has_baggage) context.baggage = baggage_of(head);
  return context;
}

}  // namespace penstock::http
