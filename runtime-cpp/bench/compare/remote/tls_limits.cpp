// What two threads get from OpenSSL by themselves, over TCP, with the ciphers that ours have.
#include <fcntl.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>

#include "harness/contender.hpp"
#include "harness/wait.hpp"
#include "remote/folder.hpp"
#include "remote/to_and_fro.hpp"
#include "support/made_keys.hpp"

namespace compare {
namespace {

/// Of both ends; nobody checks a certificate, as that is over before anything is measured.
SSL_CTX* context() {
  static SSL_CTX* const made = [] {
    const Folder folder;
    penstock::testing::MadeKeys keys(folder.path + "/keys");
    keys.add("both");
    const std::string stem = keys.folder() + "/both";
    SSL_CTX* const ctx = SSL_CTX_new(TLS_method());
    if (SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION) != 1 ||
        SSL_CTX_set_ciphersuites(ctx, "TLS_AES_128_GCM_SHA256") != 1 ||
        SSL_CTX_use_certificate_file(ctx, (stem + ".crt").c_str(), SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_use_PrivateKey_file(ctx, (stem + ".key").c_str(), SSL_FILETYPE_PEM) != 1)
      throw std::runtime_error("no keys");
    SSL_CTX_set_num_tickets(ctx, 0);
    SSL_CTX_set_read_ahead(ctx, 1);
    return ctx;
  }();
  return made;
}

template <Wait wait>
class SecureSocket {
 public:
  SecureSocket(int descriptor, bool connected) : descriptor_(descriptor), ssl_(SSL_new(context())) {
    SSL_set_fd(ssl_, descriptor);
    const int shaken = connected ? SSL_connect(ssl_) : SSL_accept(ssl_);
    if (shaken != 1) throw std::runtime_error("no handshake");
    if (wait != Wait::park) fcntl(descriptor, F_SETFL, O_NONBLOCK);
  }
  SecureSocket(const SecureSocket&) = delete;
  SecureSocket& operator=(const SecureSocket&) = delete;
  ~SecureSocket() {
    SSL_free(ssl_);
    close(descriptor_);
  }

  void send(std::size_t messages) {
    const int bytes = static_cast<int>(messages * kMessage);
    if (SSL_write(ssl_, out_.data(), bytes) != bytes)
      throw std::runtime_error("a socket that has room took less");
  }
  void end() { shutdown(descriptor_, SHUT_RDWR); }

  /// Bytes, as many as there are; none: the other end is gone.
  [[nodiscard]] int receive() {
    for (int look = 0;; ++look) {
      const int got = SSL_read(ssl_, in_.data(), static_cast<int>(in_.size()));
      if (got > 0 || SSL_get_error(ssl_, got) != SSL_ERROR_WANT_READ) return got;
      if (wait == Wait::spin || look < kPauses) {
        pause();
      } else {
        pollfd ready{.fd = descriptor_, .events = POLLIN, .revents = 0};
        poll(&ready, 1, -1);
      }
    }
  }

 private:
  int descriptor_;
  SSL* ssl_;
  std::array<char, kMessage * kMost> out_{};
  std::array<char, kMessage * kMost> in_{};
};

template <Wait wait, std::size_t window>
double rate() {
  static_cast<void>(context());
  return to_and_fro<SecureSocket<wait>, window>(tcp_ends());
}

const Enter kSpin({"remote-call/tls/spin", "limit-openssl", "two threads that look for bytes",
                   &rate<Wait::spin, 1>});
const Enter kAdaptive({"remote-call/tls/adaptive", "limit-openssl",
                       "two threads that look for a while, then sleep in poll",
                       &rate<Wait::adaptive, 1>});
const Enter kPark({"remote-call/tls/park", "limit-openssl", "two threads that sleep in SSL_read",
                   &rate<Wait::park, 1>});
const Enter kOutstanding({"remote-call/tls-64", "limit-openssl",
                          "all that came answered with one record", &rate<Wait::spin, kMost>});

}  // namespace
}  // namespace compare
