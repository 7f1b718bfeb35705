#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "penstock/flow/source/paced_source.hpp"
#include "penstock/flow/source/source_reader.hpp"

namespace penstock {

/// What a source that waits for its next event looks at meanwhile. Its own thread.
class SourceStop {
 public:
  virtual ~SourceStop() = default;
  /// The binary is stopping, or the source is: no more events are wanted.
  [[nodiscard]] virtual bool requested() const noexcept = 0;
  /// Sleeps so long, or until it is requested; true when it is.
  virtual bool sleep_for(std::chrono::nanoseconds time) const noexcept = 0;

 protected:
  SourceStop() = default;
  SourceStop(const SourceStop&) = default;
  SourceStop& operator=(const SourceStop&) = default;
};

namespace flow {

/// A source that a project brings: `std::optional<Event> next(const SourceStop& stop)` of its class
/// makes one event after the other, on a thread of its own. None: there are no more. An exception
/// counts as an event that failed, and after a tenth of a second it is asked again.
template <class S>
class OwnSource final : public PacedSource, private SourceStop {
 public:
  static constexpr Nanos kPauseAfterFailure = 100'000'000;

  /// `kind` outlives it.
  OwnSource(Flow& flow, const char* kind, std::unique_ptr<S> source, double per_second)
      : PacedSource(flow, per_second), kind_(kind), source_(std::move(source)) {}
  OwnSource(const OwnSource&) = delete;
  OwnSource& operator=(const OwnSource&) = delete;
  /// Stops.
  ~OwnSource() override { stop_for_good(); }

  [[nodiscard]] std::string_view kind() const noexcept override { return kind_; }

 private:
  [[nodiscard]] bool emit_next() noexcept override {
    Event* event = nullptr;
    try {
      auto made = source_->next(static_cast<const SourceStop&>(*this));
      if (!made) return false;
      event = &flow().make_event();
      event->set_value(std::move(*made));
    } catch (...) {
      if (event != nullptr) flow().free_event(*event);
      flow().count_failed_source();
      sleep_until(now_ns() + kPauseAfterFailure);
      return true;
    }
    flow().emit(*event);
    return true;
  }
  [[nodiscard]] bool requested() const noexcept override { return stopping(); }
  bool sleep_for(std::chrono::nanoseconds time) const noexcept override {
    sleep_until(after(now_ns(), time.count()));
    return stopping();
  }

  const char* const kind_;
  const std::unique_ptr<S> source_;
};

}  // namespace flow
}  // namespace penstock
