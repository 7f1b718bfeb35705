// boost::lockfree::queue, with its nodes made beforehand.
#include <boost/lockfree/queue.hpp>

#include "queues/many_to_one.hpp"

namespace compare {
namespace {

struct Lockfree {
  boost::lockfree::queue<std::uint64_t> queue{4096};

  struct Producer {
    Producer(Lockfree& to, unsigned /*number*/) : queue(to.queue) {}
    void push(std::uint64_t value) {
      while (!queue.push(value)) pause();
    }
    boost::lockfree::queue<std::uint64_t>& queue;
  };
  std::uint64_t drain(std::uint64_t& sum) {
    std::uint64_t value = 0;
    if (!queue.pop(value)) return 0;
    sum += value;
    return 1;
  }
};

const EnterQueue<Lockfree> kLockfree("boost-lockfree", "boost::lockfree::queue");

}  // namespace
}  // namespace compare
