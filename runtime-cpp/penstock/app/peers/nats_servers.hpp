#pragma once

#include <map>
#include <memory>
#include <string>

#include "penstock/config/config.hpp"
#include "penstock/net/nats/session.hpp"
#include "penstock/net/remote/discovery/nats_discovery.hpp"

namespace penstock::app {

/// The NATS servers at which this binary looks for others, or is announced. One control thread.
class NatsServers {
 public:
  /// A connection to it, which begins with start(). Throws Error(failed_precondition) where what it
  /// is to be let in by cannot be read, std::system_error.
  [[nodiscard]] net::NatsDiscovery& at(const config::Address& server, const std::string& project,
                                       const std::string& binary);
  /// Throws std::system_error.
  void start();

  /// What the environment says: `PENSTOCK_NATS_USER` and `PENSTOCK_NATS_PASSWORD`, or
  /// `PENSTOCK_NATS_TOKEN`; the last two with `_FILE` behind them name a file that has it. Throws
  /// Error(failed_precondition).
  [[nodiscard]] static net::nats::Login login();
  /// The number of this host that is announced where the binary listens at all of them:
  /// `PENSTOCK_ANNOUNCE`; empty: that which the server is asked from. Throws
  /// Error(failed_precondition).
  [[nodiscard]] static std::string own_host();

 private:
  std::map<std::string, std::unique_ptr<net::NatsDiscovery>> servers_;  // by host and port
};

}  // namespace penstock::app
