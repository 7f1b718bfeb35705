// Packets with whatever numbers, three bytes each: how far from the last one, and how long after.
// Where late ones are dropped each number is above the one before; none comes twice.
#include "penstock/net/layers/ordering.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <unordered_set>

#include "penstock/net/layers/stack.hpp"

namespace {

using namespace penstock::net::layers;

struct Nowhere {
  static constexpr std::size_t kMost = 64;
  void send(std::string_view /*bytes*/) const {}
};

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  using Made = Stack<Nowhere, Ordering>;
  const Ordering::Settings settings{(data[0] & 1U) != 0 ? 1'000 : 0, (data[0] & 2U) != 0, 0};
  Made stack(Nowhere{}, Ordering(settings));
  std::uint64_t last = 0;
  std::unordered_set<std::uint64_t> all;
  const auto take = [&](std::string_view bytes) {
    std::uint64_t number = 0;
    require(bytes.size() == sizeof number);
    std::memcpy(&number, bytes.data(), sizeof number);
    require(all.insert(number).second);
    require(settings.late || number > last);
    last = number;
  };
  penstock::Nanos now = 1;
  std::uint64_t near = kNumbersFrom;
  for (std::size_t at = 1; at + 2 < size; at += 3) {
    // Far away at times, and below the first one never: nobody has sent that.
    std::int64_t away = static_cast<std::int8_t>(data[at]);
    if (data[at + 1] >= 192) away *= 100;
    if (away > 0 || near - kNumbersFrom >= static_cast<std::uint64_t>(-away))
      near += static_cast<std::uint64_t>(away);
    char bytes[12];
    std::memcpy(bytes, &near, 4);
    std::memcpy(bytes + 4, &near, sizeof near);
    stack.receive({bytes, data[at + 1] % 64U == 63 ? 3 : sizeof bytes}, now, take);
    now += data[at + 2];
    if (stack.next() != 0 && now >= stack.next()) stack.timer(now, take);
    require(stack.memory() <= kWindow * (64 + 16));
  }
  return 0;
}
