#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "penstock/exec/worker.hpp"
#include "penstock/net/socket/descriptor.hpp"

namespace penstock::net {

/// The sockets of one worker: it waits for them where it would sleep, looks at them now and then
/// while it is busy, and what is to be written leaves when it has run what was ready. On its
/// worker's thread, but wake().
class SocketPoller final : public exec::Worker::Poller {
 public:
  /// Something that a worker owns sockets for.
  class Watcher {
   public:
    Watcher() = default;
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;

    /// Its socket can be read or written again, or has ended: said once, until a read or a write
    /// has found that it cannot. `ends`: the other end writes no more, or it broke. That is said
    /// together with what came before it, and not again.
    virtual void ready(bool ends) noexcept = 0;
    /// What was asked for with soon().
    virtual void flush() noexcept = 0;
    /// The worker is to leave its pool, for which it waits until nothing is watched.
    virtual void retire() noexcept = 0;

   protected:
    ~Watcher() = default;

   private:
    friend class SocketPoller;
    bool soon_ = false;
  };

  /// Of the calling thread, a worker's; made at the first use. Throws std::system_error.
  [[nodiscard]] static SocketPoller& here();

  explicit SocketPoller(exec::Worker& worker);

  [[nodiscard]] exec::Worker& worker() const noexcept { return worker_; }

  /// From now on, until forget(). Throws std::system_error.
  void watch(const Descriptor& socket, Watcher& watcher);
  /// Before the socket is closed.
  void forget(const Descriptor& socket, Watcher& watcher) noexcept;
  /// flush() once the worker has run what is ready now.
  void soon(Watcher& watcher) noexcept;

  bool poll() noexcept override;
  void idles() noexcept override { look_.cancel(); }
  void sleep(Nanos until) noexcept override;
  void wake() noexcept override;

 private:
  struct Flush : exec::Job {
    SocketPoller* poller = nullptr;
  };
  struct Look : exec::Timer {
    SocketPoller* poller = nullptr;
  };
  static constexpr int kMostEvents = 64;
  /// How long a socket of a busy worker waits.
  static constexpr Nanos kBusyLook = 200'000;

  void flush() noexcept;
  void tell_to_retire() noexcept;

  exec::Worker& worker_;
  Descriptor epoll_;
  Descriptor event_;
  std::vector<Watcher*> watched_;
  std::vector<Watcher*> to_flush_;
  std::vector<Watcher*> flushing_;
  Flush flush_job_;
  bool flush_posted_ = false;
  Look look_;
  bool told_to_retire_ = false;
  std::size_t count_ = 0;  // of events_
  std::array<epoll_event, kMostEvents> events_{};
};

}  // namespace penstock::net
