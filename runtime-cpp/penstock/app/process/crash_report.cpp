#include "penstock/app/process/crash_report.hpp"

#include <execinfo.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>

#include "penstock/call/service/service.hpp"
#include "penstock/call/stack/own_symbols.hpp"
#include "penstock/exec/affinity.hpp"

namespace penstock::app {

namespace {

constexpr std::size_t kStackBytes = std::size_t{64} * 1024;
constexpr int kDeepest = 64;

struct Fault {
  int signal;
  std::string_view name;
};
constexpr std::array<Fault, 5> kFaults{{{SIGSEGV, "SIGSEGV"},
                                        {SIGBUS, "SIGBUS"},
                                        {SIGFPE, "SIGFPE"},
                                        {SIGILL, "SIGILL"},
                                        {SIGABRT, "SIGABRT"}}};

std::array<char, 128> g_binary{};
// The thread that reports; 0: none.
std::atomic<pid_t> g_reporter{0};
thread_local std::unique_ptr<char[]> t_stack;

// A line put together without memory, for a signal handler.
class Line {
 public:
  Line& operator<<(std::string_view text) noexcept {
    const std::size_t bytes = std::min(text.size(), text_.size() - size_);
    std::memcpy(text_.data() + size_, text.data(), bytes);
    size_ += bytes;
    return *this;
  }
  Line& operator<<(std::uint64_t number) noexcept {
    char* const end = text_.data() + text_.size();
    const auto written = std::to_chars(text_.data() + size_, end, number, 16);
    if (written.ec == std::errc{}) size_ = static_cast<std::size_t>(written.ptr - text_.data());
    return *this;
  }
  void write() const noexcept {
    // Nothing can be done about a failure here.
    if (::write(STDERR_FILENO, text_.data(), size_) < 0) return;
  }

 private:
  std::array<char, 512> text_{};
  std::size_t size_ = 0;
};

// The function before the address that a call returns to, as the linker knows it: c++filt reads it.
void write_frame(void* frame) noexcept {
  if (const auto own = call::own_function_at(static_cast<const char*>(frame) - 1)) {
    Line line;
    line << g_binary.data() << "(" << own->name << "+0x" << own->offset + 1 << ")\n";
    line.write();
  } else {
    backtrace_symbols_fd(&frame, 1, STDERR_FILENO);
  }
}

void die_of(int signal) noexcept {
  std::signal(signal, SIG_DFL);
  raise(signal);
}

// Async-signal-safe but for the unwinder, whose worst is that the report ends here.
void on_fault(int signal) noexcept {
  pid_t reporter = 0;
  if (const pid_t self = exec::this_tid(); !g_reporter.compare_exchange_strong(reporter, self)) {
    if (reporter == self) {
      die_of(signal);  // of its own report
      return;
    }
    // Threads often crash of the same thing at once: the death of this one would cut off the
    // report of the first, which ends the process.
    for (;;) pause();
  }
  std::array<char, 16> thread{};
  prctl(PR_GET_NAME, thread.data(), 0UL, 0UL, 0UL);
  Line line;
  line << g_binary.data() << ": ";
  for (const Fault& fault : kFaults) {
    if (fault.signal == signal) line << fault.name;
  }
  // Services live as long as the binary, also while it crashes.
  const call::Implementation* const running = call::t_turn.running.load(std::memory_order_relaxed);
  if (running != nullptr) {
    line << " in service " << running->service->name;
    const Name own = running->name();
    if (!own.empty()) line << "/" << own;
  } else {
    line << " outside of the services";
  }
  line << " on thread " << thread.data() << "; its stack:\n";
  line.write();
  std::array<void*, kDeepest> frames{};
  const int depth = backtrace(frames.data(), kDeepest);
  for (int index = 0; index < depth; ++index) write_frame(frames[static_cast<std::size_t>(index)]);
  die_of(signal);
}

}  // namespace

void report_crashes(const std::string& binary) noexcept {
  call::load_own_symbols();
  binary.copy(g_binary.data(), g_binary.size() - 1);
  // The first use loads the unwinder, which allocates.
  std::array<void*, 4> frames{};
  static_cast<void>(backtrace(frames.data(), static_cast<int>(frames.size())));
  for (const Fault& fault : kFaults) {
    struct sigaction before {};
    sigaction(fault.signal, nullptr, &before);
    if ((before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_handler = &on_fault;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(fault.signal, &action, nullptr);
  }
}

void take_crash_stack() noexcept {
  t_stack.reset(new (std::nothrow) char[kStackBytes]);
  if (t_stack == nullptr) return;
  stack_t stack{};
  stack.ss_sp = t_stack.get();
  stack.ss_size = kStackBytes;
  sigaltstack(&stack, nullptr);
}

void give_back_crash_stack() noexcept {
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  t_stack.reset();
}

}  // namespace penstock::app
