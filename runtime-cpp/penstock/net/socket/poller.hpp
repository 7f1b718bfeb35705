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

    struct Events {
      bool readable = false;  ///< or it has ended
      bool ends = false;  ///< the other end writes no more, or it broke; what came before is there
      bool breaks = false;  ///< nothing goes to the other end any more, either
    };
    /// Its socket can be read again or written, which is told for want_room() at least: said once,
    /// until a read or a write has found that it cannot. That it ends is said together with what
    /// came before, and not again.
    virtual void ready(Events events) noexcept = 0;
    /// Takes what its socket has, told or not; false: nothing, or it is not known.
    virtual bool look() noexcept { return false; }
    /// Of one that is looked at: the worker is about to sleep. False: it had better not.
    virtual bool rests() noexcept { return true; }
    /// It does not sleep any more.
    virtual void wakes() noexcept {}
    /// What was asked for with soon().
    virtual void flush() noexcept = 0;
    /// The worker is to leave its pool, for which it waits until nothing is watched; said again now
    /// and then.
    virtual void retire() noexcept = 0;

   protected:
    ~Watcher() = default;

   private:
    friend class SocketPoller;
    bool soon_ = false;
    bool wants_room_ = false;
  };

  /// Of the calling thread, a worker's; made at the first use. Throws std::system_error.
  [[nodiscard]] static SocketPoller& here();

  explicit SocketPoller(exec::Worker& worker);

  [[nodiscard]] exec::Worker& worker() const noexcept { return worker_; }

  /// From now on, until forget(). Throws std::system_error.
  void watch(const Descriptor& socket, Watcher& watcher);
  /// Of one that is watched: from now on it is looked at as well, as its socket does not tell all.
  void look_at(Watcher& watcher) noexcept;
  /// Before the socket is closed.
  void forget(const Descriptor& socket, Watcher& watcher) noexcept;
  /// Whether it is told when it can be written again.
  void want_room(const Descriptor& socket, Watcher& watcher, bool wants) noexcept;
  /// flush() once the worker has run what is ready now.
  void soon(Watcher& watcher) noexcept;

  bool poll() noexcept override;
  bool glance() noexcept override;
  [[nodiscard]] bool glances_at_memory() const noexcept override {
    return !looked_at_.empty() && looked_at_.size() <= kFewInMemory;
  }
  void idles() noexcept override { look_.cancel(); }
  void works() noexcept override;
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
  /// Where nothing but one socket was told of so often, it is looked at itself, without the way
  /// through epoll, by most glances.
  static constexpr unsigned kStreak = 16;
  static constexpr unsigned kGlancesPerPoll = 16;
  static constexpr unsigned kGlancesAtMemoryPerPoll = 64;
  /// A look at so many takes no longer than the worker's other ones.
  static constexpr std::size_t kFewInMemory = 8;
  /// So many are flushed in one job: what else the worker has to do comes in between.
  static constexpr std::size_t kMostFlushes = 16;
  /// How long a socket of a busy worker waits.
  static constexpr Nanos kBusyLook = 200'000;

  /// One that is to leave, is not any more, and is once more may not have noticed.
  static constexpr Nanos kTellAgain = 100'000'000;

  void expect_here() const noexcept {
    expect_rule(exec::Worker::current() == &worker_,
                "the sockets of a worker are used on its thread");
  }
  void flush() noexcept;
  bool look() noexcept;
  void wait(Nanos until) noexcept;
  [[nodiscard]] bool retires_untold() const noexcept {
    return worker_.retiring() && now_ns() >= tell_again_;
  }
  void tell_to_retire() noexcept;

  exec::Worker& worker_;
  const std::uint32_t always_;  // what is told of each socket
  Descriptor epoll_;
  Descriptor event_;
  std::vector<Watcher*> watched_;
  std::vector<Watcher*> looked_at_;
  std::vector<Watcher*> to_flush_;
  std::vector<Watcher*> flushing_;
  std::size_t flushed_ = 0;  // of these
  Flush flush_job_;
  bool flush_posted_ = false;
  Look look_;
  Nanos tell_again_ = 0;     // that the worker is to leave; 0: nothing was told
  Watcher* last_ = nullptr;  // of which something was told last
  unsigned streak_ = 0;      // how often, without another one between
  unsigned glances_ = 0;
  std::size_t count_ = 0;  // of events_
  std::array<epoll_event, kMostEvents> events_{};
};

}  // namespace penstock::net
