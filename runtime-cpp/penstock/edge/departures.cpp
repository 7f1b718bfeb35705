#include "penstock/edge/departures.hpp"

#include <algorithm>

namespace penstock::edge {
namespace {

// Enough that waking is a small part of it; few enough that a worker on another processor has
// something to do while the others are read.
constexpr std::size_t kTogether = 8;

}  // namespace

void Departures::add(std::unique_ptr<ExposedCall> call) {
  if (!call->is_small()) return ExposedCall::send(std::move(call));
  const auto party = std::find_if(gathering_.begin(), gathering_.end(),
                                  [&](const Party& one) { return one.calls->goes_where(*call); });
  if (party == gathering_.end()) {
    gathering_.push_back({std::move(call), 1});
  } else {
    party->calls->take_along(std::move(call));
    if (++party->count == kTogether) {
      ExposedCall::send(std::move(party->calls));
      gathering_.erase(party);
    }
  }
  if (leaves_) return;
  soon_();
  leaves_ = true;
}

void Departures::leave() {
  leaves_ = false;
  for (Party& party : gathering_) ExposedCall::send(std::move(party.calls));
  gathering_.clear();
}

}  // namespace penstock::edge
