#include "penstock/base/thread_rule.hpp"

#include <cstdio>
#include <cstdlib>

namespace penstock {

void broken_rule(const char* rule) noexcept {
  std::fprintf(stderr, "penstock: a rule about threads was broken: %s\n", rule);
  std::abort();
}

const void* calling_thread() noexcept {
  constinit thread_local char here = 0;
  return &here;
}

}  // namespace penstock
