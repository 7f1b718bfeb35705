#pragma once

#include <atomic>
#include <coroutine>
#include <memory>
#include <optional>

#include "penstock/call/await/await.hpp"
#include "penstock/error.hpp"
#include "penstock/exec/job.hpp"
#include "penstock/http_client/message.hpp"
#include "penstock/http_client/url.hpp"

namespace penstock::http_client {

class Carrier;
class ExchangeAwait;

/// One request on its way and its answer: the job that brings it home. Belongs to the I/O thread
/// from start to arrive(), then to the thread that waits.
struct Exchange : exec::Job {
  explicit Exchange(Request asked) : request(std::move(asked)), url(request.url) {}

  Request request;
  Url url;
  Nanos deadline_ns = 0;
  Response response;
  std::optional<Error> error;

  // The home thread's.
  exec::Worker* home = nullptr;  ///< null: a thread sleeps on `arrived`
  ExchangeAwait* awaiting = nullptr;
  std::atomic<bool> arrived{false};

  /// The I/O thread's: itself, on its way home.
  std::shared_ptr<Exchange> self;

  /// What its carrier is asked, on its way to the I/O thread: part of it, so that asking takes no
  /// memory.
  struct Errand : exec::Job {
    std::shared_ptr<Carrier> carrier;
    std::shared_ptr<Exchange> exchange;
  };
  Errand start;
  Errand cancel;
};

/// Tells whoever waits; on the I/O thread, as the last thing there.
void arrive(const std::shared_ptr<Exchange>& exchange) noexcept;

/// What carries exchanges out.
class Carrier {
 public:
  Carrier() = default;
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;
  virtual ~Carrier() = default;

  /// Any thread, once for an exchange.
  virtual void start(std::shared_ptr<Exchange> exchange) noexcept = 0;
  /// Nobody wants the answer any more. Any thread, once for an exchange that was started.
  virtual void cancel(std::shared_ptr<Exchange> exchange) noexcept = 0;
};

/// Awaits the answer to a request. Off the workers, and in handlers that may block, it blocks.
class [[nodiscard]] ExchangeAwait : call::Suspended {
 public:
  using comes_home = void;

  ExchangeAwait(std::shared_ptr<Carrier> carrier, std::shared_ptr<Exchange> exchange) noexcept
      : carrier_(std::move(carrier)), exchange_(std::move(exchange)) {}
  ExchangeAwait(const ExchangeAwait&) = delete;
  ExchangeAwait& operator=(const ExchangeAwait&) = delete;
  ~ExchangeAwait() { abandon(); }

  [[nodiscard]] bool await_ready();
  void await_suspend(std::coroutine_handle<> awaiting);
  /// Throws Error: `unavailable` (no connection, or it broke), `deadline_exceeded`, `cancelled`,
  /// `resource_exhausted` (an answer beyond the limit).
  [[nodiscard]] Response await_resume();

 private:
  friend struct Exchange;
  static void on_arrived(exec::Job& job) noexcept;
  static void on_interrupt(call::Suspended& suspended) noexcept;
  void abandon() noexcept;

  std::shared_ptr<Carrier> carrier_;
  std::shared_ptr<Exchange> exchange_;
  bool cancelled_ = false;
};

}  // namespace penstock::http_client
