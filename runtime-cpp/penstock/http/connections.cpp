#include "penstock/http/connections.hpp"

#include "penstock/http/connection.hpp"

namespace penstock::http {

Connections::Place Connections::add(Connection* connection) {
  const std::lock_guard hold(mutex_);
  return all_.insert(all_.end(), connection);
}

void Connections::remove(Place place) {
  const std::lock_guard hold(mutex_);
  all_.erase(place);
}

std::size_t Connections::size() const {
  const std::lock_guard hold(mutex_);
  return all_.size();
}

std::vector<std::shared_ptr<Connection>> Connections::all() const {
  std::vector<std::shared_ptr<Connection>> kept;
  const std::lock_guard hold(mutex_);
  kept.reserve(all_.size());
  for (Connection* const each : all_) {
    if (auto one = each->weak_from_this().lock()) kept.push_back(std::move(one));
  }
  return kept;
}

void Connections::hold(std::size_t before, std::size_t now) noexcept {
  if (before == now) return;
  // Unsigned: less wraps around, and the sum is right.
  const std::size_t sum = held_.fetch_add(now - before, std::memory_order_relaxed) + now - before;
  std::size_t most = most_held();
  while (sum > most && !most_held_.compare_exchange_weak(most, sum, std::memory_order_relaxed)) {
  }
}

void Connections::leaves(std::size_t bytes) noexcept {
  leaving_.fetch_add(1, std::memory_order_relaxed);
  leaving_bytes_.fetch_add(bytes, std::memory_order_relaxed);
}

void Connections::left(std::size_t bytes) noexcept {
  leaving_.fetch_sub(1, std::memory_order_relaxed);
  leaving_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
}

std::size_t Connections::staying() const {
  const std::size_t leaving = leaving_.load(std::memory_order_relaxed);
  const std::size_t count = size();
  return count > leaving ? count - leaving : 0;
}

std::size_t Connections::held_for_long() const noexcept {
  const std::size_t leaving = leaving_bytes_.load(std::memory_order_relaxed);
  const std::size_t sum = held();
  return sum > leaving ? sum - leaving : 0;
}

template <class IsBetter>
std::shared_ptr<Connection> Connections::best(const IsBetter& is_better) const {
  std::shared_ptr<Connection> best;
  std::vector<std::shared_ptr<Connection>> others;  // let go without the lock
  const std::lock_guard hold(mutex_);
  others.reserve(all_.size());
  for (Connection* const each : all_) {
    if (each->leaves() || !each->awaits_peer() || !is_better(*each, best.get())) continue;
    // None: it is being destroyed.
    if (auto kept = each->weak_from_this().lock()) {
      others.push_back(std::move(best));
      best = std::move(kept);
    }
  }
  return best;
}

std::shared_ptr<Connection> Connections::longest_awaited() const {
  return best([](const Connection& each, const Connection* best) {
    return best == nullptr || each.awaited_since() < best->awaited_since();
  });
}

std::shared_ptr<Connection> Connections::largest_awaited(Clock::time_point since) const {
  return best([since](const Connection& each, const Connection* best) {
    return each.awaited_since() <= since && each.holds() != 0 &&
           (best == nullptr || each.holds() > best->holds());
  });
}

}  // namespace penstock::http
