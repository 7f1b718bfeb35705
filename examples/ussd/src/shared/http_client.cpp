#include "shared/http_client.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <penstock/service.hpp>
#include <string_view>

namespace sample {

namespace {

constexpr timeval kPatience{.tv_sec = 2, .tv_usec = 0};

[[noreturn]] void fail(const char* what) {
  throw penstock::Error(penstock::ErrorCode::unavailable, std::string("http: ") + what);
}

/// Names of headers may be written in any case.
std::string lower(std::string text) {
  for (char& sign : text)
    if (sign >= 'A' && sign <= 'Z') sign = static_cast<char>(sign - 'A' + 'a');
  return text;
}

}  // namespace

HttpClient::~HttpClient() { close(); }

void HttpClient::close() noexcept {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

void HttpClient::connect(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) fail("no socket");
  const int now = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &now, sizeof now);
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    fail("nobody listens");
}

bool HttpClient::is_kept() const noexcept {
  char next = 0;
  return ::recv(socket_, &next, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

int HttpClient::read_status() {
  std::string input;
  char buffer[1024];
  for (;;) {
    if (const std::size_t head = input.find("\r\n\r\n"); head != std::string::npos) {
      std::size_t length = 0;
      constexpr std::string_view kLength = "\r\ncontent-length: ";
      if (const std::size_t at = lower(input.substr(0, head)).find(kLength); at < head)
        std::from_chars(input.data() + at + kLength.size(), input.data() + head, length);
      if (input.size() >= head + 4 + length) break;
    }
    const ssize_t count = ::recv(socket_, buffer, sizeof buffer, 0);
    if (count <= 0) fail("no answer");
    input.append(buffer, static_cast<std::size_t>(count));
  }
  int status = 0;
  constexpr std::string_view kVersion = "HTTP/1.1 ";
  if (input.starts_with(kVersion))
    std::from_chars(input.data() + kVersion.size(), input.data() + input.size(), status);
  if (status == 0) fail("an answer that is none");
  return status;
}

int HttpClient::post(std::uint16_t port, const std::string& path, const std::string& body) {
  try {
    if (socket_ >= 0 && !is_kept()) close();
    if (socket_ < 0) connect(port);
    const std::string request =
        "POST " + path + " HTTP/1.1\r\nhost: 127.0.0.1:" + std::to_string(port) +
        "\r\ncontent-type: application/json\r\ncontent-length: " + std::to_string(body.size()) +
        "\r\n\r\n" + body;
    for (std::size_t sent = 0; sent < request.size();) {
      const ssize_t count =
          ::send(socket_, request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) fail("could not be sent");
      sent += static_cast<std::size_t>(count);
    }
    return read_status();
  } catch (...) {
    // What comes later on this connection may belong to the request that failed.
    close();
    throw;
  }
}

}  // namespace sample
