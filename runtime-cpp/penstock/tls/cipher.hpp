#pragma once

#include <openssl/evp.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "penstock/net/layers/sealed.hpp"
#include "penstock/tls/keys.hpp"

namespace penstock::tls_part {

/// What keys are made of; not left in memory.
class Secret {
 public:
  static constexpr std::size_t kBytes = 32;

  explicit Secret(const unsigned char* bytes) noexcept;
  Secret(const Secret&) = default;
  Secret& operator=(const Secret&) = delete;
  ~Secret();

  /// Another one of it (the first block of HKDF-Expand with SHA-256, RFC 5869). Throws
  /// std::bad_alloc.
  [[nodiscard]] Secret expand(std::string_view label) const;
  [[nodiscard]] const unsigned char* bytes() const noexcept { return bytes_.data(); }

 private:
  std::array<unsigned char, kBytes> bytes_;
};

/// AES-128-GCM. The nonce of a datagram is that of the key, by exclusive or with its number.
class AesGcm final : public net::layers::Cipher {
 public:
  /// Of the end that seals, or of the one that opens. Throws std::bad_alloc.
  AesGcm(const Secret& secret, bool seals);

  [[nodiscard]] bool seal(std::uint64_t number, std::string_view bytes, char* to,
                          char* tag) noexcept override;
  [[nodiscard]] bool open(std::uint64_t number, std::string_view sealed, const char* tag,
                          char* to) noexcept override;
  [[nodiscard]] std::unique_ptr<Cipher> next() const override;

 private:
  static constexpr std::size_t kNonce = 12;
  using Nonce = std::array<unsigned char, kNonce>;
  [[nodiscard]] Nonce nonce_of(std::uint64_t number) const noexcept;

  const Secret secret_;
  const bool seals_;
  std::unique_ptr<EVP_CIPHER_CTX, Release<&EVP_CIPHER_CTX_free>> context_;
  Nonce first_{};
};

}  // namespace penstock::tls_part
