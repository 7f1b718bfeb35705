#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/small_binary.hpp"

extern char** environ;  // NOLINT

namespace penstock::testing {

/// A NATS server of a test's own, on a loopback port that nobody else uses; gone with its object.
class NatsServer {
 public:
  /// `options`: `--auth TOKEN`.
  explicit NatsServer(std::vector<std::string> options = {}) : options_(std::move(options)) {
    hold_port();
    start();
  }
  NatsServer(const NatsServer&) = delete;
  NatsServer& operator=(const NatsServer&) = delete;
  ~NatsServer() {
    stop();
    close(held_);
  }

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
  [[nodiscard]] std::string url() const { return "nats://127.0.0.1:" + std::to_string(port_); }

  /// Again, at the same port.
  void start() {
    std::vector<std::string> command{"/usr/sbin/nats-server", "--addr", "127.0.0.1", "--port",
                                     std::to_string(port_)};
    command.insert(command.end(), options_.begin(), options_.end());
    std::vector<char*> arguments;
    for (std::string& word : command) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    // Its log would hide the test's.
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    const int failed =
        posix_spawn(&server_, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) throw std::runtime_error("cannot start nats-server: is it installed?");
    if (!eventually([this] { return answers(); }))
      throw std::runtime_error("nats-server did not start");
  }
  void stop() {
    if (server_ <= 0) return;
    kill(server_, SIGKILL);
    waitpid(server_, nullptr, 0);
    server_ = -1;
  }

 private:
  // Bound and not listened at: the server may listen there, as often as it is started, but nobody
  // beside this test who asks for any port is given this one.
  void hold_port() {
    held_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int shared = 1;
    setsockopt(held_, SOL_SOCKET, SO_REUSEADDR, &shared, sizeof shared);
    sockaddr_in address = here(0);
    socklen_t size = sizeof address;
    if (bind(held_, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        getsockname(held_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("no port for nats-server");
    port_ = ntohs(address.sin_port);
  }
  [[nodiscard]] static sockaddr_in here(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }
  [[nodiscard]] bool answers() const {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = here(port_);
    const bool answers =
        connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(socket);
    return answers;
  }

  const std::vector<std::string> options_;
  int held_ = -1;
  std::uint16_t port_ = 0;
  pid_t server_ = -1;
};

}  // namespace penstock::testing
