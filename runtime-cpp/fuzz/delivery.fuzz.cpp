// Two ends, and a network that does what the input says, two bytes a step. As long as it invents
// nothing each packet comes once, and all of them once nothing is lost any more; whatever it
// invents, nothing that is not theirs is touched.
#include "penstock/net/layers/delivery.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "penstock/net/layers/stack.hpp"

namespace {

using namespace penstock::net::layers;
using penstock::Nanos;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Datagram {
  int to;
  std::string bytes;
};
struct Network {
  static constexpr std::size_t kMost = 256;
  std::deque<Datagram>* on_way;
  int end;
  void send(std::string_view bytes) const { on_way->push_back({1 - end, std::string(bytes)}); }
};

class Run {
 public:
  void step(unsigned what, unsigned much) {
    now_ += much * 10'000;
    const int end = static_cast<int>(what >> 7U);
    const std::size_t place = on_way_.empty() ? 0 : much % on_way_.size();
    switch (what % 8) {
      case 0:
      case 1:
        return send(end, much);
      case 2:
      case 3:
        return on_way_.empty() ? void() : bring(place);
      case 4:
        if (!on_way_.empty()) on_way_.erase(on_way_.begin() + static_cast<std::ptrdiff_t>(place));
        return;
      case 5:
        if (!on_way_.empty()) on_way_.push_back(on_way_[place]);
        return;
      case 6:
        return tell();
      default:
        if (on_way_.empty()) return;
        spoilt_ = true;
        Datagram& spoilt = on_way_[place];
        if (!spoilt.bytes.empty())
          spoilt.bytes[(what >> 3U) % spoilt.bytes.size()] = static_cast<char>(much);
    }
  }
  /// A datagram of nobody's.
  void invent(std::string_view bytes) {
    spoilt_ = true;
    on_way_.push_back({0, std::string(bytes)});
  }
  void heal() {
    for (int turn = 0; !spoilt_ && turn < 10'000; ++turn) {
      while (!on_way_.empty()) bring(0);
      Nanos next = 0;
      for (Made& end : ends_)
        if (end.next() != 0 && (next == 0 || end.next() < next)) next = end.next();
      if (next == 0) break;
      now_ = std::max(now_, next);
      tell();
    }
    for (int end : {0, 1})
      require(spoilt_ || failed() || came_[end] == std::vector<bool>(sent_[1 - end], true));
  }

 private:
  using Made = Stack<Network, Delivery>;
  [[nodiscard]] Made made(int end) {
    return Made(Network{&on_way_, end}, Delivery(Network::kMost, {}, now_));
  }
  [[nodiscard]] bool failed() {
    return ends_[0].layer<Delivery>().failed() || ends_[1].layer<Delivery>().failed();
  }
  void send(int end, unsigned much) {
    std::string packet(4 + much % 128, '\0');
    const auto number = static_cast<std::uint32_t>(sent_[end]);
    std::memcpy(packet.data(), &number, sizeof number);
    if (ends_[end].send(packet, now_)) ++sent_[end];
  }
  void bring(std::size_t place) {
    const Datagram datagram = std::move(on_way_[place]);
    on_way_.erase(on_way_.begin() + static_cast<std::ptrdiff_t>(place));
    ends_[datagram.to].receive(datagram.bytes, now_,
                               [&](std::string_view packet) { take(datagram.to, packet); });
  }
  void tell() {
    for (int end : {0, 1})
      if (ends_[end].next() != 0 && ends_[end].next() <= now_)
        ends_[end].timer(now_, [&](std::string_view packet) { take(end, packet); });
  }
  void take(int end, std::string_view packet) {
    if (spoilt_) return;
    std::uint32_t number = 0;
    require(packet.size() >= sizeof number);
    std::memcpy(&number, packet.data(), sizeof number);
    require(number < sent_[1 - end]);
    came_[end].resize(std::max<std::size_t>(came_[end].size(), number + 1));
    require(!came_[end][number]);
    came_[end][number] = true;
  }

  Nanos now_ = 1'000'000'000;
  std::deque<Datagram> on_way_;
  Made ends_[2] = {made(0), made(1)};
  std::size_t sent_[2] = {0, 0};
  std::vector<bool> came_[2];
  bool spoilt_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Run run;
  for (std::size_t at = 0; at + 1 < size; at += 2) {
    if (data[at] == 0xFF) {
      const std::size_t length = std::min<std::size_t>(data[at + 1], size - at - 2);
      run.invent({reinterpret_cast<const char*>(data + at + 2), length});
      at += length;
      continue;
    }
    run.step(data[at], data[at + 1]);
  }
  run.heal();
  return 0;
}
