#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace penstock {

/// The settings of a source as the configuration of its binary has them, key by key. A key that is
/// missing or wrong gives no value; what is wrong with it is reported with its place, for all keys
/// at once. Keys that nobody asks for are reported, too.
class SourceReader {
 public:
  /// Of a text whose manifest says no other bound.
  static constexpr std::size_t kLongestText = 10'000;

  SourceReader() = default;
  SourceReader(const SourceReader&) = delete;
  SourceReader& operator=(const SourceReader&) = delete;
  virtual ~SourceReader() = default;

  /// Lengths count as in the drawing and its checks: UTF-16 code units.
  virtual std::optional<std::string> text(std::string_view key, std::size_t shortest,
                                          std::size_t longest, bool is_required) = 0;
  /// `unit`: what is counted, for people.
  virtual std::optional<std::int64_t> integer(std::string_view key, std::int64_t low,
                                              std::int64_t high, std::string_view unit,
                                              bool is_required) = 0;
  virtual std::optional<double> number(std::string_view key, double low, double high,
                                       bool is_required) = 0;
  virtual std::optional<bool> flag(std::string_view key, bool is_required) = 0;
  /// One of `choices`; gives its index.
  virtual std::optional<std::size_t> choice(std::string_view key,
                                            std::initializer_list<std::string_view> choices,
                                            bool is_required) = 0;
  /// Events a second, 0 (paused) to 1e9.
  virtual std::optional<double> rate(std::string_view key, bool is_required) = 0;
  /// Reports a value that was read and cannot be used after all.
  virtual void refuse(std::string_view key, std::string reason, std::string remedy) = 0;
};

}  // namespace penstock
