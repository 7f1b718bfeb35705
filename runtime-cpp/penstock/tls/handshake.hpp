#pragma once

#include <openssl/ssl.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "penstock/net/socket/security.hpp"
#include "penstock/tls/keys.hpp"

namespace penstock::tls_part {

/// That of TLS, of which only the keys are used that it exports (RFC 5705).
class Handshake final : public net::Handshake {
 public:
  /// Of SSL_CTX of load_keys(), which outlives it. Throws std::bad_alloc.
  Handshake(SSL_CTX& context, bool connects);
  ~Handshake() override;

  void take(std::string_view bytes) override;
  [[nodiscard]] std::string_view to_say() const noexcept override;
  void said(std::size_t count) noexcept override;
  [[nodiscard]] bool is_done() const noexcept override { return done_; }
  [[nodiscard]] std::string_view why() const noexcept override { return why_; }
  [[nodiscard]] std::string peer() const override { return name_of_peer(*ssl_); }
  [[nodiscard]] net::layers::Sealed::Ciphers ciphers() const override;

 private:
  void go_on();

  const bool connects_;
  std::unique_ptr<SSL, Release<&SSL_free>> ssl_;
  BIO* comes_ = nullptr;  // the SSL's
  BIO* goes_ = nullptr;   // likewise
  std::string why_;
  bool done_ = false;
};

}  // namespace penstock::tls_part
