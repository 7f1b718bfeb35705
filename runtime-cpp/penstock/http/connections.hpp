#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace penstock::http {

class Connection;

/// The connections of a server, oldest first, and the bytes that they hold together. Any thread:
/// each connection has its own.
class Connections {
 public:
  using Place = std::list<Connection*>::iterator;
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Place add(Connection* connection);
  void remove(Place place);
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// Without those that are about to go.
  [[nodiscard]] std::size_t staying() const;
  /// Those that are there now.
  [[nodiscard]] std::vector<std::shared_ptr<Connection>> all() const;

  /// A connection that held `before` bytes holds `now`.
  void hold(std::size_t before, std::size_t now) noexcept;
  /// One that holds so many bytes goes once its thread comes to it; and it has gone.
  void leaves(std::size_t bytes) noexcept;
  void left(std::size_t bytes) noexcept;
  /// Bytes of all connections.
  [[nodiscard]] std::size_t held() const noexcept { return held_.load(std::memory_order_relaxed); }
  /// Without those that are about to go.
  [[nodiscard]] std::size_t held_for_long() const noexcept;
  /// The most that there ever were.
  [[nodiscard]] std::size_t most_held() const noexcept {
    return most_held_.load(std::memory_order_relaxed);
  }

  /// Of those whose peer we wait for, to send or to take something, the one that began earliest;
  /// null: none.
  [[nodiscard]] std::shared_ptr<Connection> longest_awaited() const;
  /// Of those that we have waited for since `since`, the one that holds most; null: none holds
  /// anything.
  [[nodiscard]] std::shared_ptr<Connection> largest_awaited(Clock::time_point since) const;

 private:
  template <class IsBetter>
  [[nodiscard]] std::shared_ptr<Connection> best(const IsBetter& is_better) const;

  mutable std::mutex mutex_;
  std::list<Connection*> all_;  // one that is destroyed waits for the lock to leave it
  // Relaxed, all of them: figures and bounds, which order nothing.
  std::atomic<std::size_t> held_{0};
  std::atomic<std::size_t> leaving_{0};  // connections
  std::atomic<std::size_t> leaving_bytes_{0};
  std::atomic<std::size_t> most_held_{0};
};

}  // namespace penstock::http
