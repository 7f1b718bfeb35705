#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "penstock/net/layers/sealed.hpp"

namespace penstock::world {

/// Stands for a cipher where no library of those is: what has another key, number or byte is found,
/// as long as nobody means to deceive it.
class ToyCipher final : public net::layers::Cipher {
 public:
  explicit ToyCipher(std::uint64_t key) noexcept : key_(key) {}

  [[nodiscard]] bool seal(std::uint64_t number, std::string_view bytes, char* to,
                          char* tag) noexcept override {
    write_tag(number, bytes, tag);
    turn(number, bytes, to);
    return true;
  }
  [[nodiscard]] bool open(std::uint64_t number, std::string_view sealed, const char* tag,
                          char* to) noexcept override {
    turn(number, sealed, to);
    std::uint64_t own[2];
    std::uint64_t said[2];
    write_tag(number, {to, sealed.size()}, reinterpret_cast<char*>(own));
    std::memcpy(said, tag, kTag);
    // No memcmp(): what invents inputs looks into it.
    return ((own[0] ^ said[0]) | (own[1] ^ said[1])) == 0;
  }
  [[nodiscard]] std::unique_ptr<Cipher> next() const override {
    return std::make_unique<ToyCipher>(mixed(key_));
  }

  /// Two ends that seal for each other.
  [[nodiscard]] static net::layers::Sealed::Ciphers of_end(int end, std::uint64_t key = 7) {
    const auto of = [key](int way) {
      return std::make_unique<ToyCipher>(key + static_cast<std::uint64_t>(way));
    };
    return {of(end), of(1 - end)};
  }

 private:
  /// The finaliser of splitmix64 (Steele, Lea and Flood 2014).
  static std::uint64_t mixed(std::uint64_t word) noexcept {
    word += 0x9E3779B97F4A7C15U;
    word = (word ^ (word >> 30U)) * 0xBF58476D1CE4E5B9U;
    word = (word ^ (word >> 27U)) * 0x94D049BB133111EBU;
    return word ^ (word >> 31U);
  }
  void turn(std::uint64_t number, std::string_view bytes, char* to) const noexcept {
    std::uint64_t stream = mixed(key_ ^ mixed(number));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      to[at] = static_cast<char>(bytes[at] ^ static_cast<char>(stream));
      stream = mixed(stream);
    }
  }
  void write_tag(std::uint64_t number, std::string_view bytes, char* tag) const noexcept {
    std::uint64_t sum = mixed(key_ + 1) ^ mixed(number) ^ bytes.size();
    for (const char byte : bytes) sum = mixed(sum ^ static_cast<unsigned char>(byte));
    std::memcpy(tag, &sum, sizeof sum);
    sum = mixed(sum);
    std::memcpy(tag + sizeof sum, &sum, sizeof sum);
  }

  std::uint64_t key_;
};

}  // namespace penstock::world
