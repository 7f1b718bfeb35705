#include "penstock/net/layers/checksum.hpp"

#include <array>
#include <cstring>

namespace penstock::net::layers {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78;

constexpr std::array<std::uint32_t, 256> kTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1U) ^ ((sum & 1U) != 0 ? kPolynomial : 0);
    table[byte] = sum;
  }
  return table;
}();

std::uint32_t by_table(std::string_view bytes, std::uint32_t sum) noexcept {
  for (const char byte : bytes)
    sum = (sum >> 8U) ^ kTable[(sum ^ static_cast<unsigned char>(byte)) & 0xFFU];
  return sum;
}

#if defined(__x86_64__)
// Most of the bytes eight at a time, by an instruction that processors have had since 2008.
[[gnu::target("sse4.2")]] std::uint32_t by_instruction(std::string_view bytes,
                                                       std::uint32_t sum) noexcept {
  std::uint64_t wide = sum;
  while (bytes.size() >= sizeof wide) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes.data(), sizeof eight);
    wide = __builtin_ia32_crc32di(wide, eight);
    bytes.remove_prefix(sizeof eight);
  }
  return by_table(bytes, static_cast<std::uint32_t>(wide));
}
#endif

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t begin) noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return ~by_instruction(bytes, ~begin);
#endif
  return ~by_table(bytes, ~begin);
}

}  // namespace penstock::net::layers
