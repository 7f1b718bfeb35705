#include "penstock/config/object_reader.hpp"

#include <algorithm>
#include <utility>

namespace penstock::config {
namespace {

constexpr std::size_t kMostProblems = 50;

std::string wrong_type(const json::Json& value) {
  return "is " + std::string(json::type_in_words(value));
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

}  // namespace

void Problems::add(std::string pointer, std::string reason, std::string remedy) {
  if (list_.size() < kMostProblems) {
    list_.push_back({std::move(pointer), std::move(reason), std::move(remedy)});
  }
}

ObjectReader::ObjectReader(const json::Json& value, std::string pointer, Problems& problems)
    : object_(value.is_object() ? &value : nullptr),
      pointer_(std::move(pointer)),
      problems_(&problems) {
  if (object_ == nullptr) problems.add(pointer_, wrong_type(value), "make it an object: { ... }");
}

const json::Json* ObjectReader::optional(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  if (object_ == nullptr) return nullptr;
  const auto found = object_->find(key);
  return found == object_->end() ? nullptr : &*found;
}

const json::Json* ObjectReader::required(std::string_view key) {
  const json::Json* value = optional(key);
  if (value == nullptr && object_ != nullptr) {
    problems_->add(pointer_, "the key \"" + std::string(key) + "\" is missing",
                   "add it, or generate the file again");
  }
  return value;
}

std::optional<std::string> ObjectReader::text(std::string_view key, bool is_required) {
  const json::Json* value = is_required ? required(key) : optional(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) {
    problems_->add(at(key), wrong_type(*value), "make it a string");
    return std::nullopt;
  }
  return value->get<std::string>();
}

std::optional<std::int64_t> ObjectReader::integer(std::string_view key, std::int64_t low,
                                                  std::int64_t high, std::string_view unit,
                                                  bool is_required) {
  const json::Json* value = is_required ? required(key) : optional(key);
  if (value == nullptr) return std::nullopt;
  return integer_in(*value, at(key), low, high, unit, *problems_);
}

bool ObjectReader::flag(std::string_view key) {
  const json::Json* value = optional(key);
  if (value == nullptr) return false;
  if (value->is_boolean()) return value->get<bool>();
  problems_->add(at(key), wrong_type(*value), "make it true or false");
  return false;
}

std::optional<std::size_t> ObjectReader::choice(std::string_view key,
                                                const std::vector<std::string_view>& choices) {
  const json::Json* value = optional(key);
  if (value == nullptr) return std::nullopt;
  const auto found = value->is_string()
                         ? std::find(choices.begin(), choices.end(), value->get<std::string>())
                         : choices.end();
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  problems_->add(at(key), "is " + json::excerpt(*value),
                 "use one of " + listed({choices.begin(), choices.end()}));
  return std::nullopt;
}

void ObjectReader::each_element(std::string_view key, const Visit& visit, bool is_required) {
  const json::Json* value = is_required ? required(key) : optional(key);
  if (value == nullptr) return;
  if (!value->is_array()) {
    problems_->add(at(key), wrong_type(*value), "make it a list: [ ... ]");
    return;
  }
  for (std::size_t i = 0; i < value->size(); ++i) {
    visit((*value)[i], json::child_pointer(at(key), std::to_string(i)));
  }
}

void ObjectReader::each_member(
    std::string_view key,
    const std::function<void(const std::string&, const json::Json&, const std::string&)>& visit) {
  const json::Json* value = optional(key);
  if (value == nullptr) return;
  if (!value->is_object()) {
    problems_->add(at(key), wrong_type(*value), "make it an object: { ... }");
    return;
  }
  for (const auto& member : value->items()) {
    visit(member.key(), member.value(), json::child_pointer(at(key), member.key()));
  }
}

void ObjectReader::finish() {
  if (object_ == nullptr) return;
  for (const auto& member : object_->items()) {
    if (std::find(known_.begin(), known_.end(), member.key()) == known_.end()) {
      problems_->add(at(member.key()), "is not a key that is known here",
                     "remove it; known are " + listed(known_));
    }
  }
}

std::optional<std::int64_t> integer_in(const json::Json& value, const std::string& pointer,
                                       std::int64_t low, std::int64_t high, std::string_view unit,
                                       Problems& problems) {
  const std::optional<std::int64_t> number = json::whole_number(value);
  if (number && *number >= low && *number <= high) return number;
  problems.add(pointer, "is " + json::excerpt(value),
               "use a whole number of " + std::string(unit) + " from " + std::to_string(low) +
                   " to " + std::to_string(high));
  return std::nullopt;
}

}  // namespace penstock::config
