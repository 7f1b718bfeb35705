#pragma once

#include <type_traits>

#include "penstock/call/activation/activation.hpp"

/// Rules of the public classes about threads. Checked where the runtime is built for tests (the
/// presets dev, asan and tsan); elsewhere this is nothing.
namespace penstock::call {

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

struct NoThread {
  void note() const noexcept {}
  void check(const char* /*rule*/) const noexcept {}
};

/// A thread that something belongs to; before note() it belongs to any.
struct NotedThread {
  void note() noexcept { turn = &t_turn; }
  void check(const char* rule) const noexcept {
    expect_rule(turn == nullptr || turn == &t_turn, rule);
  }
  const Turn* turn = nullptr;
};

using OwnThread = std::conditional_t<kChecksRules, NotedThread, NoThread>;

}  // namespace penstock::call
