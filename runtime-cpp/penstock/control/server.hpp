#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "penstock/control/host.hpp"
#include "penstock/control/limits.hpp"
#include "penstock/http/bind_error.hpp"

namespace penstock::control {

struct ServerOptions {
  std::string host = "127.0.0.1";  ///< 127.0.0.1, ::1 or localhost
  std::uint16_t port = 0;          ///< 0: any
  std::string token;               ///< the bearer token; never empty
  /// Takes one JSON line for each command and refusal (refusals at most ten a second), without
  /// payloads and tokens. Called on `ps-control`; must not block. May be empty.
  std::function<void(const std::string& line)> audit;
  Limits limits;
};

using http::BindError;

/// Health, metrics and live commands of one binary over HTTP and WebSocket.
///
/// Runs on threads of its own: `ps-control` (all connections), `ps-command` (commands, which may
/// take a while to be in force) and, once a service was asked, a few `ps-ask`. All block every
/// signal.
class Server final {
 public:
  /// `host` outlives the server. Nothing is opened yet.
  Server(Host& host, ServerOptions options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  /// Stops.
  ~Server();

  /// Listens and serves. Throws BindError. Once.
  void start();

  /// Where it listens, `127.0.0.1:41234`; after start().
  [[nodiscard]] std::string address() const;

  /// The most bytes that its HTTP connections ever held together. Any thread.
  [[nodiscard]] std::size_t most_held_bytes() const;
  /// The most bytes of answers that its live clients ever had not taken. Any thread.
  [[nodiscard]] std::size_t most_answer_bytes() const;

  /// Says goodbye to the clients, waits for what runs of commands and calls, joins the threads.
  /// Idempotent; any thread but its own.
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace penstock::control
