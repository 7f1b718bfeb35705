#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/small_binary.hpp"

namespace penstock::testing {

/// A MariaDB server of a test's own, in a folder of its own, on a loopback port and a socket that
/// nobody else uses; gone with its object.
class MariadbServer {
 public:
  MariadbServer() {
    // In memory where that is: a database's start is little else than waiting for the disk.
    const std::filesystem::path memory = "/dev/shm";
    const auto place =
        std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
    std::string name = (place / "penstock-db-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the database");
    folder_ = name;
    const std::string data = "--datadir=" + (folder_ / "data").string();
    if (wait_for(start({"/usr/bin/mariadb-install-db", "--no-defaults", data,
                        "--auth-root-authentication-method=normal", "--skip-test-db", "--user=root",
                        "--innodb-log-file-size=5M"})) != 0) {
      throw std::runtime_error("mariadb-install-db failed");
    }
    port_ = hold_port();
    start_server();
  }
  MariadbServer(const MariadbServer&) = delete;
  MariadbServer& operator=(const MariadbServer&) = delete;
  ~MariadbServer() {
    stop();
    close(held_);
    std::filesystem::remove_all(folder_);
  }

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
  [[nodiscard]] std::string socket() const { return (folder_ / "socket").string(); }

  /// Starts it again, on the same port and data.
  void start_server() {
    server_ = start({"/usr/sbin/mariadbd", "--no-defaults",
                     "--datadir=" + (folder_ / "data").string(), "--socket=" + socket(),
                     "--bind-address=127.0.0.1", "--port=" + std::to_string(port_), "--user=root",
                     "--skip-log-bin", "--skip-name-resolve", "--innodb-flush-log-at-trx-commit=0",
                     "--innodb-buffer-pool-size=8M", "--innodb-log-file-size=5M",
                     "--pid-file=" + (folder_ / "pid").string()});
    if (!eventually([this] { return answers(); })) {
      throw std::runtime_error("mariadbd did not start");
    }
  }
  void stop() {
    if (server_ > 0) {
      kill(server_, SIGTERM);
      wait_for(server_);
      server_ = -1;
    }
  }

 private:
  // Its log would hide the test's.
  static pid_t start(std::vector<std::string> command) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    std::vector<char*> arguments;
    for (std::string& word : command) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t pid = -1;
    if (posix_spawn(&pid, arguments[0], &actions, nullptr, arguments.data(), environ) != 0) {
      throw std::runtime_error("cannot start " + command[0] + ": is mariadb-server installed?");
    }
    posix_spawn_file_actions_destroy(&actions);
    return pid;
  }
  static int wait_for(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    return status;
  }
  [[nodiscard]] static sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }
  // Bound and not listened at: the server may listen there, as often as it is started, but nobody
  // beside this test who asks for any port is given this one.
  std::uint16_t hold_port() {
    held_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int shared = 1;
    setsockopt(held_, SOL_SOCKET, SO_REUSEADDR, &shared, sizeof shared);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    if (bind(held_, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        getsockname(held_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      throw std::runtime_error("no port for the database");
    }
    return ntohs(address.sin_port);
  }
  [[nodiscard]] bool answers() const {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port_);
    const bool answers =
        connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(socket);
    return answers;
  }

  std::filesystem::path folder_;
  int held_ = -1;
  std::uint16_t port_ = 0;
  pid_t server_ = -1;
};

}  // namespace penstock::testing
