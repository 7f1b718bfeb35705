// Slices that nobody cut: each input is datagrams, each a byte with its length and as many bytes.
// None of them makes the layer touch what is not its own, hold more than it may, or give what is
// larger than a message.
#include "penstock/net/layers/slicing.hpp"

#include <cstdint>
#include <cstdlib>

#include "penstock/net/layers/stack.hpp"

namespace {

using namespace penstock::net::layers;

struct Nowhere {
  static constexpr std::size_t kMost = 64;
  void send(std::string_view /*bytes*/) const {}
};

constexpr Reassembly::Bounds kBounds{8, std::size_t{64} << 10U, 1'000};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using Made = Stack<Nowhere, Slicing<>>;
  Made stack(Nowhere{}, Slicing<>(kBounds));
  const auto take = [](std::string_view message) {
    if (message.size() > Made::most()) std::abort();
  };
  penstock::Nanos now = 1;
  for (std::size_t at = 0; at < size; ++now) {
    const std::size_t length = std::min<std::size_t>(data[at] % 80U, size - at - 1);
    const std::uint8_t* const begin = data + at + 1;
    stack.receive({reinterpret_cast<const char*>(begin), length}, now, take);
    if (data[at] >= 200) now += 500;
    stack.timer(now, take);
    if (stack.memory() > kBounds.bytes + 4'096) std::abort();
    at += 1 + length;
  }
  return 0;
}
