#include "penstock/edge/flow_requests.hpp"

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
  // Who comes later does not overtake those that wait.
  if (request->has_room() && waiting_.empty()) return request->submit();
  waiting_.push_back(std::move(request));
  look_soon_();
  return std::nullopt;
}

void FlowRequests::look() {
  // Each flow has its own queue: one that is full does not hold up the others.
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    const auto request = *at;
    const auto next = std::next(at);
    if (!request->waits()) {
      waiting_.erase(at);
    } else if (request->has_room()) {
      waiting_.erase(at);
      if (auto answer = request->submit()) request->deliver(std::move(*answer));
    }
    at = next;
  }
  if (!waiting_.empty()) look_soon_();
}

void FlowRequests::stop() {
  stopped_ = true;
  for (const auto& request : std::exchange(waiting_, {})) {
    if (request->give_up()) request->deliver(turned_away());
  }
}

}  // namespace penstock::edge
