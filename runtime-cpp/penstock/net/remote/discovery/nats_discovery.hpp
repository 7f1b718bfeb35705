#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "penstock/net/nats/roster.hpp"
#include "penstock/net/remote/discovery/finder.hpp"

namespace penstock::net {

/// The processes of binaries, as they tell each other over a NATS server; a thread of its own holds
/// the connection, and comes back to it after 50 ms, then twice as long, 2 s at most, drawn. Any
/// thread, but find() and start().
class NatsDiscovery {
 public:
  struct Server {
    std::string host;  ///< a number or a name
    std::uint16_t port = 0;
    nats::Login login;
    Nanos forgotten = nats::Roster::kForgotten;  ///< of silence
  };

  /// `binary`: who asks, as the server's monitoring shows it. Throws std::system_error.
  NatsDiscovery(Server server, const std::string& project, const std::string& binary);
  NatsDiscovery(const NatsDiscovery&) = delete;
  NatsDiscovery& operator=(const NatsDiscovery&) = delete;
  /// Waits until what was to be said is said, where the server takes it, or for 1 s.
  ~NatsDiscovery();

  /// Those of a binary that are spoken to in this way. Before start(), or of one that was asked for
  /// before that.
  [[nodiscard]] std::unique_ptr<Finder> find(const std::string& binary, Transport how);
  /// Throws std::system_error.
  void start();
  /// This process is one of `binary`, as long as it is not withdrawn. Throws std::bad_alloc.
  void announce(const std::string& binary, const std::string& instance,
                std::vector<nats::Roster::Door> doors);
  /// Those who look for it hear that it has gone. Does not wait.
  void withdraw() noexcept;

 private:
  struct State;
  class Found;

  static void hold(State& state) noexcept;
  [[nodiscard]] static Descriptor connected(State& state);
  [[nodiscard]] static Descriptor connected_at(State& state, const Place& place);
  static void talk(State& state, const Descriptor& socket);
  [[nodiscard]] static bool write(nats::Session& session, const Descriptor& socket);
  [[nodiscard]] static bool read(State& state, nats::Session& session, const Descriptor& socket);
  static void rest(State& state, Nanos pause);

  std::shared_ptr<State> state_;  // outlived by a name that is being looked up
  std::thread thread_;
};

}  // namespace penstock::net
