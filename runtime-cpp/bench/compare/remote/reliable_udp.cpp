// Messages over UDP through a stack of layers, with a network that loses some between both ends.
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <string>
#include <thread>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/measure.hpp"
#include "penstock/base/time.hpp"
#include "penstock/net/layers/stacks.hpp"
#include "remote/lossy.hpp"

namespace compare {
namespace {

using namespace penstock::net::layers;
using penstock::Nanos;
using penstock::now_ns;

/// To whoever it has heard of last.
struct Socket {
  static constexpr std::size_t kMost = 1200;
  int socket;
  sockaddr_in* to;
  void send(std::string_view bytes) const {
    sendto(socket, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(to),
           sizeof *to);
  }
};

/// One end, on its thread.
class End {
 public:
  End(int socket, sockaddr_in to)
      : socket_(socket),
        to_(to),
        stack_(Socket{socket, &to_}, Checksum(), Delivery(Socket::kMost, {}, now_ns()),
               Ordering({}), Slicing<>()) {}
  End(const End&) = delete;
  End& operator=(const End&) = delete;

  [[nodiscard]] bool send(std::string_view message) { return stack_.send(message, now_ns()); }
  /// Sleeps until something comes or is due, 20 ms at most; takes what there is.
  template <class Take>
  void turn(Take&& take) {
    const Nanos next = stack_.next();
    const Nanos now = now_ns();
    const Nanos wait = next == 0 ? kLook : std::min(kLook, std::max<Nanos>(next - now, 0));
    const timespec time{0, wait};
    pollfd ready{socket_, POLLIN, 0};
    if (ppoll(&ready, 1, &time, nullptr) > 0) {
      std::array<char, 2 * Socket::kMost> bytes;  // NOLINT: written before it is read
      socklen_t size = sizeof to_;
      for (ssize_t count = 0; (count = recvfrom(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT,
                                                reinterpret_cast<sockaddr*>(&to_), &size)) >= 0;)
        stack_.receive({bytes.data(), static_cast<std::size_t>(count)}, now_ns(), take);
    }
    if (stack_.next() != 0 && stack_.next() <= now_ns()) stack_.timer(now_ns(), take);
  }

 private:
  static constexpr Nanos kLook = 20'000'000;
  int socket_;
  sockaddr_in to_;
  ReliableOrdered<Socket> stack_;
};

/// `bytes` go, and a message of kCallBytes comes back; so many at a time.
double rate(unsigned percent, std::size_t bytes, unsigned window) {
  std::uint16_t server_port = 0;
  std::uint16_t client_port = 0;
  const int server_socket = udp_socket(server_port);
  const int client_socket = udp_socket(client_port);
  const Lossy between(server_port, percent);
  std::atomic<bool> ends{false};
  std::thread server([&] {
    pin(1);
    End there(server_socket, {});
    const std::string answer(kCallBytes, 'a');
    std::uint64_t owed = 0;
    while (!ends) {
      there.turn([&owed](std::string_view) { ++owed; });
      while (owed != 0 && there.send(answer)) --owed;
    }
  });
  pin(0);
  End here(client_socket, loopback(between.port()));
  const std::string request(bytes, 'r');
  const double per_second = rate_of([&](std::uint64_t& count) {
    std::uint64_t sent = 0;
    std::uint64_t done = 0;
    while (done < count) {
      while (sent < count && sent - done < window && here.send(request)) ++sent;
      here.turn([&done](std::string_view) { ++done; });
    }
  });
  ends = true;
  server.join();
  close(server_socket);
  close(client_socket);
  return per_second;
}

template <unsigned percent>
double calls() {
  return rate(percent, kCallBytes, 1);
}
template <unsigned percent>
double megabytes() {
  return rate(percent, kStreamBytes, kStreamWindow) * static_cast<double>(kStreamBytes) / 1e6;
}

constexpr const char* kWhat = "layers over UDP; threads that sleep in poll";
const Enter kCalls0({"reliable-udp/0", "penstock", kWhat, &calls<0>});
const Enter kCalls1({"reliable-udp/1", "penstock", kWhat, &calls<1>});
const Enter kCalls5({"reliable-udp/5", "penstock", kWhat, &calls<5>});
const Enter kBytes0({"reliable-udp-bytes/0", "penstock", kWhat, &megabytes<0>});
const Enter kBytes1({"reliable-udp-bytes/1", "penstock", kWhat, &megabytes<1>});
const Enter kBytes5({"reliable-udp-bytes/5", "penstock", kWhat, &megabytes<5>});

}  // namespace
}  // namespace compare
