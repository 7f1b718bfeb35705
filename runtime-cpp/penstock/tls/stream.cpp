#include "penstock/tls/stream.hpp"

#include <openssl/err.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "penstock/tls.hpp"
#include "penstock/tls/fault.hpp"
#include "penstock/tls/handshake.hpp"

namespace penstock::tls_part {
namespace {

bool would_block(int error) noexcept {
  // Not connected yet: it is told when it is.
  return error == EAGAIN || error == EWOULDBLOCK || error == ENOTCONN;
}

class Tls final : public net::Security {
 public:
  explicit Tls(Context context) : context_(std::move(context)) {}

  [[nodiscard]] std::unique_ptr<net::Carrier> connect(
      const net::Descriptor& socket) const override {
    return std::make_unique<Stream>(*context_, socket.number(), true);
  }
  [[nodiscard]] std::unique_ptr<net::Carrier> accept(const net::Descriptor& socket) const override {
    return std::make_unique<Stream>(*context_, socket.number(), false);
  }
  [[nodiscard]] std::unique_ptr<net::Handshake> handshake(bool connects) const override {
    return std::make_unique<Handshake>(*context_, connects);
  }

 private:
  Context context_;
};

}  // namespace

Stream::Stream(SSL_CTX& context, int socket, bool connects, std::uint64_t records_of_a_key)
    : socket_(socket), ssl_(SSL_new(&context)), records_of_a_key_(records_of_a_key) {
  BIO* const bio = BIO_new(method());
  if (ssl_ == nullptr || bio == nullptr) {
    BIO_free(bio);
    throw std::bad_alloc();
  }
  SSL_set_msg_callback_arg(ssl_.get(), this);
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_.get(), bio, bio);
  if (connects) {
    SSL_set_connect_state(ssl_.get());
  } else {
    SSL_set_accept_state(ssl_.get());
  }
}

// Not the last word of a connection that broke, which it would be an error to say.
Stream::~Stream() {
  if (why_.empty() && error_ == 0 && SSL_is_init_finished(ssl_.get()) == 1)
    SSL_shutdown(ssl_.get());
  ERR_clear_error();
}

void Stream::came(bool ends) noexcept {
  readable_ = true;
  ends_ = ends;
}

ssize_t Stream::receive(char* to, std::size_t room) noexcept {
  ERR_clear_error();
  std::size_t count = 0;
  const int became = SSL_read_ex(ssl_.get(), to, room, &count);
  return became == 1 ? static_cast<ssize_t>(count) : failed(became);
}

// One record, and no more than was given when it was begun: of two, OpenSSL would not say that the
// first has left where the second finds no room.
ssize_t Stream::send(const char* from, std::size_t count) noexcept {
  ERR_clear_error();
  std::size_t sent = 0;
  const std::size_t one =
      std::min<std::size_t>(count, begun_ != 0 ? begun_ : SSL3_RT_MAX_PLAIN_LENGTH);
  const int became = SSL_write_ex(ssl_.get(), from, one, &sent);
  begun_ = became == 1 ? 0 : one;
  if (became == 1) {
    // Told with the next record.
    if (++records_ >= records_of_a_key_ &&
        SSL_key_update(ssl_.get(), SSL_KEY_UPDATE_NOT_REQUESTED) == 1)
      records_ = 0;
    return static_cast<ssize_t>(sent);
  }
  const ssize_t as_read = failed(became);
  if (as_read == 0) errno = EPIPE;
  return -1;
}

ssize_t Stream::failed(int became) noexcept {
  switch (SSL_get_error(ssl_.get(), became)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
      errno = EAGAIN;
      return -1;
    case SSL_ERROR_ZERO_RETURN:
      return 0;
    case SSL_ERROR_SYSCALL:
      if (error_ == 0) error_ = ECONNRESET;
      errno = error_;
      return -1;
    default:
      try {
        why_ = what_is_wrong(*ssl_);
      } catch (const std::bad_alloc&) {
        why_ = "TLS";  // short enough for no allocation
      }
      errno = EPROTO;
      return -1;
  }
}

std::string Stream::peer() const { return name_of_peer(*ssl_); }

// --- the socket, as OpenSSL sees it ---

const BIO_METHOD* Stream::method() {
  static const BIO_METHOD* const made = [] {
    BIO_METHOD* const methods =
        BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "penstock socket");
    if (methods == nullptr || BIO_meth_set_read(methods, &read) != 1 ||
        BIO_meth_set_write(methods, &write) != 1 || BIO_meth_set_ctrl(methods, &control) != 1)
      throw std::bad_alloc();
    return methods;
  }();
  return made;
}

int Stream::read(BIO* bio, char* to, int room) noexcept {
  auto& self = *static_cast<Stream*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  ssize_t count = -1;
  if (self.changes_ > kChanges + self.received_ / kBytesOfAChange) {
    // Nothing but work for this thread, which others wait for.
    self.error_ = EPROTO;
    return -1;
  }
  errno = EAGAIN;
  while (self.readable_) {
    count = recv(self.socket_, to, static_cast<std::size_t>(room), 0);
    if (count >= 0 || errno != EINTR) break;
  }
  if (count < 0 && would_block(errno)) {
    self.readable_ = false;
    BIO_set_retry_read(bio);
  } else if (count < 0) {
    self.error_ = errno;
  } else if (count == 0) {
    self.ended_ = true;
  } else if (count < room && !self.ends_) {
    // There was no more, and what comes is said.
    self.readable_ = false;
  }
  if (count > 0) self.received_ += static_cast<std::uint64_t>(count);
  return static_cast<int>(count);
}

void Stream::saw(int sent, int /*version*/, int type, const void* message, std::size_t bytes,
                 SSL* /*ssl*/, void* context) noexcept {
  const bool is_change = sent == 0 && type == SSL3_RT_HANDSHAKE && bytes != 0 &&
                         *static_cast<const unsigned char*>(message) == SSL3_MT_KEY_UPDATE;
  if (is_change && context != nullptr) ++static_cast<Stream*>(context)->changes_;
}

int Stream::write(BIO* bio, const char* from, int count) noexcept {
  auto& self = *static_cast<Stream*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  ssize_t sent = -1;
  do {
    sent = ::send(self.socket_, from, static_cast<std::size_t>(count), MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0 && would_block(errno)) {
    BIO_set_retry_write(bio);
  } else if (sent < 0) {
    self.error_ = errno;
  }
  return static_cast<int>(sent);
}

long Stream::control(BIO* bio, int what, long /*number*/, void* /*more*/) noexcept {
  if (what == BIO_CTRL_EOF) return static_cast<Stream*>(BIO_get_data(bio))->ended_ ? 1 : 0;
  return what == BIO_CTRL_FLUSH ? 1 : 0;
}

}  // namespace penstock::tls_part

namespace penstock {

std::unique_ptr<net::Security> tls(const net::Identity& self, const std::string& folder) {
  return std::make_unique<tls_part::Tls>(tls_part::load_keys(self, folder));
}

}  // namespace penstock
