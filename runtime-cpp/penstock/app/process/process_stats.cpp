#include "penstock/app/process/process_stats.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <string_view>

namespace penstock::app {

namespace {

using Text = std::array<char, 2048>;

std::string_view read_file(const char* path, Text& text) noexcept {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const ssize_t size = read(file, text.data(), text.size());
  close(file);
  return size <= 0 ? std::string_view{}
                   : std::string_view{text.data(), static_cast<std::size_t>(size)};
}

// The number behind `key` and blanks.
std::uint64_t number_after(std::string_view text, std::string_view key) noexcept {
  std::size_t at = text.find(key);
  if (at == std::string_view::npos) return 0;
  at += key.size();
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  std::uint64_t number = 0;
  std::from_chars(text.data() + at, text.data() + text.size(), number);
  return number;
}

// Field `index` (from 1, as in proc(5)) of a stat file. The name in field 2 may hold blanks.
std::string_view stat_field(std::string_view stat, int index) noexcept {
  std::size_t at = stat.rfind(')');
  for (int field = 2; at != std::string_view::npos && field < index; ++field) {
    at = stat.find(' ', at + 1);
  }
  if (at == std::string_view::npos) return {};
  const std::size_t end = stat.find(' ', at + 1);
  return stat.substr(at + 1, end == std::string_view::npos ? end : end - at - 1);
}

std::uint64_t clock_ns(clockid_t clock) noexcept {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return 0;
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

metrics::ProcessRow read_process() {
  metrics::ProcessRow row;
  row.cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  Text text{};
  const std::string_view status = read_file("/proc/self/status", text);
  row.rss_bytes = number_after(status, "VmRSS:") * 1024;
  row.threads = static_cast<std::uint32_t>(number_after(status, "Threads:"));
  return row;
}

std::uint64_t thread_cpu_ns(int tid) noexcept {
  // The kernel's clock id of a thread's CPU time, as pthread_getcpuclockid makes it.
  constexpr unsigned kPerThreadSched = 6;
  return clock_ns(static_cast<clockid_t>((~static_cast<unsigned>(tid) << 3U) | kPerThreadSched));
}

Switches read_switches(int tid) noexcept {
  Switches switches;
  std::array<char, 64> path{};
  Text text{};
  std::snprintf(path.data(), path.size(), "/proc/self/task/%d/status", tid);
  const std::string_view status = read_file(path.data(), text);
  switches.voluntary = number_after(status, "\nvoluntary_ctxt_switches:");
  switches.involuntary = number_after(status, "\nnonvoluntary_ctxt_switches:");
  std::snprintf(path.data(), path.size(), "/proc/self/task/%d/stat", tid);
  const std::string_view cpu = stat_field(read_file(path.data(), text), 39);
  std::from_chars(cpu.data(), cpu.data() + cpu.size(), switches.cpu);
  return switches;
}

}  // namespace penstock::app
