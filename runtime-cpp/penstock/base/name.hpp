#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace penstock {

/// A text that is given once and kept for as long as the program runs, such as the name of a
/// service: a pointer into one table, so that thousands of them cost their letters and eight bytes
/// each. Copies share the text. Any thread.
class Name {
 public:
  constexpr Name() noexcept = default;
  // NOLINTBEGIN(google-explicit-constructor): a name is given as a text
  /// Throws std::bad_alloc.
  Name(std::string_view text) : text_(keep(text)) {}
  Name(const std::string& text) : Name(std::string_view(text)) {}
  Name(const char* text) : Name(std::string_view(text)) {}

  operator std::string_view() const noexcept { return text_; }
  // NOLINTEND(google-explicit-constructor)
  [[nodiscard]] std::string_view view() const noexcept { return text_; }
  [[nodiscard]] std::string str() const { return text_; }
  [[nodiscard]] bool empty() const noexcept { return *text_ == '\0'; }

  friend bool operator==(const Name& name, std::string_view text) noexcept {
    return name.view() == text;
  }
  friend std::string operator+(std::string before, const Name& name) {
    return std::move(before.append(name.text_));
  }
  friend std::string operator+(const char* before, const Name& name) {
    return std::string(before) + name;
  }
  friend std::ostream& operator<<(std::ostream& out, const Name& name) { return out << name.text_; }

 private:
  static const char* keep(std::string_view text);

  const char* text_ = "";
};

}  // namespace penstock
