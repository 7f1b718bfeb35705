#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "penstock/app.hpp"
#include "penstock/app/peers/nats_servers.hpp"
#include "penstock/config/config.hpp"
#include "penstock/net/remote/calls/peer.hpp"
#include "penstock/net/socket/place.hpp"

namespace penstock::app {

/// Its host, as a number where that is `localhost`.
[[nodiscard]] std::string number_of(const config::PeerAddress& address);
[[nodiscard]] net::Transport transport_of(const config::PeerAddress& address);
[[nodiscard]] net::Place place_of(const config::PeerAddress& address);

/// Where the drawing says that the binaries are which this one calls, or may resolve. One thread at
/// a time.
class DrawnPlaces {
 public:
  explicit DrawnPlaces(const AppOptions& options) : options_(options) {}

  /// Once, before all else.
  void configure(const config::Config& config);
  /// Makes of a peer, of which the binary is set, one that is found where the drawing says; not at
  /// all: in the directory. This binary is this process, where it has an address. Throws
  /// Error(failed_precondition) where what its server lets this binary in by cannot be read,
  /// std::bad_alloc, std::system_error.
  void lead(net::Peer& peer);
  /// From now on this process listens there, at the first of its addresses. Any thread.
  void listens_at(std::uint16_t port) noexcept { own_port_.store(port, std::memory_order_relaxed); }
  /// Servers hear of all whom code may resolve before they are connected to. One that cannot be
  /// asked fails who resolves there, not the binary, which may never do. Throws std::system_error.
  void watch();
  /// A server that this binary is announced at. Throws as lead().
  [[nodiscard]] net::NatsDiscovery& server_at(const config::Address& server) {
    return nats_.at(server, options_.project, options_.binary);
  }
  /// The servers are connected to. Throws std::system_error.
  void start() { nats_.start(); }

 private:
  const AppOptions& options_;
  std::vector<std::pair<std::string, config::PeerAddress>> drawn_;
  std::optional<config::PeerAddress> own_;      // where this binary listens by the drawing
  std::atomic<std::uint16_t> own_port_{0};      // and does; 0: not yet
  std::map<std::string, std::string> unasked_;  // binaries, and why their server is not asked
  NatsServers nats_;
};

}  // namespace penstock::app
