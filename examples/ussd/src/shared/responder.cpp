#include "shared/responder.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>
#include <vector>

namespace sample {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
constexpr std::size_t kLargestRequest = std::size_t{64} * 1024;
/// How often it looks whether it is to stop.
constexpr std::chrono::nanoseconds kLook = std::chrono::milliseconds(50);

struct Client {
  int socket = -1;
  std::string input;
  /// When the request that is whole gets its answer; a client waits for it before it asks again.
  Clock::time_point due{};
  bool asked = false;
};

/// Bytes of the first whole request in `input`; 0 while it is not whole.
std::size_t whole_request(std::string_view input) {
  const std::size_t head = input.find("\r\n\r\n");
  if (head == std::string_view::npos) return 0;
  std::size_t length = 0;
  constexpr std::string_view kLength = "content-length: ";
  if (const std::size_t at = input.substr(0, head).find(kLength); at != std::string_view::npos)
    std::from_chars(input.data() + at + kLength.size(), input.data() + head, length);
  const std::size_t all = head + 4 + length;
  return input.size() >= all ? all : 0;
}

/// False when the client is gone.
bool read_some(Client& client) {
  char buffer[4096];
  const ssize_t count = ::recv(client.socket, buffer, sizeof buffer, 0);
  if (count <= 0) return count < 0 && (errno == EINTR || errno == EAGAIN);
  client.input.append(buffer, static_cast<std::size_t>(count));
  return client.input.size() <= kLargestRequest;
}

}  // namespace

Responder::Responder(std::chrono::milliseconds latency) : latency_(latency) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  if (listener_ < 0 || ::bind(listener_, raw, size) != 0 || ::listen(listener_, 256) != 0 ||
      ::getsockname(listener_, raw, &size) != 0) {
    const int error = errno;
    if (listener_ >= 0) ::close(listener_);
    throw std::system_error(error, std::generic_category(), "responder");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

Responder::~Responder() {
  stop_ = true;
  thread_.join();
  ::close(listener_);
}

void Responder::serve() noexcept {
  std::vector<Client> clients;
  std::vector<pollfd> polled;
  while (!stop_) {
    auto wait = kLook;
    polled.assign(1, {listener_, POLLIN, 0});
    const auto now = Clock::now();
    for (Client& client : clients) {
      if (client.asked && client.due <= now) {
        client.asked = false;
        // Counted first: who has the answer finds it counted.
        ++answered_;
        if (::send(client.socket, kAnswer.data(), kAnswer.size(), MSG_NOSIGNAL) < 0) --answered_;
      }
      if (client.asked) wait = std::min<std::chrono::nanoseconds>(wait, client.due - now);
      polled.push_back({client.socket, POLLIN, 0});
    }
    // To the microsecond, which poll cannot.
    const timespec patience{.tv_sec = 0, .tv_nsec = wait.count()};
    if (::ppoll(polled.data(), polled.size(), &patience, nullptr) < 0) continue;
    for (std::size_t index = 0; index < clients.size(); ++index) {
      Client& client = clients[index];
      if ((polled[index + 1].revents & (POLLIN | POLLHUP | POLLERR)) == 0) continue;
      if (!read_some(client)) {
        ::close(client.socket);
        client.socket = -1;
      } else if (const std::size_t size = whole_request(client.input); size > 0) {
        client.input.erase(0, size);
        client.asked = true;
        client.due = Clock::now() + latency_;
      }
    }
    std::erase_if(clients, [](const Client& client) { return client.socket < 0; });
    if ((polled.front().revents & POLLIN) != 0)
      if (const int accepted = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC); accepted >= 0)
        clients.push_back({.socket = accepted, .input = {}, .due = {}, .asked = false});
  }
  for (const Client& client : clients) ::close(client.socket);
}

}  // namespace sample
