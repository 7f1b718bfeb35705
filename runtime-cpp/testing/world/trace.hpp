#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace penstock::world {

/// Why a thread stopped running.
enum class Why : std::uint8_t { step, pause, waits, stall, ended };

/// The last switches of a world.
class Trace {
 public:
  struct Entry {
    std::int64_t at = 0;
    unsigned thread = 0;
    Why why = Why::step;
    const void* where = nullptr;  ///< an address in its code
  };

  void add(const Entry& entry) noexcept { entries_[count_++ % entries_.size()] = entry; }
  /// A line each, oldest first, with the place in the source where `addr2line` finds it.
  [[nodiscard]] std::string text(std::int64_t since) const;

 private:
  std::array<Entry, 64> entries_{};
  std::uint64_t count_ = 0;
};

}  // namespace penstock::world
