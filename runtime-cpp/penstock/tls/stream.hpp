#pragma once

#include <openssl/ssl.h>

#include <string>

#include "penstock/net/socket/security.hpp"
#include "penstock/tls/keys.hpp"

namespace penstock::tls_part {

/// TLS over a socket, of which it reads no more often than there is something.
class Stream final : public net::SecureStream {
 public:
  /// Throws std::bad_alloc.
  Stream(SSL_CTX& context, const net::Descriptor& socket, bool connects);
  ~Stream() override;

  void came(bool ends) noexcept override;
  [[nodiscard]] ssize_t receive(char* to, std::size_t room) noexcept override;
  [[nodiscard]] ssize_t send(const char* from, std::size_t count) noexcept override;
  [[nodiscard]] std::string_view why() const noexcept override { return why_; }
  [[nodiscard]] std::string peer() const override;

 private:
  static int read(BIO* bio, char* to, int room) noexcept;
  static int write(BIO* bio, const char* from, int count) noexcept;
  static long control(BIO* bio, int what, long number, void* more) noexcept;
  static const BIO_METHOD* method();

  [[nodiscard]] ssize_t failed(int became) noexcept;
  [[nodiscard]] std::string what_is_wrong() const;

  const int socket_;
  std::unique_ptr<SSL, Release<&SSL_free>> ssl_;
  std::string why_;
  int error_ = 0;  // of the socket
  bool readable_ = true;
  bool ends_ = false;
  bool ended_ = false;
};

}  // namespace penstock::tls_part
