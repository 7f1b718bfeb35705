#pragma once

#include <functional>
#include <utility>

#include "penstock/flow/source/service_source.hpp"

namespace penstock {

/// A flow with a `service` source, as a handler of its bundle sees it.
template <class EventType>
class Inlet {
 public:
  using event_type = EventType;

  Inlet() noexcept = default;
  explicit Inlet(flow::ServiceSource* source) noexcept : source_(source) {}
  /// For tests of a handler: gives it what is pushed, on the handler's thread.
  explicit Inlet(const std::function<void(const EventType&)>* taker) noexcept : taker_(taker) {}

  /// Sends an event on its way and returns at once; the flow's counters say what became of it. What
  /// a quick handler pushes leaves together, once it returns or suspends (Flow::push()). A
  /// full queue with overflow `block` takes it none the less, and it then takes up room in the
  /// queue of the service that pushed it, whose callers are held back instead. Throws
  /// Error(unavailable) when the binary does not serve the flow, std::bad_alloc. Any worker thread.
  void push(EventType event) const {
    if (taker_ != nullptr) return (*taker_)(event);
    flow::ServiceSource::flow_of(source_).push(std::move(event));
  }

 private:
  flow::ServiceSource* source_ = nullptr;
  const std::function<void(const EventType&)>* taker_ = nullptr;
};

}  // namespace penstock
