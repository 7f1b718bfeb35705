#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace penstock::exec {

/// What a worker does when its mailbox is empty.
enum class Idle : std::uint8_t {
  spin,      ///< looks again and again: fastest, costs a CPU
  park,      ///< sleeps at once: for threads that share CPUs
  adaptive,  ///< spins a little while that pays, then sleeps
};

/// What a full queue does with one more request.
enum class Overflow : std::uint8_t {
  block,        ///< the caller waits
  reject,       ///< the caller gets resource_exhausted
  shed_oldest,  ///< the oldest waiting caller gets resource_exhausted
};

/// How a pool is set up. Sizes are checked by the configuration.
struct PoolSettings {
  std::string name;
  /// One entry a thread: the CPUs it may run on, empty: anywhere.
  std::vector<std::vector<int>> threads;
  Idle idle = Idle::adaptive;
  int priority = 0;  ///< nice level
  std::uint32_t queue = 1024;
  Overflow overflow = Overflow::block;
};

}  // namespace penstock::exec
