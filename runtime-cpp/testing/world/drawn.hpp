#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "penstock/exec/policy.hpp"
#include "support/small_binary.hpp"
#include "world/explore.hpp"

/// What the tests of several rooms draw for their worlds.
namespace penstock::world {

inline exec::PoolSettings drawn_pool(Random& random, std::string name, int most_threads = 3) {
  auto settings = penstock::testing::pool_settings(
      std::move(name), static_cast<std::size_t>(random.between(1, most_threads)),
      random.one_of<std::uint32_t>({1, 2, 4, 16, 256}));
  // Spinning costs many switches and shows little more than the first few looks.
  settings.idle = random.once_in(8) ? exec::Idle::adaptive : exec::Idle::park;
  return settings;
}

/// Threads that a test starts and waits for.
class Crowd {
 public:
  Crowd() = default;
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  ~Crowd() { join(); }

  template <class Body>
  void add(Body body) {
    threads_.emplace_back(std::move(body));
  }
  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::vector<std::thread> threads_;
};

/// For a moment of up to so many microseconds, or not at all.
inline void linger(Random& random, int most_micros) {
  const int micros = random.between(-most_micros, most_micros);
  if (micros > 0) std::this_thread::sleep_for(std::chrono::microseconds(micros));
}

}  // namespace penstock::world
