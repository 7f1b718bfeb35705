#include "penstock/exec/affinity.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "penstock/exec/cpu_quota.hpp"

namespace penstock::exec {

namespace {

constexpr int kCpus = CPU_SETSIZE;

std::vector<int> list(const cpu_set_t& set) {
  std::vector<int> cpus;
  for (int cpu = 0; cpu < kCpus; ++cpu) {
    if (CPU_ISSET(static_cast<unsigned>(cpu), &set)) cpus.push_back(cpu);
  }
  return cpus;
}

}  // namespace

const std::vector<int>& process_cpus() {
  static const std::vector<int> cpus = affinity_of(getpid());
  return cpus;
}

unsigned usable_cpus() {
  static const unsigned usable = [] {
    std::ifstream file("/proc/self/cgroup");
    const std::string groups{std::istreambuf_iterator<char>(file), {}};
    const auto present = static_cast<unsigned>(std::max<std::size_t>(process_cpus().size(), 1));
    return std::min(present, cpu_quota("/sys/fs/cgroup", groups).value_or(present));
  }();
  return usable;
}

std::vector<int> affinity_of(int tid) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(tid, sizeof set, &set) != 0) return {};
  return list(set);
}

bool set_affinity(int tid, const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus.empty() ? process_cpus() : cpus) {
    if (cpu < 0 || cpu >= kCpus) return false;
    CPU_SET(static_cast<unsigned>(cpu), &set);
  }
  return sched_setaffinity(tid, sizeof set, &set) == 0;
}

std::vector<int> absent_cpus(const std::vector<int>& cpus) {
  const std::vector<int>& present = process_cpus();
  std::vector<int> absent;
  std::copy_if(cpus.begin(), cpus.end(), std::back_inserter(absent), [&present](int cpu) {
    return std::find(present.begin(), present.end(), cpu) == present.end();
  });
  return absent;
}

std::string thread_name(const std::string& pool, unsigned index) {
  const std::string suffix = "-" + std::to_string(index);
  return pool.substr(0, 15 - suffix.size()) + suffix;
}

int this_tid() noexcept { return static_cast<int>(syscall(SYS_gettid)); }

void name_this_thread(const std::string& name) noexcept {
  pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
}

}  // namespace penstock::exec
