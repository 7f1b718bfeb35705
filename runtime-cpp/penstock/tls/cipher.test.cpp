#include "penstock/tls/cipher.hpp"

#include <gtest/gtest.h>

#include <string>

#include "penstock/net/layers/stack.hpp"

namespace penstock::tls_part::cipher_test {
namespace {

using net::layers::Cipher;

Secret secret_of(unsigned char byte) {
  const std::string bytes(Secret::kBytes, static_cast<char>(byte));
  return Secret(reinterpret_cast<const unsigned char*>(bytes.data()));
}

/// A datagram: the tag, then what was sealed.
std::string seal(Cipher& cipher, std::uint64_t number, const std::string& text) {
  std::string made(Cipher::kTag + text.size(), '\0');
  EXPECT_TRUE(cipher.seal(number, text, made.data() + Cipher::kTag, made.data()));
  return made;
}
/// None: "-".
std::string open(Cipher& cipher, std::uint64_t number, const std::string& datagram) {
  std::string text(datagram.size() - Cipher::kTag, '\0');
  const std::string_view sealed = std::string_view(datagram).substr(Cipher::kTag);
  return cipher.open(number, sealed, datagram.data(), text.data()) ? text : "-";
}

TEST(AesGcm, IsOpenedWithItsKeyAndNumberOnly) {
  AesGcm seals(secret_of(1), true);
  AesGcm opens(secret_of(1), false);
  AesGcm other(secret_of(2), false);
  const std::string words = seal(seals, 1ULL << 40U, "some words");
  EXPECT_EQ(words.find("words"), std::string::npos);
  EXPECT_EQ(open(opens, 1ULL << 40U, words), "some words");
  EXPECT_EQ(open(opens, 1, words), "-");
  EXPECT_EQ(open(other, 1ULL << 40U, words), "-");
  for (std::size_t at = 0; at < words.size(); ++at) {
    std::string changed = words;
    changed[at] = static_cast<char>(changed[at] ^ 0x40);
    EXPECT_EQ(open(opens, 1ULL << 40U, changed), "-") << at;
  }
  EXPECT_EQ(open(opens, 1ULL << 40U, words), "some words") << "what was wrong has changed nothing";
  EXPECT_NE(seal(seals, 2, "some words"), words);
  EXPECT_EQ(open(opens, 3, seal(seals, 3, "")), "");
}

TEST(AesGcm, GoesOnWithAnotherKey) {
  AesGcm seals(secret_of(1), true);
  AesGcm opens(secret_of(1), false);
  const auto later_seals = seals.next();
  const auto later_opens = opens.next();
  const std::string words = seal(*later_seals, 1, "some words");
  EXPECT_EQ(open(opens, 1, words), "-");
  EXPECT_EQ(open(*later_opens, 1, words), "some words");
  EXPECT_EQ(open(*later_opens->next(), 1, seal(*later_seals->next(), 1, "x")), "x");
}

// RFC 5869 has its own way to the first secret; what follows is HMAC-SHA256(secret, label, 1).
TEST(Secrets, AreExpandedAsInHkdf) {
  const Secret secret = secret_of(0x0b).expand("penstock key");
  const std::string made(reinterpret_cast<const char*>(secret.bytes()), 4);
  EXPECT_EQ(made, std::string("\x52\xf7\xe1\xe3", 4));
}

}  // namespace
}  // namespace penstock::tls_part::cipher_test
