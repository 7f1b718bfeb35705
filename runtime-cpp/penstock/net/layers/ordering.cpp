#include "penstock/net/layers/ordering.hpp"

#include <algorithm>
#include <cstring>

namespace penstock::net::layers {

void Ordering::hold(std::uint64_t number, std::string_view bytes, Nanos now, std::size_t most) {
  Held& held = held_[number % kWindow];
  if (held.buffer != nullptr) {
    ++figures_.again;
    return;
  }
  held.buffer = buffers_.take(most);
  held.size = static_cast<std::uint32_t>(bytes.size());
  if (!bytes.empty()) std::memcpy(held.buffer, bytes.data(), bytes.size());
  ++count_;
  if (gap_ends_ == 0 && settings_.gap != 0) gap_ends_ = now + settings_.gap;
}

bool Ordering::is_first(std::uint64_t number) noexcept {
  if (number < first_ || next_ - number > kWindow || given_[number % kWindow]) return false;
  given_[number % kWindow] = true;
  return true;
}

void Ordering::skip_to(std::uint64_t number) noexcept {
  figures_.skipped += number - next_;
  // Of a long way only the last ones are remembered.
  next_ = std::max(next_, number - std::min(number - next_, kWindow));
  while (next_ != number) given_[next_++ % kWindow] = false;
}

}  // namespace penstock::net::layers
