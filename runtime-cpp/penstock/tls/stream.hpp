#pragma once

#include <openssl/ssl.h>

#include <cstdint>
#include <string>

#include "penstock/net/socket/security.hpp"
#include "penstock/tls/keys.hpp"

namespace penstock::tls_part {

/// TLS over a socket, of which it reads no more often than there is something.
class Stream final : public net::Carrier {
 public:
  /// A key encrypts so many records, well below what AES-GCM takes (RFC 8446, 5.5).
  static constexpr std::uint64_t kRecordsOfAKey = std::uint64_t{1} << 23U;

  /// Throws std::bad_alloc.
  Stream(SSL_CTX& context, int socket, bool connects,
         std::uint64_t records_of_a_key = kRecordsOfAKey);
  ~Stream() override;

  void came(bool ends) noexcept override;
  [[nodiscard]] ssize_t receive(char* to, std::size_t room) noexcept override;
  [[nodiscard]] ssize_t send(const char* from, std::size_t count) noexcept override;
  [[nodiscard]] std::string_view why() const noexcept override { return why_; }
  [[nodiscard]] bool is_secured() const noexcept override { return true; }
  [[nodiscard]] std::string peer() const override;
  /// Of receive() and send() that said EAGAIN: for what.
  [[nodiscard]] bool waits_for_room() const noexcept { return SSL_want_write(ssl_.get()); }

  /// How often the other end has changed its key.
  [[nodiscard]] std::uint64_t changes() const noexcept { return changes_; }

  /// Of its context: what it is told of messages of TLS.
  static void saw(int sent, int version, int type, const void* message, std::size_t bytes, SSL* ssl,
                  void* context) noexcept;

 private:
  /// Changes of the other end's key that are taken at once, and one more for so many bytes that
  /// come.
  static constexpr std::uint64_t kChanges = 16;
  static constexpr std::uint64_t kBytesOfAChange = std::uint64_t{1} << 20U;

  static int read(BIO* bio, char* to, int room) noexcept;
  static int write(BIO* bio, const char* from, int count) noexcept;
  static long control(BIO* bio, int what, long number, void* more) noexcept;
  static const BIO_METHOD* method();

  [[nodiscard]] ssize_t failed(int became) noexcept;

  const int socket_;
  std::unique_ptr<SSL, Release<&SSL_free>> ssl_;
  std::string why_;
  const std::uint64_t records_of_a_key_;
  std::uint64_t records_ = 0;  // with the present key
  std::size_t begun_ = 0;      // bytes of a record that has not left; 0: none
  std::uint64_t received_ = 0;
  std::uint64_t changes_ = 0;  // of the other end's key
  int error_ = 0;              // of the socket
  bool readable_ = true;
  bool ends_ = false;
  bool ended_ = false;
};

}  // namespace penstock::tls_part
