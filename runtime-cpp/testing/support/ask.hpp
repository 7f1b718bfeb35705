#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>

namespace penstock::testing {

/// Sends `request` to `127.0.0.1:port` and returns the first bytes of the answer; empty when there
/// is none.
[[nodiscard]] inline std::string ask(const std::string& address, const std::string& request) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.find(':') + 1))));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string answer;
  std::array<char, 1024> bytes{};
  if (connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 &&
      write(socket, request.data(), request.size()) == static_cast<ssize_t>(request.size())) {
    const ssize_t size = read(socket, bytes.data(), bytes.size());
    if (size > 0) answer.assign(bytes.data(), static_cast<std::size_t>(size));
  }
  close(socket);
  return answer;
}

}  // namespace penstock::testing
