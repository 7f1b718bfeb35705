#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "penstock/flow/graph/flow.hpp"

namespace penstock::flow {

/// Where the events of a flow come from.
class Source {
 public:
  explicit Source(Flow& flow) noexcept : flow_(flow) {}
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  [[nodiscard]] Flow& flow() const noexcept { return flow_; }
  /// As in the topology: `rate`, `http`, or what a project calls its own.
  [[nodiscard]] virtual std::string_view kind() const noexcept = 0;

  /// Before start(): empty, or what keeps it from beginning, with the place of it below the source:
  /// `/path: a.jsonl is no regular file`.
  [[nodiscard]] virtual std::string prepare() { return {}; }
  /// Lets events come. `index` is among the sources of the binary. Once. Throws std::system_error.
  virtual void start(unsigned index) = 0;
  /// Asks it to make no more events; returns at once. Any thread.
  virtual void ask_to_stop() noexcept = 0;
  /// No event after it returned true. False when the user's code was still at work at `deadline`
  /// (0: waits for ever). One thread, not its own.
  virtual bool stop(Nanos deadline) noexcept = 0;

  /// Events a second at most; none: it has no such limit. Any thread.
  [[nodiscard]] virtual std::optional<double> per_second() const noexcept { return std::nullopt; }
  /// False: it keeps no rate. 0 pauses. In force at once. Any thread.
  virtual bool set_per_second(double /*per_second*/) noexcept { return false; }

 protected:
  /// Whether nothing holds the source back.
  [[nodiscard]] bool may_emit() const noexcept { return flow_.has_room(); }

 private:
  Flow& flow_;
};

}  // namespace penstock::flow
