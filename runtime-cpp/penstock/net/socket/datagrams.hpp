#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "penstock/net/layers/stacks.hpp"
#include "penstock/net/socket/carrier.hpp"
#include "penstock/net/socket/datagram_greeting.hpp"
#include "penstock/net/socket/descriptor.hpp"
#include "penstock/net/socket/security.hpp"

namespace penstock::net {

/// A connected UDP socket, as the transport of a stack.
struct Udp {
  static constexpr std::size_t kMost = 1200;  ///< what gets through nearly everywhere
  int socket = -1;
  bool* refused = nullptr;  ///< that nobody has the other end's socket: the system says it once
  /// One that cannot be sent is lost, as others are.
  void send(std::string_view bytes) const noexcept;
};

/// A stream over datagrams, through layers that make it reliable; with a handshake also secret,
/// both ends known by their keys. On the thread of its connection.
class Datagrams final : public Carrier {
 public:
  /// Of the end that connects: it asks at once. The other one is lost when there is no word of it
  /// for `lost` nanoseconds while something is under way. Throws std::bad_alloc, std::system_error.
  [[nodiscard]] static std::unique_ptr<Carrier> connect(
      const Descriptor& socket, Nanos lost, std::unique_ptr<Handshake> handshake = nullptr);
  /// Of the end that accepted the connection of that number, whose door has said so. Throws
  /// std::bad_alloc.
  [[nodiscard]] static std::unique_ptr<Carrier> accept(
      const Descriptor& socket, std::uint64_t number, Nanos lost,
      std::unique_ptr<Handshake> handshake = nullptr);
  ~Datagrams() override;

  void came(bool /*ends*/) noexcept override {}
  [[nodiscard]] ssize_t receive(char* to, std::size_t room) noexcept override;
  [[nodiscard]] ssize_t send(const char* from, std::size_t count) noexcept override;
  [[nodiscard]] std::string_view why() const noexcept override {
    return handshake_ ? handshake_->why() : std::string_view();
  }
  [[nodiscard]] bool is_secured() const noexcept override { return handshake_ != nullptr; }
  [[nodiscard]] std::string peer() const override {
    return handshake_ ? handshake_->peer() : std::string();
  }
  [[nodiscard]] bool is_through() const noexcept override;
  [[nodiscard]] bool has_times() const noexcept override { return true; }
  [[nodiscard]] Nanos next() const noexcept override;
  void due(Nanos now) noexcept override;
  [[nodiscard]] std::optional<SentPackets> sent_packets() const noexcept override;

 private:
  using Clear = layers::Stream<Udp>;
  using Secret = layers::SealedStream<Udp>;
  static constexpr Nanos kFirstPause = 50'000'000;
  static constexpr Nanos kLongestPause = 1'000'000'000;
  /// A handshake takes four; who says more is nobody, and is not kept in memory.
  static constexpr std::uint64_t kMostOfHandshake = 64;
  /// Datagrams at once that bring nothing: anybody can send them without end, and others of this
  /// thread have their turn.
  static constexpr unsigned kMostInVain = 100;

  Datagrams(const Descriptor& socket, std::uint64_t number, bool connects, Nanos lost,
            std::unique_ptr<Handshake> handshake) noexcept
      : socket_(socket.number()),
        number_(number),
        connects_(connects),
        lost_(lost),
        handshake_(std::move(handshake)) {}

  void begin(Nanos now);
  void seal(Nanos now);
  void ask(Nanos now) noexcept;
  void say(DatagramGreeting::Kind kind) noexcept;
  void say_handshake(Nanos now);
  void take(std::string_view datagram, Nanos now);
  void take(const DatagramGreeting& greeting, Nanos now);
  void take_handshake(std::string_view datagram, Nanos now);
  [[nodiscard]] ssize_t give(char* to, std::size_t room) noexcept;
  [[nodiscard]] bool is_over() noexcept;
  /// Nobody is there any more: ECONNREFUSED, ETIMEDOUT; EPROTO: why(); 0: as far as is known.
  [[nodiscard]] int broken() const noexcept;
  template <class Ask>
  [[nodiscard]] bool any_stack(Ask ask) const noexcept {
    return (clear_ && ask(clear_->layer<layers::Delivery>())) ||
           (secret_ && ask(secret_->layer<layers::Delivery>()));
  }

  const int socket_;
  const std::uint64_t number_;
  const bool connects_;
  const Nanos lost_;
  DatagramGreeting::Cookie cookie_{};
  Nanos ask_at_ = 0;  // again
  Nanos pause_ = kFirstPause;
  Nanos asked_ = 0;
  bool ended_ = false;
  bool refused_ = false;
  bool is_new_ = false;  // what waits for it can be sent
  bool more_ = false;    // was left in the socket
  bool doubts_ = false;  // it has asked whether the other end still has it
  // Once both ends know of each other. Of one with a handshake that goes over it; until, at the end
  // that connected, the other one has shown that it has all of it.
  std::optional<Clear> clear_;
  const std::unique_ptr<Handshake> handshake_;
  std::optional<Secret> secret_;  // with the keys of the handshake
  std::string came_;              // of the stream, that was not received yet
  std::size_t taken_ = 0;         // of that
};

}  // namespace penstock::net
