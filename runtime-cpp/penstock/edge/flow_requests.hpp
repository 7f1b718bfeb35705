#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "penstock/base/context.hpp"
#include "penstock/flow/source/http_source.hpp"

namespace penstock::edge {

/// A request on its way into a flow.
class FlowRequest {
 public:
  /// `deliver`: as of HttpSource. The source outlives it.
  FlowRequest(flow::HttpSource& source, std::string body, Context context,
              flow::HttpSource::Deliver deliver);

  [[nodiscard]] const flow::HttpSource& source() const noexcept { return source_; }
  [[nodiscard]] bool has_room() const noexcept { return source_.has_room(); }
  [[nodiscard]] bool waits() const noexcept {
    return state_.load(std::memory_order_relaxed) == State::waits;
  }
  /// Into the flow, unless it was given up. An answer at once, or none. On the server's thread.
  [[nodiscard]] std::optional<flow::HttpAnswer> submit();
  /// Nobody waits for it any more. False: it is in the flow already, or was given up. Any thread
  /// that has entered the registry of metrics.
  bool give_up() noexcept;
  void deliver(flow::HttpAnswer answer) const { deliver_(std::move(answer)); }

 private:
  enum class State : std::uint8_t { waits, went_in, given_up };
  [[nodiscard]] bool becomes(State state) noexcept;

  flow::HttpSource& source_;
  std::string body_;
  Context context_;
  const flow::HttpSource::Deliver deliver_;
  std::atomic<State> state_{State::waits};
};

/// Requests on their way into flows: those that find no room wait, and no other one of the same
/// source overtakes them. On the server's thread.
class FlowRequests {
 public:
  /// `look_soon` asks for look() in a moment.
  explicit FlowRequests(std::function<void()> look_soon) : look_soon_(std::move(look_soon)) {}

  /// An answer at once, or none. Throws std::bad_alloc.
  [[nodiscard]] std::optional<flow::HttpAnswer> take(std::shared_ptr<FlowRequest> request);
  /// Whether there is room now.
  void look();
  /// Those that wait are sent away, and those that still come.
  void stop();

 private:
  /// Those of one source.
  struct Line {
    const flow::HttpSource* source = nullptr;
    std::list<std::shared_ptr<FlowRequest>> waiting;  // oldest first
  };

  [[nodiscard]] Line& line_of(const flow::HttpSource& source);
  static void look_at(Line& line);

  const std::function<void()> look_soon_;
  bool stopped_ = false;
  std::vector<Line> lines_;  // of the sources that were asked: few
};

}  // namespace penstock::edge
