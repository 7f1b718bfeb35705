#include "penstock/tls/cipher.hpp"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace penstock::tls_part {
namespace {

const unsigned char* of(const char* bytes) noexcept {
  return reinterpret_cast<const unsigned char*>(bytes);
}
unsigned char* of(char* bytes) noexcept { return reinterpret_cast<unsigned char*>(bytes); }

}  // namespace

Secret::Secret(const unsigned char* bytes) noexcept { std::copy_n(bytes, kBytes, bytes_.begin()); }

Secret::~Secret() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

Secret Secret::expand(std::string_view label) const {
  std::array<unsigned char, 32> text{};
  std::copy(label.begin(), label.end(), text.begin());
  text.at(label.size()) = 1;
  std::array<unsigned char, kBytes> made{};
  unsigned size = 0;
  if (HMAC(EVP_sha256(), bytes_.data(), kBytes, text.data(), label.size() + 1, made.data(),
           &size) == nullptr)
    throw std::bad_alloc();
  const Secret secret(made.data());
  OPENSSL_cleanse(made.data(), made.size());
  return secret;
}

AesGcm::AesGcm(const Secret& secret, bool seals)
    : secret_(secret), seals_(seals), context_(EVP_CIPHER_CTX_new()) {
  const Secret key = secret.expand("penstock key");
  const Secret nonce = secret.expand("penstock nonce");
  std::copy_n(nonce.bytes(), kNonce, first_.begin());
  if (context_ == nullptr || EVP_CipherInit_ex(context_.get(), EVP_aes_128_gcm(), nullptr,
                                               key.bytes(), nullptr, seals ? 1 : 0) != 1)
    throw std::bad_alloc();
}

std::unique_ptr<net::layers::Cipher> AesGcm::next() const {
  return std::make_unique<AesGcm>(secret_.expand("penstock next"), seals_);
}

AesGcm::Nonce AesGcm::nonce_of(std::uint64_t number) const noexcept {
  Nonce nonce = first_;
  for (std::size_t at = nonce.size(); number != 0; number >>= 8U)
    nonce[--at] ^= static_cast<unsigned char>(number);
  return nonce;
}

bool AesGcm::seal(std::uint64_t number, std::string_view bytes, char* to, char* tag) noexcept {
  EVP_CIPHER_CTX* const context = context_.get();
  const Nonce nonce = nonce_of(number);
  int count = 0;
  return EVP_EncryptInit_ex(context, nullptr, nullptr, nullptr, nonce.data()) == 1 &&
         EVP_EncryptUpdate(context, of(to), &count, of(bytes.data()),
                           static_cast<int>(bytes.size())) == 1 &&
         EVP_EncryptFinal_ex(context, of(to) + count, &count) == 1 &&
         EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, static_cast<int>(kTag), tag) == 1;
}

bool AesGcm::open(std::uint64_t number, std::string_view sealed, const char* tag,
                  char* to) noexcept {
  EVP_CIPHER_CTX* const context = context_.get();
  const Nonce nonce = nonce_of(number);
  std::array<char, kTag> told{};
  std::memcpy(told.data(), tag, kTag);
  int count = 0;
  const bool is_sound = EVP_DecryptInit_ex(context, nullptr, nullptr, nullptr, nonce.data()) == 1 &&
                        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, static_cast<int>(kTag),
                                            told.data()) == 1 &&
                        EVP_DecryptUpdate(context, of(to), &count, of(sealed.data()),
                                          static_cast<int>(sealed.size())) == 1 &&
                        EVP_DecryptFinal_ex(context, of(to) + count, &count) == 1;
  if (!is_sound) ERR_clear_error();
  return is_sound;
}

}  // namespace penstock::tls_part
