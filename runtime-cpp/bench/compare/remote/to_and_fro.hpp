#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <thread>

#include "harness/cpus.hpp"
#include "harness/measure.hpp"

// Two threads that pass messages to and fro over a connection, with neither a queue nor a call
// behind them.

namespace compare {

/// About the size that ours have on the wire.
inline constexpr std::size_t kMessage = 32;
inline constexpr std::size_t kMost = 64;

using Ends = std::array<int, 2>;

/// Over loopback; what is written leaves at once.
inline Ends tcp_ends() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const at = reinterpret_cast<sockaddr*>(&address);
  const int listens = socket(AF_INET, SOCK_STREAM, 0);
  const int connects = socket(AF_INET, SOCK_STREAM, 0);
  if (listens < 0 || connects < 0 || bind(listens, at, size) != 0 || listen(listens, 1) != 0 ||
      getsockname(listens, at, &size) != 0 || connect(connects, at, size) != 0)
    throw std::runtime_error("no connection over loopback");
  const Ends ends{connects, accept(listens, nullptr, nullptr)};
  close(listens);
  const int yes = 1;
  for (const int end : ends) setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return ends;
}

/// Whole messages, as many as there are; 0: the other end is gone. `rest` are the bytes of one that
/// has not come whole.
template <class Stream>
std::size_t receive_from(Stream& stream, std::size_t& rest) {
  for (;;) {
    const auto got = stream.receive();
    if (got <= 0) return 0;
    rest += static_cast<std::size_t>(got);
    const std::size_t messages = rest / kMessage;
    rest %= kMessage;
    if (messages != 0) return messages;
  }
}

/// So many messages under way; what came is answered with one write. A `Stream` is made on its
/// thread, of one end: of the one that connected, or the other.
template <class Stream, std::size_t window>
double to_and_fro(const Ends& ends) {
  std::thread server([&ends] {
    pin(1);
    Stream there(ends[1], false);
    std::size_t rest = 0;
    while (const std::size_t messages = receive_from(there, rest)) there.send(messages);
  });
  pin(0);
  Stream here(ends[0], true);
  std::size_t rest = 0;
  const double rate = rate_of([&here, &rest](std::uint64_t& count) {
    here.send(window);
    std::uint64_t done = 0;
    std::uint64_t sent = window;
    while (done < sent) {
      const std::size_t came = receive_from(here, rest);
      done += came;
      if (sent >= count) continue;
      here.send(came);
      sent += came;
    }
    count = done;
  });
  here.end();
  server.join();
  return rate;
}

}  // namespace compare
