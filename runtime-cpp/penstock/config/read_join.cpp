#include "penstock/config/read_join.hpp"

#include "penstock/base/limits.hpp"

namespace penstock::config {

Join read_join(const std::string& stage, const json::Json& value, const std::string& pointer,
               Problems& problems) {
  Join join;
  join.stage = stage;
  if (value.is_string()) {
    join.pool = value.get<std::string>();
    return join;
  }
  if (!value.is_object()) {
    problems.add(pointer, "is " + std::string(json::type_in_words(value)),
                 R"(name a pool, or give it threads of its own: {"threads": 2})");
    join.pool = kDefaultPool;
    return join;
  }
  ObjectReader object(value, pointer, problems);
  if (const json::Json* const threads = object.required("threads")) {
    if (threads->is_string() && threads->get<std::string>() == "cached") {
      join.threads = 0;
    } else if (const auto number =
                   integer_in(*threads, object.at("threads"), 1, limits::kMostThreads,
                              "threads, or \"cached\",", problems)) {
      join.threads = static_cast<unsigned>(*number);
    }
  }
  if (const auto queue =
          object.integer("queue", 1, limits::kLongestQueue, "waiting events", false)) {
    join.queue = static_cast<std::uint32_t>(*queue);
  }
  if (const auto overflow = object.choice("overflow", {"block", "reject", "shed-oldest"})) {
    join.overflow = static_cast<Overflow>(*overflow);
  }
  object.finish();
  return join;
}

}  // namespace penstock::config
