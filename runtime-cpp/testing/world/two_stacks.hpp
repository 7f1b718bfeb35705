#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "penstock/base/time.hpp"
#include "world/network.hpp"
#include "world/random.hpp"

namespace penstock::world {

/// The transport of an end of a Network, of datagrams of up to so many bytes.
template <std::size_t most>
struct OnNetwork {
  static constexpr std::size_t kMost = most;
  Network* network = nullptr;
  int end = 0;
  const Nanos* now = nullptr;

  void send(std::string_view bytes) const { network->send(end, bytes, *now); }
};

/// What a stack promises of messages.
struct Promises {
  bool all = false;
  bool once = false;
  bool in_order = false;
  std::size_t memory = 0;  ///< bytes at most, an end
};

/// Two stacks that send each other messages over a network, in virtual time.
template <class Stack>
class TwoStacks {
 public:
  /// `make(end, transport, now)` makes one of them.
  template <class Make>
  TwoStacks(Network& network, const Promises& promises, Make make)
      : network_(network),
        promises_(promises),
        stacks_{make(0, transport(0), now_), make(1, transport(1), now_)} {}

  Stack& stack(int end) noexcept { return stacks_[static_cast<std::size_t>(end)]; }
  [[nodiscard]] Nanos now() const noexcept { return now_; }
  [[nodiscard]] std::size_t came(int end) const noexcept { return ways_[end].came; }

  /// To be sent by `end` at that time, or as soon as it can.
  void plan(int end, std::size_t bytes, Nanos at) { ways_[1 - end].planned.push_back({at, bytes}); }
  /// Something that happens to the network then, and not before what was planned for it before.
  void at(Nanos when, std::function<void(Network&)> change) {
    changes_.push_back({when, std::move(change)});
  }

  /// Until nothing happens any more, or `until`: what is wrong then. Empty: nothing.
  std::string run(Nanos until) {
    change_weather();
    send();
    for (std::uint64_t steps = 0; failure_.empty(); ++steps) {
      const Nanos next = next_event();
      if (next == 0 || next > until) break;
      if (steps == kMostSteps) return "they come to no rest";
      now_ = std::max(now_, next);
      change_weather();
      send();
      if (network_.next() != 0 && network_.next() <= now_) {
        Network::Arrival arrival = network_.take();
        const int end = arrival.to;
        stack(end).receive(arrival.bytes, now_,
                           [&](std::string_view message) { take(end, message); });
        network_.give_back(std::move(arrival));
      }
      for (int end : {0, 1}) {
        const Nanos due = stack(end).next();
        if (due != 0 && due <= now_ && !(network_.next() != 0 && network_.next() <= now_))
          stack(end).timer(now_, [&](std::string_view message) { take(end, message); });
        if (promises_.memory != 0 && stack(end).memory() > promises_.memory)
          return "it holds " + std::to_string(stack(end).memory()) + " bytes";
      }
    }
    if (!failure_.empty()) return failure_;
    for (int end : {0, 1}) {
      const Way& way = ways_[end];
      if (promises_.all && way.came != way.planned.size())
        return "of " + std::to_string(way.planned.size()) + " messages to " + std::to_string(end) +
               " came " + std::to_string(way.came) + ", at " + std::to_string(now_ / 1'000'000) +
               " ms";
    }
    return {};
  }

 private:
  static constexpr std::uint64_t kMostSteps = 2'000'000;
  struct Planned {
    Nanos at = 0;
    std::size_t bytes = 0;
    bool came = false;
  };
  struct Way {
    std::vector<Planned> planned;
    std::size_t sent = 0;
    std::size_t came = 0;
    std::size_t next = 0;  // after the last one that came
  };
  struct Change {
    Nanos at = 0;
    std::function<void(Network&)> change;
  };

  using Transport = std::remove_reference_t<decltype(std::declval<Stack&>().transport())>;
  Transport transport(int end) { return {&network_, end, &now_}; }

  [[nodiscard]] Nanos next_event() noexcept {
    Nanos first = network_.next();
    const auto take = [&first](Nanos at) {
      if (at != 0 && (first == 0 || at < first)) first = at;
    };
    for (Stack& each : stacks_) take(each.next());
    if (changed_ != changes_.size()) take(changes_[changed_].at);
    for (const Way& way : ways_)
      if (way.sent != way.planned.size() && way.planned[way.sent].at > now_)
        take(way.planned[way.sent].at);
    return first;
  }
  void change_weather() {
    for (; changed_ != changes_.size() && changes_[changed_].at <= now_; ++changed_)
      changes_[changed_].change(network_);
  }
  void send() {
    for (int end : {0, 1}) {
      Way& way = ways_[1 - end];
      while (way.sent != way.planned.size() && way.planned[way.sent].at <= now_) {
        message_.resize(way.planned[way.sent].bytes);
        fill(message_, way.sent);
        if (!stack(end).send(message_, now_)) break;
        ++way.sent;
      }
    }
  }
  // Its number, then bytes that follow from it.
  static void fill(std::string& message, std::size_t number) {
    for (std::size_t at = 0; at < message.size(); ++at)
      message[at] = at < 4 ? static_cast<char>(number >> (8 * at))
                           : static_cast<char>(number * 31 + at * 7 + at / 251);
  }
  void take(int end, std::string_view message) {
    Way& way = ways_[end];
    std::size_t number = 0;
    for (std::size_t at = 0; at < std::min<std::size_t>(4, message.size()); ++at)
      number |= std::size_t{static_cast<unsigned char>(message[at])} << (8 * at);
    expected_.resize(message.size());
    fill(expected_, number);
    if (number >= way.sent || way.planned[number].bytes != message.size() || expected_ != message)
      return fail("came and was not sent", number);
    Planned& planned = way.planned[number];
    if (promises_.once && planned.came) return fail("came twice", number);
    if (promises_.in_order && number < way.next) return fail("came after a later one", number);
    way.next = number + 1;
    if (!planned.came) ++way.came;
    planned.came = true;
  }
  void fail(const char* what, std::size_t number) {
    if (failure_.empty())
      failure_ = "message " + std::to_string(number) + ' ' + what + ", at " +
                 std::to_string(now_ / 1'000'000) + " ms";
  }

  Network& network_;
  Promises promises_;
  Nanos now_ = 1'000'000'000;
  std::array<Stack, 2> stacks_;
  std::array<Way, 2> ways_;  // by the end where they come
  std::vector<Change> changes_;
  std::size_t changed_ = 0;
  std::string message_;
  std::string expected_;
  std::string failure_;
};

}  // namespace penstock::world
