#pragma once

#include <memory>
#include <string>

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

/// What goes over a connected stream socket, made secret, both ends known by their keys.
class SecureStream : public Carrier {
 public:
  /// The name in the certificate of the other end, which has been checked; empty before. Throws
  /// std::bad_alloc.
  [[nodiscard]] virtual std::string peer() const = 0;
  [[nodiscard]] const SecureStream* secured() const noexcept final { return this; }
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
