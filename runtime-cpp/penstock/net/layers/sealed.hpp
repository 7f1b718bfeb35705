#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "penstock/base/time.hpp"
#include "penstock/net/layers/packet.hpp"
#include "penstock/net/wire/bytes.hpp"

namespace penstock::net::layers {

/// Seals datagrams that go one way, or opens them there: authenticated encryption with a key that
/// both ends have. One thread.
class Cipher {
 public:
  static constexpr std::size_t kTag = 16;

  Cipher() = default;
  Cipher(const Cipher&) = delete;
  Cipher& operator=(const Cipher&) = delete;
  virtual ~Cipher() = default;

  /// As many bytes as there are, to `to`, and what shows that nobody changed them, to `tag`. No two
  /// of a key have the same number. False: it could not.
  [[nodiscard]] virtual bool seal(std::uint64_t number, std::string_view bytes, char* to,
                                  char* tag) noexcept = 0;
  /// What was sealed, to `to`. False: it was changed, or not sealed with this key and number; what
  /// stands there then is nothing.
  [[nodiscard]] virtual bool open(std::uint64_t number, std::string_view sealed, const char* tag,
                                  char* to) noexcept = 0;
  /// The same way with the key after this one. Throws std::bad_alloc.
  [[nodiscard]] virtual std::unique_ptr<Cipher> next() const = 0;
};

/// Nobody else can read a datagram, change it, make one, or have one taken twice. In the place of a
/// Checksum, as what changes on its way is found, too. A key seals so many datagrams; the number of
/// one says which key it has.
///
/// On the wire: u32 the lower half of its number, from 0 on, the tag, and the sealed bytes.
class Sealed {
 public:
  static constexpr std::size_t kHeader = 4 + Cipher::kTag;
  /// So far below the highest number that has come others are taken.
  static constexpr std::uint64_t kRemembered = 2 * kWindow;
  /// Below the 2^28 that AES-GCM takes of datagrams of this size (RFC 9001, B.1.1).
  static constexpr std::uint64_t kOfAKey = std::uint64_t{1} << 24U;

  struct Ciphers {
    std::unique_ptr<Cipher> sends;
    std::unique_ptr<Cipher> opens;
  };
  struct Figures {
    std::uint64_t opened = 0;
    std::uint64_t wrong = 0;  ///< changed, or of somebody else
    std::uint64_t again = 0;  ///< had come before, or so long ago that nobody knows
  };

  /// `of_a_key`: datagrams, kRemembered at least, the same at both ends. Throws std::bad_alloc.
  explicit Sealed(Ciphers ciphers, std::uint64_t of_a_key = kOfAKey);

  template <class At>
  bool send(Packet packet, At at) {
    // Whoever sends it may want to send it again: it stays as it is.
    std::array<char, At::kHeadroom + At::kMost> bytes;  // NOLINT: what is used is written first
    char* const begin = bytes.data() + At::kHeadroom;
    // One that could not be sealed is lost, as others are.
    if (seal(packet.bytes(), begin)) at.send(Packet{begin, packet.size + kHeader});
    return true;
  }
  template <class At>
  void receive(std::string_view datagram, At at) {
    std::array<char, At::kMost> bytes;  // NOLINT: as above
    if (datagram.size() > bytes.size()) {
      ++figures_.wrong;
      return;
    }
    if (open(datagram, bytes.data())) at.receive({bytes.data(), datagram.size() - kHeader});
  }
  template <class At>
  void timer(At /*at*/) noexcept {}
  [[nodiscard]] Nanos next() const noexcept { return 0; }
  [[nodiscard]] std::size_t room(std::size_t below) const noexcept { return below; }
  [[nodiscard]] std::size_t memory() const noexcept { return 0; }

  [[nodiscard]] const Figures& figures() const noexcept { return figures_; }

 private:
  [[nodiscard]] bool seal(std::string_view bytes, char* to) noexcept;
  /// Throws std::bad_alloc.
  [[nodiscard]] bool open(std::string_view datagram, char* to);
  [[nodiscard]] bool is_new(std::uint64_t number) const noexcept;
  void note(std::uint64_t number) noexcept;
  [[nodiscard]] std::uint64_t key_of(std::uint64_t number) const noexcept {
    return (number - kNumbersFrom) / of_a_key_;
  }

  const std::uint64_t of_a_key_;
  Figures figures_;
  std::unique_ptr<Cipher> sends_;
  std::uint64_t next_number_ = kNumbersFrom;
  // Those of the keys before that of the highest number, of that one and after it.
  std::array<std::unique_ptr<Cipher>, 3> opens_;
  std::uint64_t highest_ = kNumbersFrom - 1;  // that has come
  std::bitset<kRemembered> came_;             // of the last ones
};

}  // namespace penstock::net::layers
