#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "penstock/base/time.hpp"

namespace penstock::net {

/// Who was not served at a door, by the reason. Any thread.
class Refusals {
 public:
  enum class Why : std::uint8_t {
    stranger,  ///< another user's process
    key,  ///< none that is taken, or another binary's; over TLS also what speaks something else
    malformed,  ///< it speaks something else
    not_drawn,  ///< a call that the drawing does not have
    crowded,    ///< too many came that did not say who they are
  };
  static constexpr std::array<std::string_view, 5> kNames{"stranger", "key", "malformed",
                                                          "not_drawn", "crowded"};

  /// `say` is told of the first one of each reason, and then once a minute at most, on the thread
  /// that refused it. It may not throw.
  explicit Refusals(std::function<void(const std::string& text)> say = {}) : say_(std::move(say)) {}

  /// `who` and `text` as people read them.
  void count(Why why, const std::string& who, const std::string& text, Nanos now) noexcept;
  [[nodiscard]] std::uint64_t counted(Why why) const noexcept {
    return of(why).count.load(std::memory_order_relaxed);
  }

 private:
  static constexpr Nanos kPause = 60'000'000'000;
  struct Reason {
    std::atomic<std::uint64_t> count{0};
    std::atomic<std::uint64_t> told{0};  // of the count
    std::atomic<Nanos> told_at{0};
  };
  [[nodiscard]] const Reason& of(Why why) const noexcept {
    return reasons_[static_cast<std::size_t>(why)];
  }

  const std::function<void(const std::string& text)> say_;
  std::array<Reason, kNames.size()> reasons_;
};

}  // namespace penstock::net
