#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "penstock/base/time.hpp"
#include "penstock/net/layers/packet.hpp"

namespace penstock::net::layers {

/// Layers over a transport of datagrams, the first one next to it. All is composed when it is
/// compiled: no call of a layer is virtual. Without a clock or a socket: it is given datagrams and
/// the time. One thread.
///
/// A transport has `kMost`, the bytes of its largest datagram, and `send(bytes)`, which may lose
/// them. A layer has `kHeader`, the most bytes that it puts before others; `send(packet, at)`,
/// false where it does not take it now, which changes nothing; `receive(bytes, at)`; `timer(at)`,
/// to be called at `next()` (0: never); `room(below)`, how many packets it takes now where the one
/// below takes so many; and `memory()`, bytes that it holds. `at` is an At of its place: its
/// neighbours. What comes in is another end's: a layer checks it, and drops and counts what no end
/// sends.
template <class Transport, class... Layers>
class Stack {
  static constexpr std::size_t kLayers = sizeof...(Layers);
  static constexpr std::array<std::size_t, kLayers> kHeaders{Layers::kHeader...};
  static constexpr std::size_t headers_below(std::size_t place) {
    std::size_t sum = 0;
    for (std::size_t at = 0; at < place; ++at) sum += kHeaders[at];
    return sum;
  }
  using Top = std::tuple_element_t<kLayers - 1, std::tuple<Layers...>>;

 public:
  /// Where a layer is: what is below and above it, and the time.
  template <class User, std::size_t place>
  class At {
   public:
    /// Room that a packet for send() has before its bytes.
    static constexpr std::size_t kHeadroom = headers_below(place);
    /// Bytes of the largest packet for send().
    static constexpr std::size_t kMost = Transport::kMost - kHeadroom;

    At(Stack& stack, User& user, Nanos now) noexcept : stack_(stack), user_(user), now_(now) {}

    [[nodiscard]] Nanos now() const noexcept { return now_; }
    /// To the layer below.
    bool send(Packet packet) const {
      if constexpr (place == 0) {
        stack_.transport_.send(packet.bytes());
        return true;
      } else {
        return stack_.layer<place - 1>().send(packet, At<User, place - 1>(stack_, user_, now_));
      }
    }
    /// To the layer above.
    void receive(std::string_view bytes) const {
      if constexpr (place + 1 == kLayers) {
        user_(bytes);
      } else {
        stack_.layer<place + 1>().receive(bytes, At<User, place + 1>(stack_, user_, now_));
      }
    }
    /// Packets that the layer below takes now.
    [[nodiscard]] std::size_t room() const noexcept { return stack_.room_at<place>(); }

   private:
    Stack& stack_;
    User& user_;
    Nanos now_;
  };

  explicit Stack(Transport transport, Layers... layers)
      : transport_(std::move(transport)), layers_(std::move(layers)...) {}

  /// Bytes of the largest message.
  static constexpr std::size_t most() noexcept {
    using Below = At<Nobody, kLayers - 1>;
    if constexpr (requires { Top::template most<Below>(); }) {
      return Top::template most<Below>();
    } else {
      return Below::kMost - Top::kHeader;
    }
  }

  /// False: not now, or it is larger than most(). Throws std::bad_alloc, having sent nothing.
  [[nodiscard]] bool send(std::string_view message, Nanos now) {
    if (message.size() > most()) return false;
    Nobody nobody;
    const At<Nobody, kLayers - 1> at(*this, nobody, now);
    if constexpr (requires(Top& top) { top.send(message, at); }) {
      return std::get<kLayers - 1>(layers_).send(message, at);
    } else {
      std::array<char, Transport::kMost> bytes;  // NOLINT: what is used of it is written first
      char* const begin = bytes.data() + headers_below(kLayers);
      if (!message.empty()) std::memcpy(begin, message.data(), message.size());
      return std::get<kLayers - 1>(layers_).send(Packet{begin, message.size()}, at);
    }
  }
  /// A datagram has come. `user(message)` is called for each message that is complete by it; it may
  /// send(). Throws std::bad_alloc where a packet could not be kept: then the stack is to be given
  /// up.
  template <class User>
  void receive(std::string_view datagram, Nanos now, User&& user) {
    std::get<0>(layers_).receive(datagram, At<std::remove_reference_t<User>, 0>(*this, user, now));
  }
  /// When to call timer(); 0: never.
  [[nodiscard]] Nanos next() const noexcept {
    Nanos first = 0;
    const auto take = [&first](Nanos at) {
      if (at != 0 && (first == 0 || at < first)) first = at;
    };
    std::apply([&](const Layers&... each) { (take(each.next()), ...); }, layers_);
    return first;
  }
  /// As receive(); also where nothing is due.
  template <class User>
  void timer(Nanos now, User&& user) {
    each_timer(now, user, std::make_index_sequence<kLayers>());
  }
  /// Messages of one packet that send() takes now.
  [[nodiscard]] std::size_t room() const noexcept { return room_at<kLayers>(); }
  /// Bytes that its layers hold, that is which they have allocated.
  [[nodiscard]] std::size_t memory() const noexcept {
    return std::apply([](const Layers&... each) { return (each.memory() + ...); }, layers_);
  }

  /// Says to the other end that this one ends, of a stack with a Delivery.
  template <class Layer>
  void end(Nanos now) {
    Nobody nobody;
    layer<Layer>().end(At<Nobody, place_of<Layer>()>(*this, nobody, now));
  }

  [[nodiscard]] Transport& transport() noexcept { return transport_; }
  template <std::size_t place>
  [[nodiscard]] auto& layer() noexcept {
    return std::get<place>(layers_);
  }
  template <class Layer>
  [[nodiscard]] Layer& layer() noexcept {
    return std::get<Layer>(layers_);
  }
  template <class Layer>
  [[nodiscard]] const Layer& layer() const noexcept {
    return std::get<Layer>(layers_);
  }

 private:
  /// Above a send, from which nothing goes up.
  struct Nobody {
    void operator()(std::string_view /*message*/) const noexcept {}
  };

  template <class Layer>
  static constexpr std::size_t place_of() noexcept {
    std::size_t place = 0;
    static_cast<void>(((std::is_same_v<Layer, Layers> || (++place, false)) || ...));
    return place;
  }
  template <std::size_t place>
  [[nodiscard]] std::size_t room_at() const noexcept {
    if constexpr (place == 0) {
      return static_cast<std::size_t>(-1);
    } else {
      return std::get<place - 1>(layers_).room(room_at<place - 1>());
    }
  }
  template <class User, std::size_t... places>
  void each_timer(Nanos now, User& user, std::index_sequence<places...> /*all*/) {
    (std::get<places>(layers_).timer(At<User, places>(*this, user, now)), ...);
  }

  Transport transport_;
  std::tuple<Layers...> layers_;
};

}  // namespace penstock::net::layers
