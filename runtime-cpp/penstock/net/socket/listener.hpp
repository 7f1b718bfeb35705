#pragma once

#include <cstdint>
#include <optional>

#include "penstock/exec/timer_wheel.hpp"
#include "penstock/net/socket/datagram_door.hpp"
#include "penstock/net/socket/descriptor.hpp"
#include "penstock/net/socket/place.hpp"
#include "penstock/net/socket/poller.hpp"

namespace penstock::net {

/// Takes the connections that come to a place, owned by the worker that made it: all on its thread.
class Listener final : SocketPoller::Watcher {
 public:
  /// Gets each connection. May not throw; what it does not keep is closed.
  class Taker {
   public:
    /// `secured`: as the place is; `number`: of a connection over datagrams, 0 of a stream.
    virtual void accepted(Descriptor socket, bool secured, std::uint64_t number) noexcept = 0;

   protected:
    ~Taker() = default;
  };

  /// Listens from now on. Throws std::system_error, whose text names the place.
  Listener(const Place& place, Taker& taker);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { close(); }

  [[nodiscard]] const Descriptor& socket() const noexcept { return socket_; }
  /// Nobody can connect any more.
  void close() noexcept;

 private:
  struct Again : exec::Timer {
    Listener* listener = nullptr;
  };
  /// How long who connects waits for a descriptor that this process is short of.
  static constexpr Nanos kAgain = 100'000'000;
  static constexpr int kMostAtOnce = 64;

  void ready(Events events) noexcept override;
  void accept_all() noexcept;
  [[nodiscard]] bool accept_one() noexcept;
  void flush() noexcept override { accept_all(); }
  void retire() noexcept override { close(); }

  SocketPoller& poller_;
  Descriptor socket_;
  const bool secured_;
  Taker& taker_;
  Again again_;
  std::optional<DatagramDoor> datagrams_;  // where it is a socket of those
};

}  // namespace penstock::net
