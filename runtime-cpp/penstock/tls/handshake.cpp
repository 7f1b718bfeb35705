#include "penstock/tls/handshake.hpp"

#include <openssl/crypto.h>
#include <openssl/err.h>

#include <array>
#include <new>

#include "penstock/tls/cipher.hpp"
#include "penstock/tls/fault.hpp"

namespace penstock::tls_part {
namespace {

constexpr std::string_view kLabel = "EXPORTER-penstock-datagrams";

}  // namespace

Handshake::Handshake(SSL_CTX& context, bool connects)
    : connects_(connects), ssl_(SSL_new(&context)) {
  comes_ = BIO_new(BIO_s_mem());
  goes_ = BIO_new(BIO_s_mem());
  if (ssl_ == nullptr || comes_ == nullptr || goes_ == nullptr) {
    BIO_free(comes_);
    BIO_free(goes_);
    throw std::bad_alloc();
  }
  SSL_set_bio(ssl_.get(), comes_, goes_);
  if (connects) {
    SSL_set_connect_state(ssl_.get());
  } else {
    SSL_set_accept_state(ssl_.get());
  }
  go_on();
}

Handshake::~Handshake() { ERR_clear_error(); }

void Handshake::take(std::string_view bytes) {
  if (!why_.empty() || bytes.empty()) return;
  const int count = static_cast<int>(bytes.size());
  if (BIO_write(comes_, bytes.data(), count) != count) throw std::bad_alloc();
  go_on();
}

void Handshake::go_on() {
  ERR_clear_error();
  char byte = 0;
  std::size_t count = 0;
  // After it nothing is said but that the other end refuses the key of this one.
  const int became =
      done_ ? SSL_read_ex(ssl_.get(), &byte, 1, &count) : SSL_do_handshake(ssl_.get());
  switch (SSL_get_error(ssl_.get(), became)) {
    case SSL_ERROR_NONE:
      if (done_) why_ = "it says what belongs to no handshake";
      done_ = true;
      return;
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
      return;
    case SSL_ERROR_ZERO_RETURN:
      why_ = "it was closed by the other end";
      return;
    default:
      why_ = what_is_wrong(*ssl_);
  }
}

std::string_view Handshake::to_say() const noexcept {
  char* bytes = nullptr;
  const long count = BIO_get_mem_data(goes_, &bytes);
  return count > 0 ? std::string_view(bytes, static_cast<std::size_t>(count)) : std::string_view();
}

void Handshake::said(std::size_t count) noexcept {
  std::array<char, 1024> taken;  // NOLINT: nobody reads it
  while (count != 0) {
    const int some = BIO_read(goes_, taken.data(),
                              static_cast<int>(count < taken.size() ? count : taken.size()));
    if (some <= 0) return;
    count -= static_cast<std::size_t>(some);
  }
}

net::layers::Sealed::Ciphers Handshake::ciphers() const {
  std::array<unsigned char, 2 * Secret::kBytes> exported{};
  if (SSL_export_keying_material(ssl_.get(), exported.data(), exported.size(), kLabel.data(),
                                 kLabel.size(), nullptr, 0, 0) != 1)
    throw std::bad_alloc();
  // The first one is of what the end says that connected.
  const Secret to_accepting(exported.data());
  const Secret to_connecting(exported.data() + Secret::kBytes);
  OPENSSL_cleanse(exported.data(), exported.size());
  return {std::make_unique<AesGcm>(connects_ ? to_accepting : to_connecting, true),
          std::make_unique<AesGcm>(connects_ ? to_connecting : to_accepting, false)};
}

}  // namespace penstock::tls_part
