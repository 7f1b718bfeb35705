#pragma once

#include <curl/curl.h>

#include <future>
#include <memory>
#include <unordered_map>
#include <vector>

#include "penstock/http_client/io_thread.hpp"
#include "penstock/http_client/transfer.hpp"

namespace penstock::http_client {

/// A client's exchanges under way and the connections that it keeps (libcurl's multi interface).
/// Its Carrier functions and close() may be called on any thread; the rest is the I/O thread's.
class Transfers final : public Carrier,
                        public IoThread::User,
                        public std::enable_shared_from_this<Transfers> {
 public:
  /// Throws std::bad_alloc, std::system_error.
  explicit Transfers(const ClientSettings& settings);
  Transfers(const Transfers&) = delete;
  Transfers& operator=(const Transfers&) = delete;
  ~Transfers() override = default;

  void start(std::shared_ptr<Exchange> exchange) noexcept override;
  void cancel(std::shared_ptr<Exchange> exchange) noexcept override;
  /// Ends everything with Error(cancelled), and waits until it has ended. Once.
  void close() noexcept;

 private:
  struct Look : exec::Timer {
    Transfers* owner = nullptr;
  };

  struct Closing : exec::Job {
    Transfers* owner = nullptr;
    std::promise<void> closed;
  };

  /// Has a function called on the I/O thread.
  template <void (Transfers::*ask)(const std::shared_ptr<Exchange>&) noexcept>
  void send(Exchange::Errand& errand, const std::shared_ptr<Exchange>& exchange) noexcept;
  void take(const std::shared_ptr<Exchange>& exchange) noexcept;
  void drop(const std::shared_ptr<Exchange>& exchange) noexcept;
  void leave() noexcept;
  void end_all(ErrorCode code, std::string_view message) noexcept;
  void ready(int socket, std::uint32_t events) noexcept override;
  void go_on() noexcept override;
  void act(curl_socket_t socket, int events) noexcept;
  void end(Transfer& transfer) noexcept;
  void end_with(Transfer& transfer, ErrorCode code, std::string_view message) noexcept;

  static int on_socket(CURL* easy, curl_socket_t socket, int what, void* self, void* of_socket);
  static int on_timer(CURLM* multi, long ms, void* self);
  static void on_late(exec::Timer& timer) noexcept;

  const ClientSettings settings_;
  IoThread& io_;
  Multi multi_;
  std::unordered_map<const Exchange*, std::unique_ptr<Transfer>> transfers_;
  std::vector<Easy> spare_;  // has room for all of them
  Look look_;
  Closing closing_;
};

}  // namespace penstock::http_client
