// A producer that is kept away in the middle of its push, in simulated worlds.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "penstock/mailbox/mpsc.hpp"
#include "world/drawn.hpp"

namespace penstock::mailbox {
namespace {

using world::Crowd;
using world::explore;
using world::World;

thread_local bool t_is_preempted = false;
int g_looks = 0;

// Its owner's thread is away for a millisecond between the two halves of a push.
template <class T>
struct Preempted {
  Preempted() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): as std::atomic
  Preempted(T value) noexcept : value_(value) {}
  T load(std::memory_order order) const noexcept {
    ++g_looks;
    return value_.load(order);
  }
  void store(T value, std::memory_order order) noexcept { value_.store(value, order); }
  T exchange(T value, std::memory_order order) noexcept {
    const T before = value_.exchange(value, order);
    if (t_is_preempted) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return before;
  }

 private:
  std::atomic<T> value_{};
};

TEST(MailboxWorld, AConsumerLooksSeldomForAProducerThatIsPreemptedInTheMiddleOfItsPush) {
  explore([](World& world) {
    auto& random = world.random();
    MpscQueue<Preempted> queue;
    std::array<BasicNode<Preempted>, 3> nodes;
    g_looks = 0;
    Crowd crowd;
    for (BasicNode<Preempted>& node : nodes) {
      crowd.add([&queue, &node, preempted = random.once_in(2)] {
        t_is_preempted = preempted;
        queue.push(node);
      });
    }
    // Somebody is at work meanwhile, or time would jump while the consumer looks in vain.
    std::atomic<bool> over{false};
    std::atomic<int> work{0};
    crowd.add([&] {
      while (!over) {
        ++work;
        std::this_thread::yield();
      }
    });
    std::size_t taken = 0;
    int empty = 0;
    while (taken != nodes.size()) {
      if (queue.pop() != nullptr) {
        ++taken;
      } else {
        ++empty;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    }
    over = true;
    crowd.join();
    // For three of them at most the looks before it sleeps, and some that are ever longer apart; a
    // few each time that there is nothing, as long as those who push are held up before it.
    EXPECT_LT(g_looks, 500 + 4 * empty);
  });
}

}  // namespace
}  // namespace penstock::mailbox
