#include "penstock/app/model/read_source.hpp"

#include <utility>
#include <vector>

#include "penstock/base/limits.hpp"
#include "penstock/base/utf8.hpp"
#include "penstock/config/object_reader.hpp"

namespace penstock::app {
namespace {

class Reader final : public SourceReader {
 public:
  Reader(config::ObjectReader& object, config::Problems& problems)
      : object_(object), problems_(problems) {}

  std::optional<std::string> text(std::string_view key, std::size_t shortest, std::size_t longest,
                                  bool is_required) override {
    auto read = object_.text(key, is_required);
    if (!read) return std::nullopt;
    const std::size_t length = utf16_length(*read);
    if (length >= shortest && length <= longest) return read;
    refuse(key, length == 0 ? "is empty" : "has " + std::to_string(length) + " characters",
           "use a text of " + std::to_string(shortest) + " to " + std::to_string(longest) +
               " characters");
    return std::nullopt;
  }
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t low, std::int64_t high,
                                      std::string_view unit, bool is_required) override {
    return object_.integer(key, low, high, unit, is_required);
  }
  std::optional<double> number(std::string_view key, double low, double high,
                               bool is_required) override {
    return within(key, low, high, is_required,
                  "use a number from " + excerpt(low) + " to " + excerpt(high));
  }
  std::optional<bool> flag(std::string_view key, bool is_required) override {
    const bool is_there = (is_required ? object_.required(key) : object_.optional(key)) != nullptr;
    return is_there ? std::optional(object_.flag(key)) : std::nullopt;
  }
  std::optional<std::size_t> choice(std::string_view key,
                                    std::initializer_list<std::string_view> choices,
                                    bool is_required) override {
    if (is_required && object_.required(key) == nullptr) return std::nullopt;
    return object_.choice(key, choices);
  }
  std::optional<double> rate(std::string_view key, bool is_required) override {
    return within(key, 0, limits::kFastestRate, is_required,
                  "use a number of events a second from 0 (paused) to " +
                      std::to_string(limits::kFastestRate));
  }
  void refuse(std::string_view key, std::string reason, std::string remedy) override {
    problems_.add(object_.at(key), std::move(reason), std::move(remedy));
  }

 private:
  static std::string excerpt(double value) { return json::excerpt(json::Json(value)); }

  std::optional<double> within(std::string_view key, double low, double high, bool is_required,
                               std::string remedy) {
    const json::Json* const value = is_required ? object_.required(key) : object_.optional(key);
    if (value == nullptr) return std::nullopt;
    if (value->is_number()) {
      const auto number = value->get<double>();
      if (number >= low && number <= high) return number;
    }
    refuse(key, "is " + json::excerpt(*value), std::move(remedy));
    return std::nullopt;
  }

  config::ObjectReader& object_;
  config::Problems& problems_;
};

}  // namespace

config::ReadSource read_sources(
    std::function<const SourceRegistration*(const std::string& flow)> find) {
  return [find = std::move(find)](const std::string& flow, config::Source& source,
                                  config::ObjectReader& object, config::Problems& problems) {
    const SourceRegistration* const known = find(flow);
    if (known == nullptr) return false;
    if (source.kind != known->kind) {
      problems.add(object.at("kind"), "is " + json::excerpt(json::Json(source.kind)),
                   "this binary was built for a " + std::string(known->kind) +
                       " source; generate and build it again");
      return false;
    }
    Reader reader(object, problems);
    source.settings = known->read(reader);
    return true;
  };
}

}  // namespace penstock::app
