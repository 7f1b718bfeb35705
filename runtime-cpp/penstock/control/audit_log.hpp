#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "penstock/base/thread_rule.hpp"
#include "penstock/control/host.hpp"

namespace penstock::control {

/// One JSON line for each command and each refusal. Refusals are limited to ten a second (a
/// hostile page must not fill the disk); the next line says how many were left out. One thread.
class AuditLog final {
 public:
  using Sink = std::function<void(const std::string& line)>;

  explicit AuditLog(Sink sink) : sink_(std::move(sink)) {}

  /// `code` is the stable code of the problem, empty when the command is in force. Of a change also
  /// what was asked, a JSON text (a long one is left out), and the number that it changed.
  void command(std::string_view method, std::string_view code, std::string_view params = {},
               const std::optional<Setting>& setting = {});
  /// The line of what the controller of a pool did; it comes from another thread than the others.
  [[nodiscard]] static std::string adapted(std::string_view pool, unsigned from, unsigned to,
                                           double waited_ms);
  /// The line of a rule that brought a preset into force, `code` empty, or could not; from that
  /// thread as well. `of` is the flow or service that it watches.
  [[nodiscard]] static std::string switched(std::string_view of, std::string_view preset,
                                            double per_second, std::string_view code);
  /// A request that was turned away; `status` as answered over HTTP, or the WebSocket close code.
  void refusal(int status, std::string_view reason);

 private:
  using Clock = std::chrono::steady_clock;

  void expect_here() noexcept { thread_.own("what was asked for is noted by one thread"); }

  Sink sink_;
  Clock::time_point window_start_{};
  int in_window_ = 0;
  std::uint64_t left_out_ = 0;
  [[no_unique_address]] OwnThread thread_;
};

}  // namespace penstock::control
