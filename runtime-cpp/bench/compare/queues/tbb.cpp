// oneTBB's unbounded queue.
#include <oneapi/tbb/concurrent_queue.h>

#include "queues/many_to_one.hpp"

namespace compare {
namespace {

struct Tbb {
  tbb::concurrent_queue<std::uint64_t> queue;

  struct Producer {
    Producer(Tbb& to, unsigned /*number*/) : queue(to.queue) {}
    void push(std::uint64_t value) { queue.push(value); }
    tbb::concurrent_queue<std::uint64_t>& queue;
  };
  std::uint64_t drain(std::uint64_t& sum) {
    std::uint64_t value = 0;
    if (!queue.try_pop(value)) return 0;
    sum += value;
    return 1;
  }
};

const EnterQueue<Tbb> kTbb("tbb", "tbb::concurrent_queue");

}  // namespace
}  // namespace compare
