#include "penstock/app/running/all_or_none.hpp"

#include <algorithm>
#include <exception>

#include "penstock/control/problem_codes.hpp"

namespace penstock::app {

namespace {

// What throws has changed nothing.
std::optional<control::Refusal> bring(const Change& change) {
  try {
    return change.bring();
  } catch (const std::exception& error) {
    return control::Refusal{control::problem::kNotPossibleNow, error.what(), "try again later"};
  }
}

// As far as it goes: those before it are to be taken back, too.
void take_back(const Change& change) noexcept {
  try {
    change.take_back();
  } catch (...) {
    // What it has in force stays.
  }
}

}  // namespace

std::optional<control::Refusal> all_or_none(std::vector<Change> changes) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.rank < b.rank; });
  std::vector<Change*> waiting;
  waiting.reserve(changes.size());
  for (Change& change : changes) waiting.push_back(&change);
  std::vector<Change*> done;
  while (!waiting.empty()) {
    std::vector<Change*> refused;
    std::optional<control::Refusal> why;
    for (Change* const change : waiting) {
      auto refusal = bring(*change);
      if (!refusal) {
        done.push_back(change);
        continue;
      }
      refused.push_back(change);
      if (!why) why = std::move(refusal);
    }
    if (refused.size() == waiting.size()) {
      for (Change* const change : refused) {
        if (change->in_parts) done.push_back(change);
      }
      std::for_each(done.rbegin(), done.rend(), [](Change* change) { take_back(*change); });
      return why;
    }
    waiting = std::move(refused);
  }
  return std::nullopt;
}

}  // namespace penstock::app
