#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "penstock/base/time.hpp"
#include "penstock/exec/pool.hpp"
#include "penstock/http/line.hpp"
#include "penstock/http/secured.hpp"
#include "penstock/net/socket/descriptor.hpp"
#include "penstock/net/socket/poller.hpp"

namespace penstock::edge {

/// A line that a worker of a pool owns: its thread reads and writes, and nobody stands between. One
/// that leaves its pool gives it to another one between two answers; where there is none any more,
/// it ends.
class WorkerLine final : public http::Line, net::SocketPoller::Watcher {
 public:
  /// `socket` does not block. `pool` and `security` (null: nothing is secured) outlive it.
  WorkerLine(net::Descriptor socket, exec::Pool& pool, const http::Security* security);
  ~WorkerLine() override;

  /// To a worker of its pool, whose user begins there. Once, on the thread that made it. `number`
  /// chooses the first one.
  void start(unsigned number);
  /// The worker that has it, or is about to have it. Any thread.
  [[nodiscard]] exec::Worker& worker() const noexcept {
    return *worker_.load(std::memory_order_seq_cst);
  }

  void read(std::span<char> room) override;
  void write(Pieces pieces) override;
  void cancel() override;
  void wake_at(Time time) override;
  void end() override;
  void close() override;
  [[nodiscard]] bool is_secured() const noexcept override { return security_ != nullptr; }
  [[nodiscard]] bool is_heard() const noexcept override { return security_ == nullptr || heard_; }
  [[nodiscard]] bool lasts() const noexcept override;
  [[nodiscard]] bool has_ended() const noexcept override { return ends_; }
  [[nodiscard]] bool is_here() const noexcept override {
    return worker_.load(std::memory_order_seq_cst) == exec::Worker::current();
  }
  void poke() override;

 private:
  struct Arrival : exec::Job {
    WorkerLine* line = nullptr;
  };
  struct Wake : exec::Timer {
    WorkerLine* line = nullptr;
  };
  struct Poke;
  /// A peer that sends without end lets others have their turn.
  static constexpr int kMostAtOnce = 8;
  /// A head and a short body are one record.
  static constexpr std::size_t kTogether = 4096;

  void ready(Events events) noexcept override;
  bool look() noexcept override;
  void flush() noexcept override { go_on(); }
  void retire() noexcept override { go_on(); }

  void arrive() noexcept;
  void settle_in();
  void move_on() noexcept;
  void detach() noexcept;
  void leave() noexcept;
  void spread() noexcept;
  void on_time() noexcept;
  void is_readable() noexcept;
  bool go_on() noexcept;
  void do_what_goes();
  [[nodiscard]] bool read_some();
  [[nodiscard]] bool write_some();
  [[nodiscard]] ssize_t receive() noexcept;
  [[nodiscard]] ssize_t send() noexcept;
  [[nodiscard]] bool waits_for_room() const noexcept;

  net::Descriptor socket_;
  exec::Pool& pool_;
  const http::Security* const security_;
  std::unique_ptr<http::Secured> secured_;  // of the socket, which outlives it
  std::atomic<exec::Worker*> worker_{nullptr};
  net::SocketPoller* poller_ = nullptr;  // that watches it
  std::shared_ptr<User> self_;           // while the socket is open
  Arrival arrival_;
  Wake wake_;
  Time wakes_at_ = Time::max();
  std::span<char> room_;  // of a read that waits
  Pieces pieces_;         // what is left of a write
  bool reads_ = false;
  bool writes_ = false;
  bool cancelled_ = false;
  bool readable_ = true;  // as far as is known
  bool writable_ = true;
  bool ends_ = false;  // the other end has, and what it wrote before is to be read
  bool heard_ = false;
  bool begun_ = false;
  bool arriving_ = false;  // it is on its way to its worker
  bool busy_ = false;      // in do_what_goes()
  unsigned number_ = 0;    // among all lines
  unsigned place_ = 0;     // of the next worker
  unsigned size_ = 0;      // of the pool when it came to its worker
  std::uint64_t reads_done_ = 0;
};

}  // namespace penstock::edge
