#include "penstock/call/stack/stack.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "penstock/call/stack/own_symbols.hpp"
#include "penstock/exec/affinity.hpp"

namespace penstock::call {

namespace {

constexpr std::uint32_t kIdle = 0;
constexpr std::uint32_t kAsked = 1;
constexpr std::uint32_t kReading = 2;
constexpr std::uint32_t kRead = 3;

// Our handler and the kernel's way into it.
constexpr int kFramesOfTheSignal = 2;

constinit thread_local StackRequest* t_request = nullptr;

int stack_signal() noexcept { return SIGRTMIN + 7; }

// Async-signal-safe: atomics without lock, and an unwinder that was loaded before (and takes no
// lock since glibc 2.35).
void on_signal(int /*signal*/) noexcept {
  const int error = errno;
  StackRequest* const request = t_request;
  std::uint32_t state = kAsked;
  // Not asked, or not any more: somebody else's signal, or too late.
  if (request != nullptr &&
      request->state.compare_exchange_strong(state, kReading, std::memory_order_acquire)) {
    request->depth = backtrace(request->frames.data(), static_cast<int>(request->frames.size()));
    // Release: who sees it sees the frames.
    request->state.store(kRead, std::memory_order_release);
  }
  errno = error;
}

}  // namespace

void prepare_stack_reading() noexcept {
  // The first use loads the unwinder, which allocates.
  std::array<void*, 4> frames{};
  static_cast<void>(backtrace(frames.data(), static_cast<int>(frames.size())));
  struct sigaction action {};
  action.sa_handler = &on_signal;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(stack_signal(), &action, nullptr);
}

void allow_stack_reading(StackRequest& request) noexcept {
  request.tid = exec::this_tid();
  t_request = &request;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, stack_signal());
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

void forget_stack_reading() noexcept {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, stack_signal());
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  t_request = nullptr;
}

std::vector<void*> read_stack(StackRequest& request, Nanos patience) {
  request.state.store(kAsked, std::memory_order_release);
  if (syscall(SYS_tgkill, getpid(), request.tid, stack_signal()) != 0) return {};
  const Nanos deadline = after(now_ns(), patience);
  while (request.state.load(std::memory_order_acquire) != kRead) {
    std::uint32_t state = kAsked;
    if (now_ns() >= deadline &&
        request.state.compare_exchange_strong(state, kIdle, std::memory_order_acq_rel)) {
      return {};
    }
    const timespec moment{0, 100'000};
    nanosleep(&moment, nullptr);
  }
  request.state.store(kIdle, std::memory_order_relaxed);
  const int skipped = request.depth > kFramesOfTheSignal ? kFramesOfTheSignal : 0;
  // Not in braces: two pointers would be taken for a list of two.
  return std::vector<void*>(request.frames.begin() + skipped,
                            request.frames.begin() + request.depth);
}

std::string name_of_code(void* return_address) {
  std::array<char, 64> text{};
  const auto hex = [&text](std::uintptr_t number) {
    std::snprintf(text.data(), text.size(), "+0x%zx", static_cast<std::size_t>(number));
    return std::string(text.data());
  };
  const auto address = reinterpret_cast<std::uintptr_t>(return_address);
  Dl_info info{};
  // The call comes before the address it returns to, which may belong to the next function.
  if (dladdr(static_cast<const char*>(return_address) - 1, &info) == 0 ||
      info.dli_fname == nullptr) {
    return "?" + hex(address);
  }
  const std::string file = info.dli_fname;
  std::string module = file.substr(file.rfind('/') + 1) +
                       hex(address - reinterpret_cast<std::uintptr_t>(info.dli_fbase));
  const char* name = info.dli_sname;
  std::uintptr_t offset = address - reinterpret_cast<std::uintptr_t>(info.dli_saddr);
  if (name == nullptr) {
    const auto own = own_function_at(static_cast<const char*>(return_address) - 1);
    if (!own) return module;
    name = own->name;
    offset = own->offset + 1;
  }
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return (status == 0 ? plain.get() : name) + hex(offset) + " (" + module + ")";
}

}  // namespace penstock::call
