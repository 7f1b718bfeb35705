#include "penstock/base/thread_rule.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace penstock {

void broken_rule(const char* rule) noexcept {
  std::fprintf(stderr, "penstock: a rule about threads was broken: %s\n", rule);
  std::abort();
}

std::uint64_t calling_thread() noexcept {
  static std::atomic<std::uint64_t> threads{0};
  constinit thread_local std::uint64_t number = 0;
  if (number == 0) number = 1 + threads.fetch_add(1, std::memory_order_relaxed);
  return number;
}

}  // namespace penstock
