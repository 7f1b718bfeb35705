#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "penstock/net/link/sent_calls.hpp"
#include "penstock/net/wire/together.hpp"

namespace penstock::net {

class LinkUser;
class SentRow;

/// What a link does with calls that it was given as a row: all on the link's thread. `link` is
/// whoever the link belongs to that had them.
struct SentRowType {
  std::size_t (*size)(const SentRow& row, std::uint32_t place);  ///< bytes of a request
  void (*write)(const SentRow& row, std::uint32_t place, char* at, std::size_t bytes);
  /// Of calls, one a bit: they are answered with nothing. Each call ends once, here or there.
  void (*answered)(SentRow& row, std::uint64_t places, LinkUser& link) noexcept;
  void (*ended)(SentRow& row, std::uint32_t place, const CallEnd& end, LinkUser& link) noexcept;
};

/// Up to kMostTogether calls of one service, by their places, that carry nothing but requests; who
/// makes them keeps them until all that were sent have ended.
class SentRow {
 public:
  explicit SentRow(const SentRowType& its_type) noexcept : type(its_type) {}
  SentRow(const SentRow&) = delete;
  SentRow& operator=(const SentRow&) = delete;

  const SentRowType& type;

 protected:
  ~SentRow() = default;

 private:
  friend class SentRows;
  const void* link_ = nullptr;  // the last that has had some of them
  std::uint64_t number_ = 0;    // that they had there
};

/// Those of one link that have calls under way. A row has a number for its first place, and the
/// ones behind it for the others: the highest bit, how often it was used before, and a slot.
class SentRows {
 public:
  /// The number of a call in a row, and no other one's.
  [[nodiscard]] static bool has_number(std::uint64_t number) noexcept {
    return (number & kRow) != 0;
  }
  [[nodiscard]] static std::uint32_t place_of(std::uint64_t number) noexcept {
    return static_cast<std::uint32_t>(number) & (wire::kMostTogether - 1);
  }

  /// The number for the row's first place: the one it has, as long as a call of it is under way
  /// here. A new one needs an add(). Throws std::bad_alloc.
  std::uint64_t number_for(SentRow& row) {
    if (row.link_ == this) {
      const Slot* const slot = find(row.number_);
      if (slot != nullptr && slot->row == &row) return row.number_;
    }
    if (free_.empty()) {
      free_.reserve(slots_.size() + 1);
      slots_.emplace_back();
      free_.push_back(static_cast<std::uint32_t>(slots_.size() - 1));
    }
    const std::uint32_t at = free_.back();
    free_.pop_back();
    Slot& slot = slots_[at];
    slot.row = &row;
    row.link_ = this;
    row.number_ = kRow | std::uint64_t{slot.uses} << 32U | std::uint64_t{at} << kPlaceBits;
    return row.number_;
  }
  /// Calls of one that has just got its number are under way from now on. None at all: it has none.
  void add(const SentRow& row, std::uint64_t places, std::uint32_t count) noexcept {
    Slot& slot = slot_of(row.number_);
    slot.under_way |= places;
    calls_ += count;
    if (slot.under_way == 0) free(slot);
  }
  /// Those of `places`, from that of the number on, that were under way, and are not any more;
  /// null: none was.
  SentRow* take(std::uint64_t number, std::uint64_t& places) noexcept {
    places <<= place_of(number);
    Slot* const slot = find(number);
    return slot != nullptr ? take_from(*slot, places) : nullptr;
  }
  /// Calls of any of them; null: none is under way.
  SentRow* take_any(std::uint64_t& places) noexcept {
    if (calls_ == 0) return nullptr;
    places = ~std::uint64_t{0};
    const auto has = [](const Slot& slot) { return slot.under_way != 0; };
    return take_from(*std::find_if(slots_.begin(), slots_.end(), has), places);
  }
  [[nodiscard]] std::size_t calls() const noexcept { return calls_; }

 private:
  static constexpr std::uint64_t kRow = std::uint64_t{1} << 63U;
  static constexpr unsigned kPlaceBits = 6;
  static constexpr std::uint32_t kMostUses = 0x7FFFFFFF;
  static_assert(std::uint32_t{1} << kPlaceBits == wire::kMostTogether);
  struct Slot {
    SentRow* row = nullptr;
    std::uint64_t under_way = 0;
    std::uint32_t uses = 0;
  };

  [[nodiscard]] Slot& slot_of(std::uint64_t number) noexcept {
    return slots_[static_cast<std::uint32_t>(number) >> kPlaceBits];
  }
  // None, or another one: it has ended.
  [[nodiscard]] Slot* find(std::uint64_t number) noexcept {
    if (!has_number(number)) return nullptr;
    if (static_cast<std::uint32_t>(number) >> kPlaceBits >= slots_.size()) return nullptr;
    Slot& slot = slot_of(number);
    const std::uint64_t uses = number >> 32U & kMostUses;
    return slot.row != nullptr && slot.uses == uses ? &slot : nullptr;
  }
  SentRow* take_from(Slot& slot, std::uint64_t& places) noexcept {
    places &= slot.under_way;
    if (places == 0) return nullptr;
    SentRow* const row = slot.row;
    slot.under_way &= ~places;
    calls_ -= static_cast<std::size_t>(std::popcount(places));
    if (slot.under_way == 0) free(slot);
    return row;
  }
  void free(Slot& slot) noexcept {
    slot.row = nullptr;
    slot.uses = (slot.uses + 1) & kMostUses;
    free_.push_back(static_cast<std::uint32_t>(&slot - slots_.data()));
  }

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;  // has room for all of them
  std::size_t calls_ = 0;
};

}  // namespace penstock::net
