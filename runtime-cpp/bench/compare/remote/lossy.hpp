#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <thread>

#include "world/random.hpp"

namespace compare {

/// A socket of datagrams at any port of loopback.
inline int udp_socket(std::uint16_t& port) {
  const int made = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const int room = 1 << 20;
  if (made < 0 || bind(made, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      getsockname(made, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("no socket of datagrams");
  setsockopt(made, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  port = ntohs(address.sin_port);
  return made;
}

inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

/// A thread between who sends to its port and the port `to`, which loses so many datagrams in a
/// hundred each way, drawn from a fixed seed.
class Lossy {
 public:
  Lossy(std::uint16_t to, unsigned percent) : percent_(percent) {
    std::uint16_t back_port = 0;
    front_ = udp_socket(port_);
    back_ = udp_socket(back_port);
    const sockaddr_in there = loopback(to);
    if (connect(back_, reinterpret_cast<const sockaddr*>(&there), sizeof there) != 0)
      throw std::runtime_error("no way to the other end");
    thread_ = std::thread([this] { forward(); });
  }
  Lossy(const Lossy&) = delete;
  Lossy& operator=(const Lossy&) = delete;
  ~Lossy() {
    ends_ = true;
    thread_.join();
    close(front_);
    close(back_);
  }
  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

 private:
  static constexpr int kLookMs = 20;

  void forward() {
    penstock::world::Random random(1);
    const auto goes = [&] { return random.below(100) >= percent_; };
    sockaddr_in here{};
    std::array<pollfd, 2> both{pollfd{front_, POLLIN, 0}, pollfd{back_, POLLIN, 0}};
    std::array<char, 65'536> bytes;  // NOLINT: written before it is read
    while (!ends_) {
      if (poll(both.data(), both.size(), kLookMs) <= 0) continue;
      socklen_t size = sizeof here;
      ssize_t count = 0;
      while ((count = recvfrom(front_, bytes.data(), bytes.size(), MSG_DONTWAIT,
                               reinterpret_cast<sockaddr*>(&here), &size)) >= 0)
        if (goes()) send(back_, bytes.data(), static_cast<std::size_t>(count), 0);
      while ((count = recv(back_, bytes.data(), bytes.size(), MSG_DONTWAIT)) >= 0)
        if (goes())
          sendto(front_, bytes.data(), static_cast<std::size_t>(count), 0,
                 reinterpret_cast<sockaddr*>(&here), sizeof here);
    }
  }

  const unsigned percent_;
  std::uint16_t port_ = 0;
  int front_ = -1;
  int back_ = -1;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

/// Bytes of a call and its answer, and of a message of a stream of them.
inline constexpr std::size_t kCallBytes = 32;
inline constexpr std::size_t kStreamBytes = 16'384;
/// Messages of a stream that are under way.
inline constexpr unsigned kStreamWindow = 32;

}  // namespace compare
