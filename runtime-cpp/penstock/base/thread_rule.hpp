#pragma once

#include <cstdint>
#include <type_traits>

/// Rules about threads, in the words of the interfaces that have them. Checked where the runtime is
/// built for tests (the presets dev, asan and tsan, and the worlds); elsewhere this is nothing.
namespace penstock {

/// Says on stderr which rule was broken, and aborts.
[[noreturn]] void broken_rule(const char* rule) noexcept;

#ifdef PENSTOCK_CHECKS
inline constexpr bool kChecksRules = true;
#else
inline constexpr bool kChecksRules = false;
#endif

inline void expect_rule(bool holds, const char* rule) noexcept {
  if constexpr (kChecksRules) {
    if (!holds) broken_rule(rule);
  }
}

/// The number of the calling thread, from 1; no other one has it.
[[nodiscard]] std::uint64_t calling_thread() noexcept;

struct NoThread {
  void note() const noexcept {}
  void check(const char* /*rule*/) const noexcept {}
  void own(const char* /*rule*/) const noexcept {}
};

/// A thread that something belongs to; before note() it belongs to any.
struct NotedThread {
  void note() noexcept { thread = calling_thread(); }
  void check(const char* rule) const noexcept {
    expect_rule(thread == 0 || thread == calling_thread(), rule);
  }
  /// check(), and from the first time on it belongs to who called that.
  void own(const char* rule) noexcept {
    if (thread == 0) note();
    check(rule);
  }
  std::uint64_t thread = 0;
};

using OwnThread = std::conditional_t<kChecksRules, NotedThread, NoThread>;

}  // namespace penstock
