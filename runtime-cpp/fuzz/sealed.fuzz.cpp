// Two ends that seal for each other, and a network that does what the input says, two bytes a step.
// What an end opens is what the other one said, and each only once.
#include "penstock/net/layers/sealed.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <unordered_set>
#include <vector>

#include "penstock/net/layers/stack.hpp"
#include "world/toy_cipher.hpp"

namespace {

using namespace penstock::net::layers;
using penstock::world::ToyCipher;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Network {
  static constexpr std::size_t kMost = 64;
  std::vector<std::string>* on_way;
  void send(std::string_view bytes) const { on_way->emplace_back(bytes); }
};

class Run {
 public:
  void step(unsigned what, unsigned much) {
    const std::size_t end = what >> 7U;
    const std::size_t place = on_way_.empty() ? 0 : on_way_.size() - 1 - much % on_way_.size();
    switch (what % 4) {
      case 0:
        // Many at once, so that numbers leave the window and keys change.
        for (unsigned left = much < 250 ? 1 : 1'500; left > 0; --left) say(end);
        return;
      case 1:
      case 2:
        return on_way_.empty() ? void() : hear(end, on_way_[place]);
      default:
        if (on_way_.empty()) return;
        std::string spoilt = on_way_[place];
        char& byte = spoilt[(what >> 2U) % spoilt.size()];
        byte = static_cast<char>(byte ^ static_cast<char>(much | 1U));
        const std::size_t before = came_[end].size();
        hear(end, spoilt);
        require(came_[end].size() == before);
    }
  }
  /// A datagram of nobody's.
  void invent(std::string_view bytes) {
    const std::size_t before = came_[0].size();
    hear(0, bytes);
    require(came_[0].size() == before);
  }

 private:
  using Made = Stack<Network, Sealed>;
  [[nodiscard]] Made made(int end) {
    return Made(Network{&on_way_}, Sealed(ToyCipher::of_end(end), Sealed::kRemembered));
  }
  void say(std::size_t end) {
    if (on_way_.size() == kMostOnWay) on_way_.clear();
    require(ends_[end].send(std::to_string(end) + " " + std::to_string(said_[end]++), 1));
  }
  void hear(std::size_t end, std::string_view datagram) {
    ends_[end].receive(datagram, 1, [&](std::string_view text) {
      require(text.size() > 2 && text.front() == static_cast<char>('1' - end));
      const std::uint64_t number = std::stoull(std::string(text.substr(2)));
      require(number < said_[1 - end] && came_[end].insert(number).second);
    });
  }

  static constexpr std::size_t kMostOnWay = 8'000;
  std::vector<std::string> on_way_;
  Made ends_[2] = {made(0), made(1)};
  std::uint64_t said_[2] = {0, 0};
  std::unordered_set<std::uint64_t> came_[2];
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Run run;
  std::size_t many = 0;
  for (std::size_t at = 0; at + 1 < size; at += 2) {
    if (data[at] == 0xFE) {
      const std::size_t length = std::min<std::size_t>(data[at + 1], size - at - 2);
      run.invent({reinterpret_cast<const char*>(data + at + 2), length});
      at += length;
      continue;
    }
    if (data[at] % 4 == 0 && data[at + 1] >= 250 && ++many > 3) continue;
    run.step(data[at], data[at + 1]);
  }
  return 0;
}
