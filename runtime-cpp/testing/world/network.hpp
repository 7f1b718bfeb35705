#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/base/time.hpp"
#include "world/random.hpp"

namespace penstock::world {

/// A network of two ends, 0 and 1, that does to datagrams what networks do, as its weather has it
/// and numbers are drawn. In virtual time: it is asked when the next one comes.
class Network {
 public:
  struct Weather {
    // Of so many in a thousand:
    std::uint64_t lost = 0;
    std::uint64_t doubled = 0;
    std::uint64_t late = 0;  ///< by up to `lateness` more, so that others overtake it
    std::uint64_t corrupted = 0;
    Nanos delay = 100'000;
    Nanos jitter = 0;
    Nanos lateness = 5'000'000;
    std::size_t largest = 65'536;  ///< larger ones do not get through
    Nanos byte = 0;                ///< what one takes; 0: as many as come
    std::size_t queue = 64;        ///< datagrams that wait for that, each way; more are lost
  };
  struct Arrival {
    Nanos at = 0;
    std::uint64_t order = 0;
    int to = 0;
    std::string bytes;
  };
  struct Figures {
    std::uint64_t lost = 0;
    std::uint64_t doubled = 0;
    std::uint64_t corrupted = 0;
    std::uint64_t too_large = 0;
  };

  Network(Random& random, const Weather& weather) : random_(random), weather_(weather) {}

  Weather& weather() noexcept { return weather_; }
  /// Nothing gets through until then.
  void split(Nanos until) noexcept { split_until_ = until; }
  [[nodiscard]] const Figures& figures() const noexcept { return figures_; }

  void send(int from, std::string_view bytes, Nanos now) {
    if (bytes.size() > weather_.largest) {
      ++figures_.too_large;
      return;
    }
    Nanos& busy = busy_until_[from];
    const auto takes = static_cast<Nanos>(bytes.size()) * weather_.byte;
    const bool full = weather_.byte != 0 && busy - now > takes * static_cast<Nanos>(weather_.queue);
    if (now < split_until_ || full || of_thousand(weather_.lost)) {
      ++figures_.lost;
      return;
    }
    busy = std::max(busy, now) + takes;
    const bool twice = of_thousand(weather_.doubled);
    figures_.doubled += twice ? 1 : 0;
    for (int time = 0; time < (twice ? 2 : 1); ++time) put(1 - from, bytes, busy);
  }
  /// 0: nothing is on its way.
  [[nodiscard]] Nanos next() const noexcept { return on_way_.empty() ? 0 : on_way_.front().at; }
  /// The one that comes next. Give back() its memory.
  [[nodiscard]] Arrival take() {
    std::pop_heap(on_way_.begin(), on_way_.end(), &is_later);
    Arrival arrival = std::move(on_way_.back());
    on_way_.pop_back();
    return arrival;
  }
  void give_back(Arrival arrival) { spare_.push_back(std::move(arrival.bytes)); }

 private:
  static bool is_later(const Arrival& one, const Arrival& other) noexcept {
    return one.at != other.at ? one.at > other.at : one.order > other.order;
  }
  bool of_thousand(std::uint64_t times) noexcept {
    return times != 0 && random_.below(1000) < times;
  }
  void put(int to, std::string_view bytes, Nanos from) {
    Arrival arrival;
    if (!spare_.empty()) {
      arrival.bytes = std::move(spare_.back());
      spare_.pop_back();
    }
    arrival.bytes.assign(bytes);
    arrival.to = to;
    arrival.order = ++order_;
    arrival.at = from + weather_.delay + drawn(weather_.jitter);
    if (of_thousand(weather_.late)) arrival.at += drawn(weather_.lateness);
    if (!bytes.empty() && of_thousand(weather_.corrupted)) corrupt(arrival.bytes);
    on_way_.push_back(std::move(arrival));
    std::push_heap(on_way_.begin(), on_way_.end(), &is_later);
  }
  Nanos drawn(Nanos most) noexcept {
    return most == 0 ? 0 : static_cast<Nanos>(random_.below(static_cast<std::uint64_t>(most)));
  }
  /// Up to four bytes in a row, which a checksum of 32 bits finds always.
  void corrupt(std::string& bytes) noexcept {
    ++figures_.corrupted;
    const std::size_t count = 1 + random_.below(4);
    const std::size_t begin = random_.below(bytes.size());
    for (std::size_t at = begin; at < std::min(begin + count, bytes.size()); ++at)
      bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1 + random_.below(255)));
  }

  Random& random_;
  Weather weather_;
  Figures figures_;
  std::vector<Arrival> on_way_;
  std::vector<std::string> spare_;
  Nanos busy_until_[2] = {0, 0};  // NOLINT(modernize-avoid-c-arrays): one a way
  Nanos split_until_ = 0;
  std::uint64_t order_ = 0;
};

}  // namespace penstock::world
