#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "penstock/json/append.hpp"
#include "penstock/json/writer.hpp"

namespace penstock::json {

/// One JSON text by members and elements, written left to right: what a binary says about itself.
/// Numbers are numbers (those of messages: JsonWriter); what JSON cannot say of them is null.
class PlainWriter {
 public:
  PlainWriter() = default;
  PlainWriter(const PlainWriter&) = delete;
  PlainWriter& operator=(const PlainWriter&) = delete;
  ~PlainWriter() = default;

  /// Of the value, or bracket, that comes next. Names need no escapes.
  void key(std::string_view name) {
    out_.name(name);
    named_ = true;
  }
  void open(char bracket) {
    begin();
    out_.open(bracket);
  }
  void close(char bracket) { out_.close(bracket); }

  void value(std::string_view text) {
    begin();
    append_string(text_, text);
  }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(const char* text) { value(std::string_view(text)); }
  void value(bool yes) {
    begin();
    out_.boolean(yes);
  }
  template <class Number>
  void value(Number number) {
    begin();
    append_number(text_, number);
  }
  template <class T>
  void value(const std::optional<T>& maybe) {
    if (maybe) {
      value(*maybe);
    } else {
      raw("null");
    }
  }
  /// A JSON text as it stands.
  void raw(std::string_view json) {
    begin();
    text_ += json;
  }

  template <class T>
  void field(std::string_view name, const T& content) {
    key(name);
    value(content);
  }
  template <class T>
  void list(std::string_view name, const std::vector<T>& items) {
    each(name, items, [this](const T& item) { value(item); });
  }
  template <class T, class Write>
  void each(std::string_view name, const std::vector<T>& items, Write write) {
    key(name);
    open('[');
    for (const T& item : items) write(item);
    close(']');
  }
  /// Elements of a list, in a row.
  template <class... T>
  void cells(const T&... content) {
    (value(content), ...);
  }

  /// Closes the object that all of it is, and gives it away. Once.
  [[nodiscard]] std::string end() {
    close('}');
    return std::move(text_);
  }

 private:
  void begin() {
    if (!named_) out_.comma();
    named_ = false;
  }

  std::string text_;
  JsonWriter out_{text_};
  bool named_ = false;  // what comes next has its name before it, and its comma
};

/// The name, or null where there is none.
[[nodiscard]] inline std::optional<std::string_view> none_if_empty(std::string_view name) {
  return name.empty() ? std::nullopt : std::optional(name);
}

}  // namespace penstock::json
