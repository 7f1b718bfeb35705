#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "penstock/base/time.hpp"
#include "penstock/net/socket/sent_packets.hpp"

namespace penstock::net {

class Handover;

/// What goes over a connection in another way than as the bytes of its stream socket. On the thread
/// of the connection, which outlives it with its socket.
class Carrier {
 public:
  Carrier() = default;
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;
  virtual ~Carrier() = default;

  /// The socket can be read again; `ends`: the other end writes no more.
  virtual void came(bool ends) noexcept = 0;
  /// As recv(2) and send(2) of a socket that does not block. Bytes that could not be sent are given
  /// again, first. EPROTO: why() says what is wrong.
  [[nodiscard]] virtual ssize_t receive(char* to, std::size_t room) noexcept = 0;
  [[nodiscard]] virtual ssize_t send(const char* from, std::size_t count) noexcept = 0;
  [[nodiscard]] virtual std::string_view why() const noexcept = 0;

  /// What is said is secret, both ends known by their keys; else nothing secures it but the system.
  [[nodiscard]] virtual bool is_secured() const noexcept { return false; }
  /// Of one that is: the name in the certificate of the other end, which has been checked; empty
  /// before. Throws std::bad_alloc.
  [[nodiscard]] virtual std::string peer() const { return {}; }

  /// The other end gets all that was sent, also when this one ends now.
  [[nodiscard]] virtual bool is_through() const noexcept { return true; }

  /// It goes through memory: the socket does not tell of all that comes, so that it is looked at,
  /// and tells that it rests before its worker sleeps.
  [[nodiscard]] virtual bool is_memory() const noexcept { return false; }
  /// There is something to be read, or room again for what could not be sent.
  [[nodiscard]] virtual bool sees() noexcept { return false; }
  /// From now on the socket tells of what comes, until wakes(). False: something is there.
  [[nodiscard]] virtual bool rests() noexcept { return true; }
  virtual void wakes() noexcept {}

  /// It does something by the time as well.
  [[nodiscard]] virtual bool has_times() const noexcept { return false; }
  /// When due() is to be called; 0: never. It changes with each function.
  [[nodiscard]] virtual Nanos next() const noexcept { return 0; }
  /// After that there may be room, or an end that receive() tells.
  virtual void due(Nanos /*now*/) noexcept {}

  /// What it sent where packets can be lost; nothing: what the socket did.
  [[nodiscard]] virtual std::optional<SentPackets> sent_packets() const noexcept { return {}; }

  /// How buffers change hands without their bytes; null: not at all.
  [[nodiscard]] virtual Handover* handover() noexcept { return nullptr; }
};

}  // namespace penstock::net
