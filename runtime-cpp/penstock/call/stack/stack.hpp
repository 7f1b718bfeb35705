#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "penstock/base/time.hpp"

namespace penstock::call {

/// Where a thread puts its stack when it is asked for it. One at a time asks.
struct StackRequest {
  static constexpr std::size_t kDeepest = 64;

  int tid = 0;
  std::atomic<std::uint32_t> state{0};
  std::array<void*, kDeepest> frames{};
  int depth = 0;
};

/// Once in a process, before read_stack(): a reserved real-time signal gets its handler. Any
/// thread.
void prepare_stack_reading() noexcept;
/// Lets the calling thread be asked, until forget_stack_reading(); `request` lives as long.
void allow_stack_reading(StackRequest& request) noexcept;
void forget_stack_reading() noexcept;

/// The return addresses of another thread of this process, innermost first, whatever it is doing.
/// Empty when it does not answer in `patience` (the kernel holds it, or it blocks the signal). The
/// signal may end a system call of that thread with EINTR.
[[nodiscard]] std::vector<void*> read_stack(StackRequest& request, Nanos patience);

/// `ads::GetAd::handle(ads::AdRequest const&)+0x1f (ads-server+0x2c4f)`; without the function where
/// nobody knows it.
[[nodiscard]] std::string name_of_code(void* return_address);

}  // namespace penstock::call
