#pragma once

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

extern char** environ;  // NOLINT

namespace penstock::testing {

/// A program that a test starts; killed with its object.
class Child {
 public:
  explicit Child(std::vector<std::string> command) {
    std::array<int, 2> out{};
    std::array<int, 2> err{};
    if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0) return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, err[1], 2);
    std::vector<char*> arguments;
    for (std::string& word : command) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    if (posix_spawn(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ) != 0)
      pid_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    close(err[1]);
    out_ = out[0];
    err_ = err[0];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    close(out_);
    close(err_);
  }

  [[nodiscard]] pid_t pid() const { return pid_; }
  void send(int signal) const { kill(pid_, signal); }

  /// The next line of its standard output; empty at its end.
  [[nodiscard]] std::string line() const { return read_until(out_, true); }
  /// The next line of its standard error; empty at its end.
  [[nodiscard]] std::string error_line() const { return read_until(err_, true); }
  /// All that it said on standard error.
  [[nodiscard]] std::string errors() const { return read_until(err_, false); }
  [[nodiscard]] std::string rest() const { return read_until(out_, false); }

  /// Its exit code, or minus the signal.
  [[nodiscard]] int wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  /// Names of its threads and the CPUs each may run on.
  [[nodiscard]] std::map<std::string, std::vector<int>> threads() const {
    std::map<std::string, std::vector<int>> threads;
    const std::string folder = "/proc/" + std::to_string(pid_) + "/task";
    for (const auto& task : std::filesystem::directory_iterator(folder)) {
      std::ifstream file(task.path() / "comm");
      std::string name;
      std::getline(file, name);
      cpu_set_t set;
      CPU_ZERO(&set);
      sched_getaffinity(std::stoi(task.path().filename()), sizeof set, &set);
      for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(static_cast<unsigned>(cpu), &set)) threads[name].push_back(cpu);
      }
    }
    return threads;
  }

 private:
  static std::string read_until(int file, bool one_line) {
    std::string text;
    char byte = 0;
    while (read(file, &byte, 1) == 1) {
      if (one_line && byte == '\n') break;
      text += byte;
    }
    return text;
  }

  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
};

}  // namespace penstock::testing
