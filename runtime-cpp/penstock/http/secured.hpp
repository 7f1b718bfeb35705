#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>

namespace penstock::http {

/// What goes over a connection that is secured. On the thread of the connection. When it goes, it
/// says to the other end that nothing more comes.
class Secured {
 public:
  Secured() = default;
  Secured(const Secured&) = delete;
  Secured& operator=(const Secured&) = delete;
  virtual ~Secured() = default;

  /// The socket can be read again. `ends`: the other end writes no more, which is not told again.
  virtual void came(bool ends) noexcept = 0;
  /// As recv(2) and send(2) of a socket that does not block. Bytes that could not be sent are given
  /// again, first.
  [[nodiscard]] virtual ssize_t receive(char* to, std::size_t room) noexcept = 0;
  [[nodiscard]] virtual ssize_t send(const char* from, std::size_t count) noexcept = 0;
  /// What the last of them, which said EAGAIN, has to wait for: room to send, or something that
  /// comes. Either may need either, as both ends may have to agree on something first.
  [[nodiscard]] virtual bool waits_for_room() const noexcept = 0;
};

/// A certificate with those of who made it behind it, and its private key, both in PEM, in the
/// folder of keys. Empty: those of the binary.
struct KeyFiles {
  std::string certificate;
  std::string key;
};

/// Secures the connections that an address accepts. Any thread.
class Security {
 public:
  Security() = default;
  Security(const Security&) = delete;
  Security& operator=(const Security&) = delete;
  virtual ~Security() = default;

  /// `socket` does not block, and outlives it. Throws std::bad_alloc.
  [[nodiscard]] virtual std::unique_ptr<Secured> accept(int socket) const = 0;
};

}  // namespace penstock::http
