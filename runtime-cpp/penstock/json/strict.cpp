#include "penstock/json/strict.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace penstock::json {
namespace {

/// Builds the document from the parser's events. The open containers are a vector, so depth is
/// bounded by a comparison.
class Builder final : public nlohmann::json_sax<Json> {
 public:
  Builder(std::string_view text, std::size_t max_depth) : text_(text), max_depth_(max_depth) {}

  bool null() override { return place(nullptr); }
  bool boolean(bool value) override { return place(value); }
  bool number_integer(number_integer_t value) override { return place(value); }
  bool number_unsigned(number_unsigned_t value) override { return place(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override {
    return place(value);
  }
  bool string(string_t& value) override {
    if (value.find('\0') != string_t::npos) return fail(here(), "a text holds a NUL character");
    return place(std::move(value));
  }
  bool binary(binary_t& /*value*/) override { return fail(here(), "binary data"); }

  bool start_object(std::size_t /*elements*/) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*elements*/) override { return open(Json::array()); }
  bool end_array() override { return close(); }

  bool key(string_t& value) override {
    Level& level = open_.back();
    level.key = value;
    if (value.find('\0') != string_t::npos) return fail(holder(), "a key holds a NUL character");
    if (level.container.contains(value)) return fail(here(), "this key is there twice");
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    return fail("", place_in_text(position) + ": " + plain(error.what()));
  }

  [[nodiscard]] std::variant<Json, ParseFailure> result(bool parsed) && {
    if (parsed) return std::move(root_);
    return std::move(failure_);
  }

 private:
  struct Level {
    Json container;
    std::string key;
  };

  bool place(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (Level& level = open_.back(); level.container.is_object()) {
      level.container[level.key] = std::move(value);
    } else {
      level.container.push_back(std::move(value));
    }
    return true;
  }

  bool open(Json container) {
    if (open_.size() >= max_depth_) {
      return fail(here(), "nested deeper than " + std::to_string(max_depth_) + " levels");
    }
    open_.push_back({std::move(container), {}});
    return true;
  }

  bool close() {
    Json done = std::move(open_.back().container);
    open_.pop_back();
    return place(std::move(done));
  }

  /// Pointer of the value that is read now.
  [[nodiscard]] std::string here() const { return pointer(open_.size()); }
  /// Pointer of the innermost open container.
  [[nodiscard]] std::string holder() const { return pointer(open_.size() - 1); }
  [[nodiscard]] std::string pointer(std::size_t levels) const {
    std::string path;
    for (std::size_t i = 0; i < levels; ++i) {
      const Level& level = open_[i];
      path = child_pointer(
          path, level.container.is_object() ? level.key : std::to_string(level.container.size()));
    }
    return path;
  }

  bool fail(std::string pointer, std::string reason) {
    failure_ = {std::move(pointer), std::move(reason)};
    return false;
  }

  [[nodiscard]] std::string place_in_text(std::size_t position) const {
    const std::string_view before = text_.substr(0, position == 0 ? 0 : position - 1);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.rfind('\n');
    const std::size_t column =
        before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
  }

  /// The library's message without its own prefix ("[json.exception...] parse error at ...: ").
  static std::string plain(std::string_view message) {
    const std::size_t bracket = message.find("] ");
    if (bracket != std::string_view::npos) message.remove_prefix(bracket + 2);
    if (message.rfind("parse error", 0) == 0) {
      const std::size_t colon = message.find(": ");
      if (colon != std::string_view::npos) message.remove_prefix(colon + 2);
    }
    std::string text;
    for (const char c : message.substr(0, 200)) {
      text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    }
    return text;
  }

  std::string_view text_;
  std::size_t max_depth_;
  std::vector<Level> open_;
  Json root_;
  ParseFailure failure_;
};

}  // namespace

std::variant<Json, ParseFailure> parse_strict(std::string_view text, std::size_t max_depth) {
  Builder builder(text, max_depth);
  const bool parsed = Json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder).result(parsed);
}

std::string child_pointer(std::string_view parent, std::string_view key) {
  std::string pointer(parent);
  pointer += '/';
  for (const char c : key) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

std::optional<std::int64_t> whole_number(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  // 2^53: beyond it a double no longer says which whole number was meant.
  if (!(std::abs(number) <= 9007199254740992.0) || std::trunc(number) != number) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(number);
}

std::string_view type_in_words(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return "a string";
    case Json::value_t::boolean:
      return "a boolean";
    default:
      return "a number";
  }
}

std::string excerpt(const Json& value) {
  if (value.is_structured()) return std::string(type_in_words(value));
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  constexpr std::size_t kLongest = 60;
  if (text.size() > kLongest) {
    text.resize(kLongest);
    text += "...";
  }
  return text;
}

}  // namespace penstock::json
