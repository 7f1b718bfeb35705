#include "penstock/json/reader.hpp"

#include <algorithm>
#include <utility>

namespace penstock::json {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view in_words(JsonReader::Kind kind) noexcept {
  switch (kind) {
    case JsonReader::Kind::object:
      return "an object";
    case JsonReader::Kind::list:
      return "a list";
    case JsonReader::Kind::text:
      return "a string";
    case JsonReader::Kind::number:
      return "a number";
    case JsonReader::Kind::boolean:
      return "true or false";
    case JsonReader::Kind::null:
      return "null";
    case JsonReader::Kind::none:
      break;
  }
  return "no value";
}

}  // namespace

JsonReader::JsonReader(std::string_view text, std::size_t most_levels)
    : text_(text), most_levels_(std::min(most_levels, kMostLevels)) {
  if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
}

void JsonReader::skip_blanks() noexcept {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) {
    ++at_;
  }
}

JsonReader::Kind JsonReader::kind() {
  if (failed_) return Kind::none;
  skip_blanks();
  value_at_ = at_;
  if (at_ == text_.size()) return Kind::none;
  switch (text_[at_]) {
    case '{':
      return Kind::object;
    case '[':
      return Kind::list;
    case '"':
      return Kind::text;
    case 't':
    case 'f':
      return Kind::boolean;
    case 'n':
      return Kind::null;
    default:
      return (text_[at_] >= '0' && text_[at_] <= '9') || text_[at_] == '-' ? Kind::number
                                                                           : Kind::none;
  }
}

bool JsonReader::take_null() { return kind() == Kind::null && literal("null"); }

bool JsonReader::literal(std::string_view word) {
  if (text_.substr(at_, word.size()) != word) return fail("no JSON value starts here");
  at_ += word.size();
  return true;
}

bool JsonReader::enter(char open, std::string_view wanted, bool list) {
  const Kind found = kind();
  if (failed_) return false;
  if (at_ == text_.size() || text_[at_] != open) {
    return found == Kind::none ? fail("no JSON value starts here") : mismatch(wanted);
  }
  if (depth_ == most_levels_) {
    return fail("is nested deeper than " + std::to_string(most_levels_) + " levels");
  }
  ++at_;
  Level& level = levels_[depth_++];
  level.list = list;
  level.fresh = true;
  level.index = 0;
  level.key_at = 0;
  return true;
}

bool JsonReader::enter_object() { return enter('{', "an object", false); }
bool JsonReader::enter_list() { return enter('[', "a list", true); }

bool JsonReader::next_key() {
  if (failed_) return false;
  Level& level = levels_[depth_ - 1];
  level.key_at = 0;
  skip_blanks();
  value_at_ = at_;
  if (at_ < text_.size() && text_[at_] == '}') {
    ++at_;
    --depth_;
    return false;
  }
  if (!level.fresh) {
    if (at_ == text_.size() || text_[at_] != ',') return fail("a comma or } is missing here");
    ++at_;
    skip_blanks();
  }
  level.fresh = false;
  if (at_ == text_.size() || text_[at_] != '"') return fail("a name in quotes is missing here");
  const std::size_t key_at = value_at_ = at_;
  if (!read_key()) return false;
  level.key_at = key_at;
  skip_blanks();
  if (at_ == text_.size() || text_[at_] != ':') return fail("a colon is missing here");
  ++at_;
  return true;
}

bool JsonReader::read_key() {
  const std::size_t end = plain_until(at_ + 1);
  if (end < text_.size() && text_[end] == '"') {
    key_ = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }
  if (!text(unescaped_key_)) return false;
  key_ = unescaped_key_;
  return key_.find('\0') == std::string_view::npos || fail_here("a name holds a NUL character");
}

bool JsonReader::next_element() {
  if (failed_) return false;
  Level& level = levels_[depth_ - 1];
  skip_blanks();
  if (at_ < text_.size() && text_[at_] == ']') {
    ++at_;
    --depth_;
    return false;
  }
  if (level.fresh) {
    level.fresh = false;
    return true;
  }
  if (at_ == text_.size() || text_[at_] != ',') return fail("a comma or ] is missing here");
  ++at_;
  ++level.index;
  return true;
}

bool JsonReader::boolean(bool& value) {
  if (kind() != Kind::boolean) return mismatch("true or false");
  value = text_[at_] == 't';
  return literal(value ? "true" : "false");
}

// Calls itself no deeper than enter() lets it.
bool JsonReader::skip() {
  switch (kind()) {
    case Kind::object:
      if (!enter_object()) return false;
      while (next_key()) {
        if (!skip()) return false;
      }
      return !failed_;
    case Kind::list:
      if (!enter_list()) return false;
      while (next_element()) {
        if (!skip()) return false;
      }
      return !failed_;
    case Kind::text:
      return text(scratch_);
    case Kind::number:
      return number_text("a number").has_value();
    case Kind::boolean:
      return literal(text_[at_] == 't' ? "true" : "false");
    case Kind::null:
      return literal("null");
    case Kind::none:
      break;
  }
  return fail("no JSON value starts here");
}

bool JsonReader::mismatch(std::string_view wanted) {
  const Kind found = kind();
  if (found == Kind::none) return fail("no JSON value starts here");
  return fail("is " + std::string(in_words(found)) + ", not " + std::string(wanted));
}

bool JsonReader::end() {
  if (failed_) return false;
  skip_blanks();
  return at_ == text_.size() ? true : fail("something follows the value");
}

std::string JsonReader::pointer() const {
  std::string path;
  for (std::size_t at = 0; at < depth_; ++at) {
    const Level& level = levels_[at];
    if (!level.list && level.key_at == 0) break;
    if (level.list && level.fresh) break;
    path += '/';
    if (level.list) {
      path += std::to_string(level.index);
      continue;
    }
    std::string key;
    JsonReader(text_.substr(level.key_at)).text(key);
    for (const char c : key) {
      if (c == '~') {
        path += "~0";
      } else if (c == '/') {
        path += "~1";
      } else {
        path += c;
      }
    }
  }
  return path;
}

bool JsonReader::fail(std::string reason) {
  if (failed_) return false;
  failed_ = true;
  const std::string_view before = text_.substr(0, at_);
  const std::size_t start = before.rfind('\n');
  const std::string_view line = start == std::string_view::npos ? before : before.substr(start + 1);
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  error_ = {pointer(), std::move(reason),
            static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
            static_cast<std::size_t>(std::count_if(line.begin(), line.end(), begins)) + 1};
  return false;
}

bool JsonReader::fail_here(std::string reason) {
  at_ = value_at_;
  return fail(std::move(reason));
}

}  // namespace penstock::json
