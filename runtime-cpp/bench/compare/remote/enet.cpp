// The same over ENet.
#include <enet/enet.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/measure.hpp"
#include "remote/lossy.hpp"

namespace compare {
namespace {

constexpr enet_uint32 kLookMs = 20;

class Host {
 public:
  explicit Host(const ENetAddress* at) : host_(enet_host_create(at, 1, 1, 0, 0)) {
    if (host_ == nullptr) throw std::runtime_error("no ENet host");
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  ~Host() { enet_host_destroy(host_); }

  [[nodiscard]] ENetHost* get() const noexcept { return host_; }
  /// Sends what is queued; waits for something, and takes all that there is.
  template <class Take>
  void turn(Take&& take) {
    ENetEvent event;
    for (int got = enet_host_service(host_, &event, kLookMs); got > 0;
         got = enet_host_check_events(host_, &event)) {
      if (event.type == ENET_EVENT_TYPE_CONNECT) peer_ = event.peer;
      if (event.type != ENET_EVENT_TYPE_RECEIVE) continue;
      enet_packet_destroy(event.packet);
      take();
    }
  }
  void send(std::size_t bytes) {
    const std::string message(bytes, 'm');
    enet_peer_send(peer_, 0,
                   enet_packet_create(message.data(), message.size(), ENET_PACKET_FLAG_RELIABLE));
  }
  void flush() { enet_host_flush(host_); }
  [[nodiscard]] bool is_connected() const noexcept { return peer_ != nullptr; }

 private:
  ENetHost* host_;
  ENetPeer* peer_ = nullptr;
};

double rate(unsigned percent, std::size_t bytes, unsigned window) {
  if (enet_initialize() != 0) throw std::runtime_error("no ENet");
  ENetAddress any{};
  enet_address_set_host(&any, "127.0.0.1");
  Host there(&any);
  const Lossy between(there.get()->address.port, percent);
  std::atomic<bool> ends{false};
  std::thread server([&] {
    pin(1);
    while (!ends) {
      there.turn([&there] { there.send(kCallBytes); });
      there.flush();
    }
  });
  pin(0);
  Host here(nullptr);
  ENetAddress way = any;
  way.port = between.port();
  enet_host_connect(here.get(), &way, 1, 0);
  while (!here.is_connected()) here.turn([] {});
  const double per_second = rate_of([&](std::uint64_t& count) {
    std::uint64_t sent = 0;
    std::uint64_t done = 0;
    while (done < count) {
      for (; sent < count && sent - done < window; ++sent) here.send(bytes);
      here.flush();
      here.turn([&done] { ++done; });
    }
  });
  ends = true;
  server.join();
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

constexpr const char* kWhat = "a reliable channel; threads that sleep in its service function";
const Enter kCalls0({"reliable-udp/0", "enet", kWhat, &calls<0>});
const Enter kCalls1({"reliable-udp/1", "enet", kWhat, &calls<1>});
const Enter kCalls5({"reliable-udp/5", "enet", kWhat, &calls<5>});
const Enter kBytes0({"reliable-udp-bytes/0", "enet", kWhat, &megabytes<0>});
const Enter kBytes1({"reliable-udp-bytes/1", "enet", kWhat, &megabytes<1>});
const Enter kBytes5({"reliable-udp-bytes/5", "enet", kWhat, &megabytes<5>});

}  // namespace
}  // namespace compare
