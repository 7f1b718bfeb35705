#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "penstock/net/layers/sealed.hpp"
#include "penstock/net/socket/carrier.hpp"
#include "penstock/net/socket/descriptor.hpp"

namespace penstock::net {

/// Who a binary is by its key: what its certificate has as its name.
struct Identity {
  std::string project;
  std::string binary;
  /// `penstock://ads/models-server`
  [[nodiscard]] std::string uri() const { return "penstock://" + project + "/" + binary; }
};

/// How two ends get to know each other by their keys, over a stream that anybody can read and
/// change, and then have keys that nobody else has. One thread.
class Handshake {
 public:
  Handshake() = default;
  Handshake(const Handshake&) = delete;
  Handshake& operator=(const Handshake&) = delete;
  virtual ~Handshake() = default;

  /// What the other end has said. Throws std::bad_alloc.
  virtual void take(std::string_view bytes) = 0;
  /// What is to be said to it, from the beginning on and after each take(); said() takes some away.
  [[nodiscard]] virtual std::string_view to_say() const noexcept = 0;
  virtual void said(std::size_t count) noexcept = 0;
  /// This end knows the other one; that one may still refuse this one's key: why().
  [[nodiscard]] virtual bool is_done() const noexcept = 0;
  /// What is wrong, what is left to say included. Empty: nothing yet.
  [[nodiscard]] virtual std::string_view why() const noexcept = 0;
  /// As Carrier::peer().
  [[nodiscard]] virtual std::string peer() const = 0;
  /// Once it is done. Throws std::bad_alloc.
  [[nodiscard]] virtual layers::Sealed::Ciphers ciphers() const = 0;
};

/// Makes connections secure with the keys of one binary. Any thread.
class Security {
 public:
  Security() = default;
  Security(const Security&) = delete;
  Security& operator=(const Security&) = delete;
  virtual ~Security() = default;

  /// A stream socket, of the end that connected, or of the one that accepted; `socket` outlives it.
  /// Throws std::bad_alloc.
  [[nodiscard]] virtual std::unique_ptr<Carrier> connect(const Descriptor& socket) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Carrier> accept(const Descriptor& socket) const = 0;
  /// For datagrams; not to be used longer than this. Throws std::bad_alloc.
  [[nodiscard]] virtual std::unique_ptr<Handshake> handshake(bool connects) const = 0;
};

}  // namespace penstock::net
