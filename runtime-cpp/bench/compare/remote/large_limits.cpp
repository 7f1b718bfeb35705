// What memory allows with large buffers, and what a socket makes of them.
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <thread>

#include "harness/contender.hpp"
#include "remote/large.hpp"
#include "remote/to_and_fro.hpp"

namespace compare {
namespace {

template <std::size_t megabytes>
double copied() {
  pin(0);
  const Large from(megabytes * kMegabyte);
  const Large to(megabytes * kMegabyte);
  return rate_of(
      [&](std::uint64_t count) {
        for (std::uint64_t each = 0; each < count; ++each) {
          std::memcpy(to.bytes().data(), from.bytes().data(), from.bytes().size());
          keep(to);
        }
      },
      1);
}

template <std::size_t megabytes>
double read() {
  pin(1);
  const Large bytes(megabytes * kMegabyte);
  return rate_of(
      [&](std::uint64_t count) {
        for (std::uint64_t each = 0; each < count; ++each) keep(combined(bytes.bytes()));
      },
      1);
}

void send_all(int to, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) throw std::runtime_error("a connection over loopback took no more");
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
}

/// False: the other end is gone.
bool receive_all(int from, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = recv(from, bytes.data(), bytes.size(), 0);
    if (got <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

/// Sent as it lies, read into memory that was there before, and answered with the XOR of it.
template <std::size_t megabytes>
double sent() {
  const Ends ends = tcp_ends();
  std::thread server([&ends] {
    pin(1);
    const Large there(megabytes * kMegabyte);
    while (receive_all(ends[1], there.bytes())) {
      const std::uint64_t seen = combined(there.bytes());
      send_all(ends[1], std::as_bytes(std::span(&seen, 1)));
    }
  });
  pin(0);
  const Large here(megabytes * kMegabyte);
  const double rate = rate_of(
      [&](std::uint64_t count) {
        std::uint64_t seen = 0;
        for (std::uint64_t each = 0; each < count; ++each) {
          send_all(ends[0], here.bytes());
          if (!receive_all(ends[0], std::as_writable_bytes(std::span(&seen, 1))))
            throw std::runtime_error("a connection over loopback was closed");
        }
      },
      1);
  shutdown(ends[0], SHUT_RDWR);
  server.join();
  for (const int end : ends) close(end);
  return rate;
}

template <std::size_t megabytes>
struct EnterAll {
  EnterAll(std::string_view copied_row, std::string_view read_row) {
    const Enter one({copied_row, "limit-memcpy", "one memcpy", &copied<megabytes>});
    const Enter two({read_row, "limit-pass", "one pass over memory", &read<megabytes>});
    const Enter three({read_row, "tcp-nodelay",
                       "two threads, TCP on loopback with TCP_NODELAY, and a pass over what came",
                       &sent<megabytes>});
  }
};
const EnterAll<8> k8("buffer/8MB/copied", "buffer/8MB/read");
const EnterAll<64> k64("buffer/64MB/copied", "buffer/64MB/read");
const EnterAll<256> k256("buffer/256MB/copied", "buffer/256MB/read");

}  // namespace
}  // namespace compare
