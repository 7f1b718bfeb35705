#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

namespace sample {

/// The applications' side, for when there is none: an HTTP server on a loopback port of its own
/// that answers every POST with 200 after a while. One thread, many connections, no dependency.
class Responder {
 public:
  /// Throws std::system_error when it cannot listen.
  explicit Responder(std::chrono::milliseconds latency);
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;
  ~Responder();

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
  /// Requests answered. Any thread.
  [[nodiscard]] std::uint64_t answered() const noexcept { return answered_.load(); }

 private:
  void serve() noexcept;

  const std::chrono::milliseconds latency_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<std::uint64_t> answered_ = 0;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace sample
