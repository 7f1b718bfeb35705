// ZeroMQ over TCP and over Unix sockets: a DEALER at each end, and its thread for the sockets.
#include <unistd.h>
#include <zmq.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/measure.hpp"

namespace compare {
namespace {

constexpr std::size_t kMessage = 32;

/// A socket of a context of its own, as two processes have them.
class Socket {
 public:
  Socket() : context_(zmq_ctx_new()), socket_(zmq_socket(context_, ZMQ_DEALER)) {
    const int none = 0;
    zmq_setsockopt(socket_, ZMQ_LINGER, &none, sizeof none);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() {
    zmq_close(socket_);
    zmq_ctx_term(context_);
  }
  /// At any port, or name; gives the address.
  [[nodiscard]] std::string listen(const char* address) {
    if (zmq_bind(socket_, address) != 0) fail();
    std::array<char, 256> bound{};
    std::size_t size = bound.size();
    if (zmq_getsockopt(socket_, ZMQ_LAST_ENDPOINT, bound.data(), &size) != 0) fail();
    return bound.data();
  }
  void connect(const std::string& address) {
    if (zmq_connect(socket_, address.c_str()) != 0) fail();
  }
  void send(const void* bytes, std::size_t size) {
    if (zmq_send(socket_, bytes, size, 0) < 0) fail();
  }
  [[nodiscard]] std::size_t receive(std::array<char, kMessage>& bytes) {
    const int size = zmq_recv(socket_, bytes.data(), bytes.size(), 0);
    if (size < 0) fail();
    return static_cast<std::size_t>(size);
  }

 private:
  [[noreturn]] static void fail() { throw std::runtime_error(zmq_strerror(zmq_errno())); }
  void* context_;
  void* socket_;
};

template <unsigned window>
double to_and_fro(const char* address) {
  Socket there;
  const std::string bound = there.listen(address);
  std::thread server([&there] {
    pin(1);
    std::array<char, kMessage> bytes{};
    // An empty message ends it.
    while (const std::size_t size = there.receive(bytes)) there.send(bytes.data(), size);
  });
  pin(0);
  Socket here;
  here.connect(bound);
  std::array<char, kMessage> bytes{};
  const double rate = rate_of([&](std::uint64_t& count) {
    std::uint64_t sent = 0;
    for (; sent < window; ++sent) here.send(bytes.data(), bytes.size());
    for (std::uint64_t done = 0; done < sent; ++done) {
      static_cast<void>(here.receive(bytes));
      if (sent >= count) continue;
      here.send(bytes.data(), bytes.size());
      ++sent;
    }
    count = sent;
  });
  here.send("", 0);
  server.join();
  return rate;
}

constexpr const char* kTcp = "tcp://127.0.0.1:*";
constexpr const char* kUnix = "ipc://*";

const Enter kTcpOne({"remote-call/tcp/park", "zeromq", "a DEALER at each end",
                     [] { return to_and_fro<1>(kTcp); }});
const Enter kTcpOutstanding({"remote-call/tcp-64", "zeromq", "a DEALER at each end",
                             [] { return to_and_fro<64>(kTcp); }});
const Enter kUnixOne({"remote-call/unix/park", "zeromq", "a DEALER at each end",
                      [] { return to_and_fro<1>(kUnix); }});
const Enter kUnixOutstanding({"remote-call/unix-64", "zeromq", "a DEALER at each end",
                              [] { return to_and_fro<64>(kUnix); }});

}  // namespace
}  // namespace compare
