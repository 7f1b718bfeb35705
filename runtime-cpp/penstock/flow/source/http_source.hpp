#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "penstock/base/context.hpp"
#include "penstock/flow/source/read_json.hpp"
#include "penstock/flow/source/source.hpp"
#include "penstock/flow/source/source_reader.hpp"

namespace penstock::flow {

/// What a request is answered with; JSON, or nothing.
struct HttpAnswer {
  int status = 200;
  std::string body;
};

/// The status of an error, 400 or more.
[[nodiscard]] int http_status(ErrorCode code) noexcept;
/// An error as the HTTP door words it, by Twirp's form: {"code": ..., "msg": ..., "meta": {...}}.
[[nodiscard]] HttpAnswer http_error(ErrorCode code, std::string_view message);
using HttpErrorMeta = std::initializer_list<std::pair<std::string_view, std::string_view>>;
[[nodiscard]] std::string http_error_body(std::string_view code, std::string_view message,
                                          HttpErrorMeta meta = {});

/// Makes an event of the body of each request that was posted to its path. It knows nothing of
/// connections: those are `edge`'s.
class HttpSource final : public Source {
 public:
  struct Settings {
    ReadJson read = nullptr;
    std::string path;
    /// Answered 202 when the event is on its way; else with what it ends with.
    bool accepted = false;
    std::int32_t timeout_ms = 30'000;
    std::uint32_t max_bytes = 102'400;
  };
  /// Without `read`.
  [[nodiscard]] static Settings read_from(SourceReader& in);
  /// What events of lists, maps and messages in messages may hold together, but small ones.
  static constexpr std::size_t kMostHeld = std::size_t{64} << 20;
  /// Called once, on any thread; must not block.
  using Deliver = std::function<void(HttpAnswer answer)>;

  HttpSource(Flow& flow, Settings settings) : Source(flow), settings_(std::move(settings)) {}

  [[nodiscard]] std::string_view kind() const noexcept override { return "http"; }
  void start(unsigned /*index*/) override { open_.store(true, std::memory_order_release); }
  void ask_to_stop() noexcept override { open_.store(false, std::memory_order_release); }
  bool stop(Nanos /*deadline*/) noexcept override {
    ask_to_stop();
    return true;
  }

  [[nodiscard]] const Settings& settings() const noexcept { return settings_; }
  /// False before start() and after ask_to_stop(). Any thread.
  [[nodiscard]] bool is_open() const noexcept { return open_.load(std::memory_order_acquire); }

  // --- one thread, which has entered the registry of metrics ---

  /// The queue that its events enter takes one more, or turns it away by itself: with overflow
  /// `block` a request has to wait for this.
  [[nodiscard]] bool has_room() const noexcept { return may_emit(); }
  /// Sends the event on its way. An answer at once (202, or what is wrong with the body), or none:
  /// then `deliver` is called when the event has ended. By 200 with its last value, 204 where that
  /// has none, or by its failure. `context` goes with the event through every hop; its deadline
  /// only where somebody waits for the answer.
  [[nodiscard]] std::optional<HttpAnswer> submit(std::string_view body, Context context,
                                                 Deliver deliver);
  /// A request that had waited for room in vain.
  void count_refused() noexcept { flow().count_refused(); }

 private:
  const Settings settings_;
  std::atomic<bool> open_{false};
  /// Bytes that large events of it hold, until they have ended; they may do so after it.
  const std::shared_ptr<std::atomic<std::size_t>> held_ =
      std::make_shared<std::atomic<std::size_t>>(0);
};

}  // namespace penstock::flow
