#include "penstock/control/rpc_params.hpp"

#include <algorithm>
#include <utility>

#include "penstock/base/limits.hpp"
#include "penstock/control/problem_codes.hpp"

namespace penstock::control {

using json::Json;

void reject(RpcCode code, std::string message, const char* problem, std::string help) {
  throw Rejected{{std::nullopt, code, std::move(message), problem, std::move(help)}};
}

void reject_params(std::string message, const char* problem, std::string help) {
  reject(RpcCode::invalid_params, std::move(message), problem, std::move(help));
}

std::string in_quotes(std::string_view text) { return json::excerpt(Json(std::string(text))); }

Params::Params(const Json& params, std::string_view method, std::vector<std::string_view> known,
               std::string_view path)
    : params_(params), method_(method), path_(path.empty() ? "" : std::string(path) + ".") {
  const std::string subject = method_ + ": " + std::string(path.empty() ? "params" : path);
  if (!params.is_object()) {
    reject_params(subject + " is " + std::string(json::type_in_words(params)), problem::kWrongType,
                  "Make it an object.");
  }
  for (const auto& member : params.items()) {
    if (std::find(known.begin(), known.end(), member.key()) == known.end()) {
      reject_params(subject + " has no key " + in_quotes(member.key()), problem::kUnknownKey,
                    "Remove the key, or correct its spelling.");
    }
  }
}

bool Params::has(std::string_view key) const { return params_.contains(key); }

bool Params::is_text(std::string_view key, std::string_view text) const {
  return has(key) && member(key).is_string() && member(key).get_ref<const std::string&>() == text;
}

std::string Params::text(std::string_view key) const {
  const Json& value = member(key);
  if (!value.is_string()) wrong(key, problem::kWrongType, "Use a string.");
  return value.get<std::string>();
}

int Params::integer(std::string_view key, int low, int high, const char* problem,
                    std::string_view unit) const {
  return integer_value(key, member(key), low, high, problem, unit);
}

double Params::number(std::string_view key, double low, double high, const char* problem,
                      std::string_view help) const {
  const Json& value = member(key);
  const double number = value.is_number() ? value.get<double>() : low - 1;
  if (!(number >= low && number <= high)) wrong(key, problem, std::string(help));
  return number;
}

bool Params::boolean(std::string_view key) const {
  const Json& value = member(key);
  if (!value.is_boolean()) wrong(key, problem::kWrongType, "Use true or false.");
  return value.get<bool>();
}

std::string Params::choice(std::string_view key, const std::vector<std::string_view>& words) const {
  const Json& value = member(key);
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (std::find(words.begin(), words.end(), text) != words.end()) return text;
  }
  std::string listed;
  for (const std::string_view word : words) {
    if (!listed.empty()) listed += ", ";
    listed += word;
  }
  wrong(key, problem::kNotAChoice, "Use one of " + listed + ".");
}

std::vector<int> Params::cpus(std::string_view key) const {
  constexpr std::size_t kMost = limits::kLastCpu + 1;
  const Json& list = member(key);
  if (!list.is_array()) {
    wrong(key, problem::kWrongType, "Use a list of CPU ids; an empty one means anywhere.");
  }
  std::vector<int> ids;
  for (const Json& value : list) {
    if (ids.size() == kMost) break;  // more ids than there are CPU ids: one is there twice
    ids.push_back(
        integer_value(key, value, 0, limits::kLastCpu, problem::kCpuOutOfRange, "CPU ids"));
  }
  std::vector<int> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    reject_params(method_ + ": CPU " + std::to_string(*twice) + " is named twice",
                  problem::kCpuTwice, "Remove one of the two.");
  }
  return ids;
}

const Json& Params::member(std::string_view key) const {
  const auto found = params_.find(key);
  if (found == params_.end()) {
    reject_params(method_ + ": " + path_ + std::string(key) + " is missing", problem::kMissingKey,
                  "Add the key to params.");
  }
  return *found;
}

int Params::integer_value(std::string_view key, const Json& value, int low, int high,
                          const char* problem, std::string_view unit) const {
  const auto number = json::whole_number(value);
  if (!number || *number < low || *number > high) {
    const std::string range = std::to_string(low) + " to " + std::to_string(high);
    reject_params(method_ + ": " + path_ + std::string(key) + " is " + json::excerpt(value) +
                      ", not a whole number from " + range,
                  problem, "Use a whole number of " + std::string(unit) + " from " + range + ".");
  }
  return static_cast<int>(*number);
}

void Params::wrong(std::string_view key, const char* problem, std::string help) const {
  reject_params(method_ + ": " + path_ + std::string(key) + " is " + json::excerpt(member(key)),
                problem, std::move(help));
}

}  // namespace penstock::control
