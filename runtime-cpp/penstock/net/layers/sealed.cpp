#include "penstock/net/layers/sealed.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace penstock::net::layers {

Sealed::Sealed(Ciphers ciphers, std::uint64_t of_a_key)
    : of_a_key_(std::max(of_a_key, kRemembered)),
      sends_(std::move(ciphers.sends)),
      opens_{nullptr, std::move(ciphers.opens), nullptr} {
  opens_[2] = opens_[1]->next();
}

bool Sealed::seal(std::string_view bytes, char* to) noexcept {
  if (key_of(next_number_) != key_of(next_number_ - 1) && next_number_ != kNumbersFrom) {
    try {
      sends_ = sends_->next();
    } catch (const std::bad_alloc&) {
      return false;  // tried again with the next one
    }
  }
  const std::uint64_t number = next_number_++;
  char* const tag = wire::put(to, static_cast<std::uint32_t>(number));
  return sends_->seal(number, bytes, to + kHeader, tag);
}

bool Sealed::open(std::string_view datagram, char* to) {
  wire::Taker taker(datagram);
  std::uint32_t low = 0;
  std::string_view tag;
  const bool is_whole = taker.take(low) && taker.take(Cipher::kTag, tag);
  const std::uint64_t number = whole_number(low, highest_);
  if (!is_whole || number < kNumbersFrom) {
    ++figures_.wrong;
    return false;
  }
  if (!is_new(number)) {
    ++figures_.again;
    return false;
  }
  const std::uint64_t key = key_of(number);
  const std::uint64_t newest = highest_ < kNumbersFrom ? 0 : key_of(highest_);
  const std::uint64_t place = key + 1 - newest;  // below 0 it is a large one
  Cipher* const cipher = place < opens_.size() ? opens_[place].get() : nullptr;
  if (cipher == nullptr || !cipher->open(number, taker.left(), tag.data(), to)) {
    ++figures_.wrong;
    return false;
  }
  if (key > newest) {
    std::unique_ptr<Cipher> after = opens_[2]->next();
    std::move(opens_.begin() + 1, opens_.end(), opens_.begin());
    opens_[2] = std::move(after);
  }
  note(number);
  ++figures_.opened;
  return true;
}

bool Sealed::is_new(std::uint64_t number) const noexcept {
  return number > highest_ || (highest_ - number < kRemembered && !came_[number % kRemembered]);
}

void Sealed::note(std::uint64_t number) noexcept {
  if (number > highest_ && number - highest_ >= kRemembered) {
    came_.reset();
    highest_ = number;
  }
  while (highest_ < number) came_[++highest_ % kRemembered] = false;
  came_[number % kRemembered] = true;
}

}  // namespace penstock::net::layers
