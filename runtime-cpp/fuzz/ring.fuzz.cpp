// A ring whose other end does what it likes: as long as it writes nothing by itself, what was
// written comes out in order; whatever it writes, nothing beyond the ring is touched.
#include "penstock/net/ring/ring.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace {

using namespace penstock::net;

constexpr std::size_t kCapacity = 256;

void require(bool holds) {
  if (!holds) std::abort();
}

/// Steps of two bytes: what, and how much of it.
class Run {
 public:
  void step(unsigned what, unsigned much) {
    switch (what % 8) {
      case 0:
      case 1:
        return write(much);
      case 2:
      case 3:
        return read(much);
      case 4:
        if (!writer_.rest()) require(spoilt_ || writer_.has_room_again());
        return;
      case 5:
        if (reader_.rest()) require(!reader_.has_some());
        return reader_.rest_no_more();
      case 6:
        spoilt_ = true;
        return spoil(much);
      default:
        spoilt_ = true;
        control_->taken = much * 3;
    }
  }
  [[nodiscard]] bool is_broken() const noexcept { return broken_; }

 private:
  void write(unsigned much) {
    std::string some(much + 1, '\0');
    for (char& each : some) each = static_cast<char>(next_++);
    const auto count = writer_.write(some);
    if (count < 0) return breaks();
    require(count <= static_cast<std::ptrdiff_t>(some.size()));
    const auto written = static_cast<std::size_t>(count);
    next_ -= static_cast<unsigned>(some.size() - written);
    under_way_.append(some, 0, written);
  }
  void read(unsigned much) {
    const std::size_t room = 3 * (std::size_t{much} + 1);
    const auto into = std::make_unique<char[]>(room);
    const auto count = reader_.read(into.get(), room);
    if (count < 0) return breaks();
    require(count <= static_cast<std::ptrdiff_t>(room));
    if (spoilt_) return;
    const auto came = static_cast<std::size_t>(count);
    require(std::string_view(under_way_).substr(0, came) == std::string_view(into.get(), came));
    require(came == std::min(room, under_way_.size()));
    under_way_.erase(0, came);
  }
  void spoil(unsigned much) {
    const std::uint32_t length = much * 5;
    std::memcpy(bytes_.get() + much % (kCapacity / 4) * 4, &length, sizeof length);
  }
  void breaks() {
    require(spoilt_);
    broken_ = true;
  }

  std::unique_ptr<RingControl> control_ = std::make_unique<RingControl>();
  std::unique_ptr<char[]> bytes_ = std::make_unique<char[]>(kCapacity);
  RingMemory memory_{control_.get(), bytes_.get(), kCapacity};
  RingWriter writer_{memory_};
  RingReader reader_{memory_};
  std::string under_way_;
  unsigned next_ = 0;
  bool spoilt_ = false;
  bool broken_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Run run;
  for (std::size_t at = 0; at + 1 < size && !run.is_broken(); at += 2)
    run.step(data[at], data[at + 1]);
  return 0;
}
