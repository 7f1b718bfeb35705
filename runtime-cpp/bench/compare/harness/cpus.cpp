#include "harness/cpus.hpp"

#include <sched.h>

#include <system_error>

namespace compare {

namespace {

void set(const cpu_set_t& wanted) {
  if (sched_setaffinity(0, sizeof wanted, &wanted) != 0) {
    throw std::system_error(errno, std::generic_category(), "sched_setaffinity");
  }
}

std::vector<int> allowed() {
  cpu_set_t now;
  if (sched_getaffinity(0, sizeof now, &now) != 0) {
    throw std::system_error(errno, std::generic_category(), "sched_getaffinity");
  }
  std::vector<int> found;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<unsigned>(cpu), &now)) found.push_back(cpu);
  }
  return found;
}

}  // namespace

const std::vector<int>& cpus() {
  static const std::vector<int> known = allowed();
  return known;
}

int cpu(unsigned thread) { return cpus()[thread % cpus().size()]; }

void pin(unsigned thread) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(cpu(thread)), &one);
  set(one);
}

void stay_on_first(unsigned count) {
  cpu_set_t some;
  CPU_ZERO(&some);
  for (unsigned thread = 0; thread < count; ++thread) {
    CPU_SET(static_cast<unsigned>(cpu(thread)), &some);
  }
  set(some);
}

}  // namespace compare
