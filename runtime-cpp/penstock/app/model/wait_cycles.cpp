#include "penstock/app/model/wait_cycles.hpp"

#include <algorithm>
#include <unordered_map>

namespace penstock::app {

namespace {

using Counts = std::unordered_map<const call::Service*, std::size_t>;
using Neighbours = std::unordered_map<const call::Service*, std::vector<const call::Service*>>;

// Removes, again and again, what has nobody before it (`into`) in what is left.
void peel(std::vector<const call::Service*>& left, const Neighbours& into, const Neighbours& out) {
  Counts before;
  const auto count = [&](const call::Service* service) {
    const auto found = into.find(service);
    return found == into.end() ? std::size_t{0} : found->second.size();
  };
  std::vector<const call::Service*> gone;
  for (const call::Service* const service : left) {
    before[service] = count(service);
    if (before[service] == 0) gone.push_back(service);
  }
  for (std::size_t at = 0; at < gone.size(); ++at) {
    const auto next = out.find(gone[at]);
    if (next == out.end()) continue;
    for (const call::Service* const service : next->second) {
      if (--before[service] == 0) gone.push_back(service);
    }
  }
  std::erase_if(left, [&](const call::Service* service) { return before[service] == 0; });
}

}  // namespace

std::vector<const call::Service*> on_cycles(const std::vector<Dependency>& dependencies) {
  std::vector<const call::Service*> left;
  for (const auto& [from, to] : dependencies) {
    left.push_back(from);
    left.push_back(to);
  }
  std::sort(left.begin(), left.end());
  left.erase(std::unique(left.begin(), left.end()), left.end());
  // What nobody needs, and what needs nobody, is on no cycle.
  for (const bool forward : {true, false}) {
    Neighbours into;
    Neighbours out;
    const auto is_left = [&](const call::Service* service) {
      return std::binary_search(left.begin(), left.end(), service);
    };
    for (const auto& [from, to] : dependencies) {
      if (!is_left(from) || !is_left(to)) continue;
      into[forward ? to : from].push_back(forward ? from : to);
      out[forward ? from : to].push_back(forward ? to : from);
    }
    peel(left, into, out);
  }
  const bool some_keep = std::any_of(left.begin(), left.end(), [](const call::Service* service) {
    return service->kind == Kind::single_threaded || service->kind == Kind::sync_remote;
  });
  return some_keep ? left : std::vector<const call::Service*>{};
}

}  // namespace penstock::app
