#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "penstock/net/socket/descriptor.hpp"

namespace penstock::net {

/// Who a binary is by its key: what its certificate has as its name.
struct Identity {
  std::string project;
  std::string binary;
  /// `penstock://ads/models-server`
  [[nodiscard]] std::string uri() const { return "penstock://" + project + "/" + binary; }
};

/// What goes over a connected stream socket, made secret, both ends known by their keys. On the
/// thread of its connection.
class SecureStream {
 public:
  SecureStream() = default;
  SecureStream(const SecureStream&) = delete;
  SecureStream& operator=(const SecureStream&) = delete;
  virtual ~SecureStream() = default;

  /// Its socket can be read again; `ends`: the other end writes no more.
  virtual void came(bool ends) noexcept = 0;
  /// As recv(2) and send(2) of a socket that does not block. Bytes that could not be sent are given
  /// again, first. EPROTO: why() says what is wrong.
  [[nodiscard]] virtual ssize_t receive(char* to, std::size_t room) noexcept = 0;
  [[nodiscard]] virtual ssize_t send(const char* from, std::size_t count) noexcept = 0;
  [[nodiscard]] virtual std::string_view why() const noexcept = 0;
  /// The name in the certificate of the other end, which has been checked; empty before. Throws
  /// std::bad_alloc.
  [[nodiscard]] virtual std::string peer() const = 0;
};

/// Makes connections secure with the keys of one binary. Any thread.
class Security {
 public:
  Security() = default;
  Security(const Security&) = delete;
  Security& operator=(const Security&) = delete;
  virtual ~Security() = default;

  /// Of the end that connected, or of the one that accepted; `socket` outlives it. Throws
  /// std::bad_alloc.
  [[nodiscard]] virtual std::unique_ptr<SecureStream> connect(const Descriptor& socket) const = 0;
  [[nodiscard]] virtual std::unique_ptr<SecureStream> accept(const Descriptor& socket) const = 0;
};

}  // namespace penstock::net
