#pragma once

#include <atomic>
#include <cstdint>
#include <unordered_map>

#include "penstock/base/thread_rule.hpp"
#include "penstock/exec/job.hpp"
#include "penstock/exec/timer_wheel.hpp"
#include "penstock/mailbox/mpsc.hpp"

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
    virtual void ready(int socket, std::uint32_t events) noexcept = 0;
    /// Before the thread sleeps again, after hurry().
    virtual void go_on() noexcept = 0;

   private:
    friend class IoThread;
    User* next_hurried_ = nullptr;
    bool hurries_ = false;
  };

  /// The one of this process; starts it at its first use, and never ends it: what a client's last
  /// request left behind may still use it at the very end. Throws std::system_error.
  [[nodiscard]] static IoThread& of_process();

  /// Runs `job` on the thread, those of one thread in their order. Any thread.
  void post(exec::Job& job) noexcept;

  /// Tells `user` of these `events` from now on, and of no others. Throws std::system_error,
  /// std::bad_alloc.
  void watch(int socket, std::uint32_t events, User& user);
  void forget(int socket) noexcept;
  void hurry(User& user) noexcept;
  /// `user` is not called any more.
  void leave(const User& user) noexcept;
  [[nodiscard]] exec::TimerWheel& timers() noexcept { return timers_; }

 private:
  /// A file descriptor, which is closed with it.
  class Descriptor {
   public:
    /// What the system answered; throws std::system_error where it gave none.
    Descriptor(int number, const char* what);
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor();
    [[nodiscard]] int number() const noexcept { return number_; }

   private:
    const int number_;
  };

  IoThread();
  ~IoThread() = default;

  void expect_here() const noexcept { thread_.check("sockets of clients are the HTTP thread's"); }
  void run() noexcept;
  void run_jobs() noexcept;
  void wake() noexcept;
  [[nodiscard]] int sleep_ms() noexcept;

  [[no_unique_address]] OwnThread thread_;
  const Descriptor epoll_;
  const Descriptor woken_;  // an eventfd
  exec::TimerWheel timers_;
  std::unordered_map<int, User*> users_;
  User* hurried_ = nullptr;  // the first of them
  mailbox::MpscQueue<> jobs_;
  std::atomic<bool> told_{false};  // that there are jobs
};

}  // namespace penstock::http_client
