// What sockets do by themselves: numbers with nothing around them, written as they come together,
// up to 64 KiB at once; the source waits for all of its sockets, each node for its own one.
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

#include "remote/to_and_fro.hpp"
#include "streaming/nodes.hpp"

namespace compare {
namespace {

/// The bytes of a number, which are about those of ours, and of what says that it was counted.
constexpr std::size_t kCall = 8;
constexpr std::size_t kAnswer = 1;
constexpr std::size_t kBatch = (std::size_t{64} << 10U) / kCall;

/// Counts what comes, one by one, and says so.
void count_until_end(int socket) {
  std::vector<char> in(kBatch * kCall);
  const std::vector<char> out(kBatch * kAnswer);
  std::size_t rest = 0;
  for (;;) {
    const ssize_t got = recv(socket, in.data() + rest, in.size() - rest, 0);
    if (got <= 0) break;
    const std::size_t bytes = rest + static_cast<std::size_t>(got);
    const std::size_t calls = bytes / kCall;
    for (std::size_t call = 0; call < calls; ++call) {
      std::int64_t number = 0;
      std::memcpy(&number, in.data() + call * kCall, sizeof number);
      keep(number);
    }
    rest = bytes % kCall;
    std::memmove(in.data(), in.data() + calls * kCall, rest);
    if (calls != 0 && send(socket, out.data(), calls * kAnswer, MSG_NOSIGNAL) < 0) break;
  }
  close(socket);
}

/// The source's end of a connection to a node.
struct Node {
  int socket = -1;
  std::size_t to_write = 0;  // bytes of calls that it is owed
  std::size_t came = 0;      // bytes of answers
  std::uint64_t under_way = 0;
};

class Source {
 public:
  explicit Source(unsigned nodes) : nodes_(nodes) {
    for (Node& node : nodes_) {
      const Ends ends = tcp_ends();
      node.socket = ends[0];
      fcntl(node.socket, F_SETFL, O_NONBLOCK);
      epoll_event event{};
      event.events = EPOLLIN | EPOLLOUT | EPOLLET;
      event.data.ptr = &node;
      if (epoll_ctl(epoll_, EPOLL_CTL_ADD, node.socket, &event) != 0)
        throw std::runtime_error("a socket cannot be waited for");
      threads_.emplace_back([end = ends[1]] {
        pin(1);
        count_until_end(end);
      });
    }
    pin(0);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source() {
    for (const Node& node : nodes_) shutdown(node.socket, SHUT_RDWR);
    for (std::thread& thread : threads_) thread.join();
    for (const Node& node : nodes_) close(node.socket);
    close(epoll_);
  }

  void stream(std::uint64_t count) {
    left_ = count;
    std::uint64_t under_way = 0;
    for (Node& node : nodes_) under_way += fill(node);
    std::array<epoll_event, 64> events{};
    while (under_way != 0) {
      const int ready = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
      for (int at = 0; at < ready; ++at) {
        Node& node = *static_cast<Node*>(events[static_cast<std::size_t>(at)].data.ptr);
        under_way -= counted(node);
        under_way += fill(node);
      }
    }
  }

 private:
  /// Numbers that the node has counted meanwhile.
  std::uint64_t counted(Node& node) {
    std::uint64_t calls = 0;
    for (;;) {
      const ssize_t got = recv(node.socket, in_.data(), in_.size(), 0);
      if (got <= 0) break;
      node.came += static_cast<std::size_t>(got);
      calls += node.came / kAnswer;
      node.came %= kAnswer;
      if (static_cast<std::size_t>(got) < in_.size()) break;
    }
    node.under_way -= calls;
    return calls;
  }
  /// Sends it as many as it may have; how many those are.
  std::uint64_t fill(Node& node) {
    const std::uint64_t more = std::min<std::uint64_t>(left_, kBatch - node.under_way);
    left_ -= more;
    node.under_way += more;
    node.to_write += more * kCall;
    while (node.to_write != 0) {
      const ssize_t put = send(node.socket, out_.data(), node.to_write, MSG_NOSIGNAL);
      if (put < 0) {
        if (errno == EAGAIN) break;
        throw std::runtime_error("a socket broke");
      }
      node.to_write -= static_cast<std::size_t>(put);
    }
    return more;
  }

  int epoll_ = epoll_create1(0);
  std::vector<Node> nodes_;
  std::vector<std::thread> threads_;
  std::uint64_t left_ = 0;
  std::vector<char> out_ = std::vector<char>(kBatch * kCall);
  std::vector<char> in_ = std::vector<char>(kBatch * kAnswer);
};

template <unsigned nodes>
struct Written {
  static double rate() {
    Source source(nodes);
    return rate_of([&source](std::uint64_t count) { source.stream(count); });
  }
};

const EnterStream<Written> kStream(
    "limit-socket",
    "numbers of eight bytes, written together, a byte that each was counted; an epoll loop at the "
    "source");

}  // namespace
}  // namespace compare
