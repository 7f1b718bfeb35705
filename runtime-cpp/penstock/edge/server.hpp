#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "penstock/base/time.hpp"
#include "penstock/edge/exposed.hpp"
#include "penstock/flow/source/http_source.hpp"
#include "penstock/http/bind_error.hpp"
#include "penstock/http/limits.hpp"
#include "penstock/http/secured.hpp"

namespace penstock::edge {

/// Bounds of the door: more connections than the control plane has, since each waits for an answer.
[[nodiscard]] inline http::Limits default_limits() {
  http::Limits limits;
  limits.connections = 4096;
  limits.newcomer_time = http::Limits::Time(100);  // workers have them, which do other things
  limits.body_bytes = std::size_t{16} << 20;       // the most that a source may allow itself
  limits.held_bytes = std::size_t{64} << 20;
  return limits;
}

struct ServerOptions {
  std::string host = "127.0.0.1";  ///< 127.0.0.1, ::1 or localhost; `beyond`: any number
  std::uint16_t port = 0;          ///< 0: any
  bool beyond = false;             ///< other machines may reach it
  /// Who may ask; nothing: everybody who reaches it.
  std::optional<std::vector<std::string>> tokens = {};
  std::shared_ptr<const http::Security> security = {};  ///< null: nothing is secured
  http::Limits limits = default_limits();
  ExposedServices exposed = {};
};

/// The HTTP door of a binary: requests that are posted to the paths of its flows, and to the routes
/// of its exposed services. A thread of its own, `ps-http`, which blocks every signal, accepts;
/// where services are exposed, workers of the pool that asks most of them have the connections.
class Server {
 public:
  /// The sources outlive it, and so do the pools; the metrics are where their flows count.
  Server(std::vector<flow::HttpSource*> sources, metrics::Registry& metrics, ServerOptions options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  /// Stops.
  ~Server();

  /// Listens, and accepts. Requests are turned away until their source is started. Throws
  /// http::BindError, std::system_error.
  void start();
  /// `127.0.0.1:41234`
  [[nodiscard]] std::string address() const;
  /// Bytes that its connections hold together, and the most that they ever held. Any thread.
  [[nodiscard]] std::size_t held_bytes() const;
  [[nodiscard]] std::size_t most_held_bytes() const;
  /// Takes no more connections and requests; those in the flows, and those asked of services, are
  /// answered. Any thread.
  void drain();
  /// After drain(): no request is on its way to a service or back, or into a flow, and none comes.
  /// Any thread.
  [[nodiscard]] bool asks_nobody() const noexcept;
  /// Writes the answers that are there, at most until `deadline`, and closes all connections. Waits
  /// for the workers that have some.
  void stop(Nanos deadline);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace penstock::edge
