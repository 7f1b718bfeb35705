#include "penstock/call/activation/thread_rules.hpp"

#include <cstdio>
#include <cstdlib>

namespace penstock::call {

void broken_rule(const char* rule) noexcept {
  std::fprintf(stderr, "penstock: a rule about threads was broken: %s\n", rule);
  std::abort();
}

}  // namespace penstock::call
