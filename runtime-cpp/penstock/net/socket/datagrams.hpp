#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "penstock/net/layers/stacks.hpp"
#include "penstock/net/socket/carrier.hpp"
#include "penstock/net/socket/datagram_greeting.hpp"
#include "penstock/net/socket/descriptor.hpp"

namespace penstock::net {

/// A connected UDP socket, as the transport of a stack.
struct Udp {
  static constexpr std::size_t kMost = 1200;  ///< what gets through nearly everywhere
  int socket = -1;
  bool* refused = nullptr;  ///< that nobody has the other end's socket: the system says it once
  /// One that cannot be sent is lost, as others are.
  void send(std::string_view bytes) const noexcept;
};

/// A stream over datagrams, through layers that make it reliable. On the thread of its connection.
class Datagrams final : public Carrier {
 public:
  /// Of the end that connects: it asks at once. Throws std::bad_alloc, std::system_error.
  [[nodiscard]] static std::unique_ptr<Carrier> connect(const Descriptor& socket);
  /// Of the end that accepted the connection of that number. Throws std::bad_alloc.
  [[nodiscard]] static std::unique_ptr<Carrier> accept(const Descriptor& socket,
                                                       std::uint64_t number);
  Datagrams(const Descriptor& socket, std::uint64_t number) noexcept;
  ~Datagrams() override;

  void came(bool /*ends*/) noexcept override {}
  [[nodiscard]] ssize_t receive(char* to, std::size_t room) noexcept override;
  [[nodiscard]] ssize_t send(const char* from, std::size_t count) noexcept override;
  [[nodiscard]] std::string_view why() const noexcept override { return {}; }
  [[nodiscard]] bool has_times() const noexcept override { return true; }
  [[nodiscard]] Nanos next() const noexcept override;
  void due(Nanos now) noexcept override;

 private:
  using Made = layers::Stream<Udp>;
  static constexpr Nanos kFirstPause = 50'000'000;
  static constexpr Nanos kLongestPause = 1'000'000'000;

  void begin(Nanos now);
  void ask(Nanos now) noexcept;
  void say(DatagramGreeting::Kind kind) noexcept;
  void take(std::string_view datagram, Nanos now);
  void take(const DatagramGreeting& greeting, Nanos now);
  [[nodiscard]] ssize_t give(char* to, std::size_t room) noexcept;
  [[nodiscard]] bool is_over() noexcept;
  /// Nobody is there any more: ECONNREFUSED, ETIMEDOUT; 0: as far as is known.
  [[nodiscard]] int broken() const noexcept;

  const int socket_;
  const std::uint64_t number_;
  const bool connects_;
  DatagramGreeting::Cookie cookie_{};
  Nanos ask_at_ = 0;  // again
  Nanos pause_ = kFirstPause;
  Nanos asked_ = 0;
  bool ended_ = false;
  bool refused_ = false;
  std::optional<Made> stack_;  // once both ends know of each other
  std::string came_;           // of the stream, that was not received yet
  std::size_t taken_ = 0;      // of that

  Datagrams(const Descriptor& socket, std::uint64_t number, bool connects) noexcept
      : socket_(socket.number()), number_(number), connects_(connects) {}
};

/// Takes those who connect to a UDP socket that listens, each with a socket of its own, connected,
/// at the same address. It keeps nothing of anybody who has not shown that it is at its address. On
/// one thread.
class DatagramDoor {
 public:
  /// Throws std::system_error.
  DatagramDoor();

  /// The next one; none open: errno says why, EAGAIN that nobody is there now.
  [[nodiscard]] Descriptor accept_from(const Descriptor& listening, std::uint64_t& number) noexcept;

 private:
  [[nodiscard]] bool is_new(std::uint64_t number) noexcept;

  DatagramCookies cookies_;
  // Of those taken last: who has asked twice before the first was read is not taken twice. More
  // than can wait in a socket.
  std::array<std::uint64_t, 1024> taken_{};
  std::size_t next_ = 0;
};

}  // namespace penstock::net
