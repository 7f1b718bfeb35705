// The queue of every textbook.
#include <deque>
#include <mutex>

#include "queues/many_to_one.hpp"

namespace compare {
namespace {

struct Locked {
  std::mutex mutex;
  std::deque<std::uint64_t> items;

  struct Producer {
    Producer(Locked& to, unsigned /*number*/) : queue(to) {}
    void push(std::uint64_t value) {
      const std::lock_guard hold(queue.mutex);
      queue.items.push_back(value);
    }
    Locked& queue;
  };
  std::uint64_t drain(std::uint64_t& sum) {
    const std::lock_guard hold(mutex);
    if (items.empty()) return 0;
    sum += items.front();
    items.pop_front();
    return 1;
  }
};

const EnterQueue<Locked> kLocked("mutex-deque", "std::deque behind a std::mutex");

}  // namespace
}  // namespace compare
