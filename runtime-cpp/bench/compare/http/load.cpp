#include "http/load.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <string_view>

namespace compare {
namespace {

constexpr std::string_view kGood = "HTTP/1.1 200 ";
constexpr std::size_t kLongest = 4096;

[[noreturn]] void fail(const std::string& why) { throw std::runtime_error("load: " + why); }

int connect_to(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(port);
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket, reinterpret_cast<const sockaddr*>(&there), sizeof there) != 0) {
    fail("nobody listens");
  }
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return socket;
}

/// What the server's first answer on a connection says its body has.
std::size_t length_in(std::string_view head) {
  constexpr std::string_view kField = "\r\nContent-Length: ";
  const std::size_t at = head.find(kField);
  if (at == std::string_view::npos) fail("an answer has no Content-Length");
  return std::stoul(std::string(head.substr(at + kField.size())));
}

}  // namespace

Load::Load(std::uint16_t port, Form form) : ready_(epoll_create1(EPOLL_CLOEXEC)) {
  const std::string_view body = size_in(form);
  request_ = "POST " + std::string(kHatPath) +
             " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
             "\r\nUser-Agent: penstock-bench\r\nContent-Type: " + std::string(type_of(form)) +
             "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
  for (std::size_t index = 0; index < kClients; ++index) {
    Client& client = clients_[index];
    client.socket = connect_to(port);
    learn(client, form);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = index;
    epoll_ctl(ready_, EPOLL_CTL_ADD, client.socket, &event);
  }
}

Load::~Load() {
  for (const Client& client : clients_) close(client.socket);
  close(ready_);
}

void Load::learn(const Client& client, Form form) {
  if (::send(client.socket, request_.data(), request_.size(), 0) < 0) fail("nothing can be sent");
  std::string answer;
  std::array<char, kLongest> bytes{};
  for (;;) {
    const ssize_t got = recv(client.socket, bytes.data(), bytes.size(), 0);
    if (got <= 0) fail("the server hung up, after " + answer);
    answer.append(bytes.data(), static_cast<std::size_t>(got));
    const std::size_t end = answer.find("\r\n\r\n");
    if (end == std::string::npos) continue;
    const std::size_t whole = end + 4 + length_in(std::string_view(answer).substr(0, end));
    if (answer.size() < whole) continue;
    const bool hat = answer.starts_with(kGood) && answer.find(kName, end) != std::string::npos;
    if (!hat || answer.size() > whole) fail("this is no hat: " + answer);
    // Others write blanks into their JSON, but always the same ones.
    if (form == Form::protobuf && answer.substr(end + 4) != hat_by_hand(form, size_in(form))) {
      fail("this is another hat: " + answer);
    }
    if (answer_ != 0 && answer_ != whole) fail("an answer is longer than another one");
    answer_ = whole;
    return;
  }
}

void Load::send(Client& client) const {
  client.taken = 0;
  client.sent = penstock::now_ns();
  const ssize_t sent =
      ::send(client.socket, request_.data(), request_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent != static_cast<ssize_t>(request_.size())) fail("a request did not go as a whole");
}

bool Load::take(Client& client) const {
  std::array<char, kLongest> bytes;  // NOLINT: not to be cleared each time
  const ssize_t got = recv(client.socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (got <= 0) fail("the server hung up");
  const auto size = static_cast<std::size_t>(got);
  if (client.taken == 0 && !std::string_view(bytes.data(), size).starts_with(kGood)) {
    fail("an answer is " + std::string(bytes.data(), size));
  }
  client.taken += size;
  if (client.taken > answer_) fail("an answer is longer than another one");
  return client.taken == answer_;
}

void Load::ask(std::uint64_t& count, Times* times) {
  std::uint64_t sent = 0;
  for (Client& client : clients_) {
    send(client);
    ++sent;
  }
  std::array<epoll_event, kClients> events{};
  for (std::uint64_t done = 0; done < sent;) {
    const int ready = epoll_wait(ready_, events.data(), kClients, -1);
    for (int index = 0; index < ready; ++index) {
      Client& client = clients_[events[static_cast<std::size_t>(index)].data.u64];
      if (!take(client)) continue;
      ++done;
      if (times != nullptr) times->push_back(penstock::now_ns() - client.sent);
      if (sent >= count) continue;
      send(client);
      ++sent;
    }
  }
  count = sent;
}

}  // namespace compare
