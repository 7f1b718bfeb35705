#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "penstock/metrics/snapshot.hpp"

namespace penstock::metrics {

using Label = std::pair<std::string_view, std::string_view>;
using Labels = std::initializer_list<Label>;

/// A text in Prometheus' exposition format, under construction: families one after the other, as
/// the format demands. One thread.
class Exposition {
 public:
  void family(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    ((text_ += "# HELP ") += name) += ' ';
    (text_ += help) += '\n';
    ((text_ += "# TYPE ") += name) += ' ';
    (text_ += type) += '\n';
  }

  template <class Number>
  void row(Labels labels, Number value) {
    row("", labels, {}, value);
  }

  void histogram(Labels labels, const LatencyTotals& totals, const std::vector<double>& bounds) {
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      below += totals.buckets[i];
      std::string bound;
      append_value(bound, bounds[i]);
      row("_bucket", labels, {"le", bound}, below);
    }
    below += totals.buckets[bounds.size()];
    row("_bucket", labels, {"le", "+Inf"}, below);
    row("_sum", labels, {}, totals.sum_seconds);
    row("_count", labels, {}, below);
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  template <class Number>
  static void append_value(std::string& out, Number value) {
    std::array<char, 32> digits;
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    out.append(digits.data(), result.ptr);
  }

  template <class Number>
  void row(std::string_view suffix, Labels labels, Label extra, Number value) {
    (text_ += name_) += suffix;
    char separator = '{';
    const auto write = [&](const Label& label) {
      text_ += separator;
      (text_ += label.first) += "=\"";
      append_label_value(label.second);
      text_ += '"';
      separator = ',';
    };
    for (const Label& label : labels) write(label);
    if (!extra.first.empty()) write(extra);
    if (separator == ',') text_ += '}';
    text_ += ' ';
    append_value(text_, value);
    text_ += '\n';
  }

  void append_label_value(std::string_view value) {
    for (const char c : value) {
      switch (c) {
        case '\\':
          text_ += "\\\\";
          break;
        case '"':
          text_ += "\\\"";
          break;
        case '\n':
          text_ += "\\n";
          break;
        default:
          text_ += c;
      }
    }
  }

  std::string text_;
  std::string_view name_;
};

}  // namespace penstock::metrics
