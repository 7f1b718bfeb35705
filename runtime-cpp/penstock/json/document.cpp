#include "penstock/json/document.hpp"

#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "penstock/json/reader.hpp"

namespace penstock::json {
namespace {

/// Builds the tree. What is open is a vector of its containers: a list that is open does not grow
/// before what it holds last is closed, so none of them moves.
class Builder {
 public:
  Builder(std::string_view text, std::size_t most_levels) : in_(text, most_levels) {}

  std::variant<Json, JsonError> document() && {
    Json root;
    if (value(root) && members() && in_.end()) return root;
    return std::move(in_).take_error();
  }

 private:
  bool value(Json& out) {
    switch (in_.kind()) {
      case JsonReader::Kind::object:
        out = Json::object();
        open_.push_back(&out);
        return in_.enter_object();
      case JsonReader::Kind::list:
        out = Json::array();
        open_.push_back(&out);
        return in_.enter_list();
      case JsonReader::Kind::text:
        out = std::string();
        return in_.text(out.get_ref<std::string&>()) && has_no_nul(out.get_ref<std::string&>());
      case JsonReader::Kind::number:
        return number(out);
      case JsonReader::Kind::boolean:
        out = false;
        return in_.boolean(out.get_ref<bool&>());
      case JsonReader::Kind::null:
        return in_.take_null();
      case JsonReader::Kind::none:
        break;
    }
    return in_.fail("no JSON value starts here");
  }

  /// What the open containers hold, until all are closed.
  bool members() {
    while (!open_.empty()) {
      Json& container = *open_.back();
      if (container.is_object() ? in_.next_key() : in_.next_element()) {
        if (container.is_array()) {
          if (!value(container.emplace_back())) return false;
        } else if (!member(container)) {
          return false;
        }
      } else if (in_.failed()) {
        return false;
      } else {
        open_.pop_back();
      }
    }
    return true;
  }

  bool member(Json& object) {
    const auto [place, is_new] =
        object.get_ref<Json::object_t&>().try_emplace(std::string(in_.key()));
    return is_new ? value(place->second) : in_.fail_here("is there twice");
  }

  bool has_no_nul(std::string_view text) {
    return text.find('\0') == std::string_view::npos || in_.fail_here("holds a NUL character");
  }

  /// Whole numbers stay whole where one of 64 bits holds them.
  bool number(Json& out) {
    const std::string_view digits = in_.peek_number();
    if (fits<std::uint64_t>(digits)) return number<std::uint64_t>(out);
    return fits<std::int64_t>(digits) ? number<std::int64_t>(out) : number<double>(out);
  }

  template <class Number>
  bool number(Json& out) {
    out = Number{0};
    return in_.number(out.get_ref<Number&>());
  }

  template <class Whole>
  static bool fits(std::string_view digits) {
    Whole value = 0;
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, value);
    return read.ec == std::errc{} && read.ptr == end;
  }

  JsonReader in_;
  std::vector<Json*> open_;
};

}  // namespace

std::variant<Json, JsonError> parse_document(std::string_view text, std::size_t most_levels) {
  return Builder(text, most_levels).document();
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
