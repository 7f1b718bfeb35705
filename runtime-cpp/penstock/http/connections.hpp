#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <list>

namespace penstock::http {

class Connection;

/// The connections of a server, oldest first, and the bytes that they hold together. On the thread
/// of their io_context but for held() and most_held().
class Connections {
 public:
  using Place = std::list<Connection*>::iterator;
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Place add(Connection* connection) { return all_.insert(all_.end(), connection); }
  void remove(Place place) { all_.erase(place); }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }

  /// A connection that held `before` bytes holds `now`.
  void hold(std::size_t before, std::size_t now);
  /// Bytes of all connections. Any thread.
  [[nodiscard]] std::size_t held() const noexcept { return held_.load(std::memory_order_relaxed); }
  /// The most that there ever were. Any thread.
  [[nodiscard]] std::size_t most_held() const noexcept {
    return most_held_.load(std::memory_order_relaxed);
  }

  /// Of those whose peer we wait for, to send or to take something, the one that began earliest;
  /// null: none.
  [[nodiscard]] Connection* longest_awaited() const;
  /// Of those that we have waited for since `since`, the one that holds most; null: none holds
  /// anything.
  [[nodiscard]] Connection* largest_awaited(Clock::time_point since) const;

 private:
  std::list<Connection*> all_;
  // One thread writes them; relaxed: figures for others to read, which order nothing.
  std::atomic<std::size_t> held_{0};
  std::atomic<std::size_t> most_held_{0};
};

}  // namespace penstock::http
