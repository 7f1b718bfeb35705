#include "penstock/edge/flow_requests.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace penstock::edge {
namespace {

flow::HttpAnswer turned_away() {
  return flow::http_error(ErrorCode::unavailable, "The binary is stopping.");
}

}  // namespace

FlowRequest::FlowRequest(flow::HttpSource& source, std::string body, Context context,
                         flow::HttpSource::Deliver deliver)
    : source_(source),
      body_(std::move(body)),
      context_(std::move(context)),
      deliver_(std::move(deliver)) {}

bool FlowRequest::becomes(State state) noexcept {
  State waits = State::waits;
  // Relaxed: who wins decides, and has what it needs.
  return state_.compare_exchange_strong(waits, state, std::memory_order_relaxed);
}

std::optional<flow::HttpAnswer> FlowRequest::submit() {
  if (!becomes(State::went_in)) return std::nullopt;
  try {
    return source_.submit(std::exchange(body_, {}), std::exchange(context_, {}), deliver_);
  } catch (const std::exception& error) {
    return flow::http_error(ErrorCode::resource_exhausted, error.what());
  }
}

bool FlowRequest::give_up() noexcept {
  if (!becomes(State::given_up)) return false;
  source_.count_refused();
  return true;
}

std::optional<flow::HttpAnswer> FlowRequests::take(std::shared_ptr<FlowRequest> request) {
  if (stopped_) return request->give_up() ? std::optional(turned_away()) : std::nullopt;
  Line& line = line_of(request->source());
  // Who comes later does not overtake those that wait.
  if (line.waiting.empty() && request->has_room()) return request->submit();
  line.waiting.push_back(std::move(request));
  look_soon_();
  return std::nullopt;
}

FlowRequests::Line& FlowRequests::line_of(const flow::HttpSource& source) {
  const auto found = std::find_if(lines_.begin(), lines_.end(),
                                  [&](const Line& line) { return line.source == &source; });
  return found != lines_.end() ? *found : lines_.emplace_back(Line{&source, {}});
}

void FlowRequests::look() {
  // Each flow has its own queue: one that is full does not hold up the others.
  bool some_wait = false;
  for (Line& line : lines_) {
    look_at(line);
    some_wait = some_wait || !line.waiting.empty();
  }
  if (some_wait) look_soon_();
}

void FlowRequests::look_at(Line& line) {
  bool has_room = true;
  for (auto at = line.waiting.begin(); at != line.waiting.end();) {
    const auto request = *at;
    const bool waits = request->waits();
    // Not asked again once there was none: room that comes meanwhile is of who waits longest.
    if (waits) has_room = has_room && request->has_room();
    if (waits && !has_room) {
      ++at;
      continue;
    }
    at = line.waiting.erase(at);
    if (!waits) continue;
    if (auto answer = request->submit()) request->deliver(std::move(*answer));
  }
}

void FlowRequests::stop() {
  stopped_ = true;
  for (const Line& line : std::exchange(lines_, {})) {
    for (const auto& request : line.waiting) {
      if (request->give_up()) request->deliver(turned_away());
    }
  }
}

}  // namespace penstock::edge
