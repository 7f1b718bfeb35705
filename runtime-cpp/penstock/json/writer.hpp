#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace penstock::json {

/// Appends JSON without blanks to a string.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) noexcept : out_(out) {}

  /// A member's name, after a comma where it is not the first. Names need no escapes.
  void name(std::string_view text) {
    comma();
    out_ += '"';
    out_ += text;
    out_ += "\":";
  }
  /// Behind a name that is written as a text, before which stands a comma().
  void colon() { out_ += ':'; }
  /// Between the elements of a list: before each.
  void comma() {
    if (!fresh_) out_ += ',';
    fresh_ = false;
  }
  void open(char bracket) {
    out_ += bracket;
    fresh_ = true;
  }
  void close(char bracket) {
    out_ += bracket;
    fresh_ = false;
  }

  void boolean(bool value) { out_ += value ? "true" : "false"; }
  void number(std::int32_t value);
  void number(std::uint32_t value);
  /// As texts: a reader whose numbers are doubles would lose their last digits.
  void number(std::int64_t value);
  void number(std::uint64_t value);
  void number(float value);
  void number(double value);
  /// What is no UTF-8 becomes U+FFFD.
  void text(std::string_view value);
  void bytes(std::string_view value);

  /// A place to go back to, when what was written after it is to be left out.
  struct Mark {
    std::size_t size = 0;
    bool fresh = true;
  };
  [[nodiscard]] Mark mark() const noexcept { return {out_.size(), fresh_}; }
  void go_back(const Mark& mark) {
    out_.resize(mark.size);
    fresh_ = mark.fresh;
  }
  [[nodiscard]] std::size_t size() const noexcept { return out_.size(); }

 private:
  std::string& out_;
  bool fresh_ = true;  // nothing before this in its object or list
};

}  // namespace penstock::json
