// moodycamel::ConcurrentQueue: as it comes, with tokens, and with tokens and bulk dequeues of 256.
#include <concurrentqueue/concurrentqueue.h>

#include <array>

#include "queues/many_to_one.hpp"

namespace compare {
namespace {

using Queue = moodycamel::ConcurrentQueue<std::uint64_t>;

struct Plain {
  Queue queue;

  struct Producer {
    Producer(Plain& to, unsigned /*number*/) : queue(to.queue) {}
    void push(std::uint64_t value) { queue.enqueue(value); }
    Queue& queue;
  };
  std::uint64_t drain(std::uint64_t& sum) {
    std::uint64_t value = 0;
    if (!queue.try_dequeue(value)) return 0;
    sum += value;
    return 1;
  }
};

template <std::size_t bulk>
struct Tokens {
  Queue queue;
  moodycamel::ConsumerToken token{queue};
  std::array<std::uint64_t, bulk> values{};

  struct Producer {
    Producer(Tokens& to, unsigned /*number*/) : queue(to.queue), token(to.queue) {}
    void push(std::uint64_t value) { queue.enqueue(token, value); }
    Queue& queue;
    moodycamel::ProducerToken token;
  };
  std::uint64_t drain(std::uint64_t& sum) {
    if constexpr (bulk == 1) {
      if (!queue.try_dequeue(token, values[0])) return 0;
      sum += values[0];
      return 1;
    } else {
      const std::size_t count = queue.try_dequeue_bulk(token, values.data(), bulk);
      for (std::size_t item = 0; item < count; ++item) sum += values[item];
      return count;
    }
  }
};

const EnterQueue<Plain> kPlain("moodycamel", "moodycamel::ConcurrentQueue");
const EnterQueue<Tokens<1>> kTokens("moodycamel-tokens", "the same with tokens");
const EnterQueue<Tokens<256>> kBulk("moodycamel-bulk", "the same with tokens, 256 at a time");

}  // namespace
}  // namespace compare
