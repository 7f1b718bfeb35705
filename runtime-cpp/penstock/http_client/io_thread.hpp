#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "penstock/exec/timer_wheel.hpp"

namespace penstock::http_client {

/// The thread that carries out the exchanges of all clients (`ps-http`): it waits for sockets and
/// timers (epoll). Its functions are its own thread's, but post().
class IoThread {
 public:
  /// Who has sockets and is called when they are ready.
  class User {
   public:
    User() = default;
    User(const User&) = delete;
    User& operator=(const User&) = delete;
    virtual ~User() = default;
    /// `events` as epoll says them. May come once for a socket that is watched no more.
    virtual void ready(int socket, std::uint32_t events) = 0;
    /// Before the thread sleeps again, after hurry().
    virtual void go_on() = 0;
  };

  /// The one of this process; starts it at its first use, and never ends it: what a client's last
  /// request left behind may still use it at the very end. Throws std::system_error.
  [[nodiscard]] static IoThread& of_process();

  /// Runs `task` on the thread. Any thread.
  void post(std::function<void()> task);

  /// Tells `user` of these `events` from now on, and of no others. Throws std::system_error.
  void watch(int socket, std::uint32_t events, User& user);
  void forget(int socket) noexcept;
  void hurry(User& user) { hurried_.push_back(&user); }
  /// `user` is not called any more.
  void leave(const User& user) noexcept;
  [[nodiscard]] exec::TimerWheel& timers() noexcept { return timers_; }

 private:
  IoThread();
  ~IoThread() = default;

  void run() noexcept;
  void run_tasks();
  [[nodiscard]] int sleep_ms() noexcept;

  const int epoll_;
  const int woken_;  // an eventfd
  exec::TimerWheel timers_;
  std::unordered_map<int, User*> users_;
  std::vector<User*> hurried_;
  std::mutex mutex_;
  std::vector<std::function<void()>> tasks_;  // guarded by mutex_
};

}  // namespace penstock::http_client
