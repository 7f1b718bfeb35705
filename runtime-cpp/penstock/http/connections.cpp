#include "penstock/http/connections.hpp"

#include "penstock/http/connection.hpp"

namespace penstock::http {

void Connections::hold(std::size_t before, std::size_t now) {
  const std::size_t sum = held() - before + now;
  held_.store(sum, std::memory_order_relaxed);
  if (sum > most_held()) most_held_.store(sum, std::memory_order_relaxed);
}

Connection* Connections::longest_awaited() const {
  Connection* longest = nullptr;
  for (Connection* const each : all_) {
    if (!each->awaits_peer()) continue;
    if (longest == nullptr || each->awaited_since() < longest->awaited_since()) longest = each;
  }
  return longest;
}

Connection* Connections::largest_awaited(Clock::time_point since) const {
  Connection* largest = nullptr;
  for (Connection* const each : all_) {
    if (!each->awaits_peer() || each->awaited_since() > since || each->holds() == 0) continue;
    if (largest == nullptr || each->holds() > largest->holds()) largest = each;
  }
  return largest;
}

}  // namespace penstock::http
