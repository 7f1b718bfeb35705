#include "penstock/net/remote/door/refusals.hpp"

#include <new>

namespace penstock::net {

void Refusals::count(Why why, const std::string& who, const std::string& text, Nanos now) noexcept {
  Reason& reason = reasons_[static_cast<std::size_t>(why)];
  const std::uint64_t count = reason.count.fetch_add(1, std::memory_order_relaxed) + 1;
  if (!say_) return;
  Nanos told_at = reason.told_at.load(std::memory_order_relaxed);
  if (told_at != 0 && now - told_at < kPause) return;
  // Of two at the same time one tells.
  if (!reason.told_at.compare_exchange_strong(told_at, now, std::memory_order_relaxed)) return;
  const std::uint64_t before = reason.told.exchange(count, std::memory_order_relaxed);
  try {
    std::string line = "refused " + who + ": " + text;
    if (count > before + 1) line += " (and " + std::to_string(count - before - 1) + " before)";
    say_(line);
  } catch (const std::bad_alloc&) {
    // It is counted.
  }
}

}  // namespace penstock::net
