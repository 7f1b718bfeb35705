#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/config/config.hpp"
#include "penstock/json/document.hpp"

namespace penstock::config {

/// Where problems are collected; stops counting at 50, so that a garbage file stays readable.
class Problems {
 public:
  void add(std::string pointer, std::string reason, std::string remedy);
  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] std::size_t count() const { return list_.size(); }
  [[nodiscard]] std::vector<Problem> take() { return std::move(list_); }

 private:
  std::vector<Problem> list_;
};

/// Reads one JSON object key by key and, at the end, names every key nobody asked for. A value
/// that is missing or wrong is reported and left out, so that one run shows all mistakes.
class ObjectReader {
 public:
  using Visit = std::function<void(const json::Json& value, const std::string& pointer)>;

  ObjectReader(const json::Json& value, std::string pointer, Problems& problems);

  /// Null when the key is missing; then reported if it is required.
  const json::Json* optional(std::string_view key);
  const json::Json* required(std::string_view key);

  std::optional<std::string> text(std::string_view key, bool is_required);
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t low, std::int64_t high,
                                      std::string_view unit, bool is_required);
  /// True or false; false when it is missing.
  bool flag(std::string_view key);
  /// One of `choices`; gives its index.
  std::optional<std::size_t> choice(std::string_view key,
                                    const std::vector<std::string_view>& choices);
  void each_element(std::string_view key, const Visit& visit, bool is_required);
  void each_member(std::string_view key,
                   const std::function<void(const std::string& name, const json::Json& value,
                                            const std::string& pointer)>& visit);

  /// Reports unknown keys. Call once, after all reads.
  void finish();

  [[nodiscard]] std::string at(std::string_view key) const {
    return json::child_pointer(pointer_, key);
  }
  [[nodiscard]] const std::string& pointer() const { return pointer_; }

 private:
  const json::Json* object_;  // null: the value was no object, which is reported already
  std::string pointer_;
  Problems* problems_;
  std::vector<std::string> known_;
};

/// A whole number within [low, high], or a problem that states the range.
std::optional<std::int64_t> integer_in(const json::Json& value, const std::string& pointer,
                                       std::int64_t low, std::int64_t high, std::string_view unit,
                                       Problems& problems);

}  // namespace penstock::config
