#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "penstock/mailbox/lane.hpp"
#include "penstock/mailbox/mpsc.hpp"
#include "penstock/mailbox/shared_queue.hpp"

namespace penstock::mailbox {
namespace {

// An atomic that gives up its CPU now and then between two operations: it opens the windows that a
// preempted thread would, thousands of times a second.
template <class T>
class YieldingAtomic {
 public:
  YieldingAtomic() = default;
  YieldingAtomic(T value) : value_(value) {}  // NOLINT: as std::atomic
  T load(std::memory_order order = std::memory_order_seq_cst) const {
    maybe_yield();
    return value_.load(order);
  }
  void store(T value, std::memory_order order = std::memory_order_seq_cst) {
    maybe_yield();
    value_.store(value, order);
    maybe_yield();
  }
  T exchange(T value, std::memory_order order = std::memory_order_seq_cst) {
    T old = value_.exchange(value, order);
    maybe_yield();
    return old;
  }

 private:
  static void maybe_yield() {
    static thread_local std::uint32_t state =
        static_cast<std::uint32_t>(std::hash<std::thread::id>{}(std::this_thread::get_id())) | 1U;
    state ^= state << 13U;
    state ^= state >> 17U;
    state ^= state << 5U;
    if (state % 64 == 0) std::this_thread::yield();
  }
  std::atomic<T> value_{};
};

template <template <class> class Atomic>
struct Mpsc {
  struct Item : BasicNode<Atomic> {
    int producer = 0;
    int number = 0;
  };
  void push(Item& item) { queue.push(item); }
  Item* pop() { return static_cast<Item*>(queue.pop()); }
  MpscQueue<Atomic> queue;
};
struct Shared {
  struct Item : Node {
    int producer = 0;
    int number = 0;
  };
  void push(Item& item) { queue.push(item); }
  Item* pop() { return static_cast<Item*>(queue.pop()); }
  SharedQueue queue;
};

template <class T>
class EveryMailbox : public ::testing::Test {};
using Mailboxes = ::testing::Types<Mpsc<std::atomic>, Mpsc<YieldingAtomic>, Shared>;
TYPED_TEST_SUITE(EveryMailbox, Mailboxes);

TYPED_TEST(EveryMailbox, IsEmptyAtFirst) {
  TypeParam mailbox;
  EXPECT_EQ(mailbox.pop(), nullptr);
}

TYPED_TEST(EveryMailbox, GivesBackWhatWasPutInAndOnlyOnce) {
  TypeParam mailbox;
  typename TypeParam::Item item;
  for (int turn = 0; turn < 3; ++turn) {
    mailbox.push(item);
    EXPECT_EQ(mailbox.pop(), &item);
    EXPECT_EQ(mailbox.pop(), nullptr);
  }
}

TYPED_TEST(EveryMailbox, KeepsTheOrderOfEachProducerAndLosesNothing) {
  constexpr int kProducers = 4;
  constexpr int kItems = 20'000;
  TypeParam mailbox;
  std::vector<std::vector<typename TypeParam::Item>> items;
  for (int producer = 0; producer < kProducers; ++producer) items.emplace_back(kItems);
  std::vector<std::thread> producers;
  for (int producer = 0; producer < kProducers; ++producer) {
    producers.emplace_back([&, producer] {
      for (int number = 0; number < kItems; ++number) {
        auto& item = items[static_cast<std::size_t>(producer)][static_cast<std::size_t>(number)];
        item.producer = producer;
        item.number = number;
        mailbox.push(item);
      }
    });
  }
  std::vector<int> next(kProducers, 0);
  for (int taken = 0; taken < kProducers * kItems;) {
    auto* item = mailbox.pop();
    if (item == nullptr) {
      std::this_thread::yield();
      continue;
    }
    ++taken;
    ASSERT_EQ(item->number, next[static_cast<std::size_t>(item->producer)]++);
  }
  EXPECT_EQ(mailbox.pop(), nullptr);
  for (std::thread& producer : producers) producer.join();
}

template <template <class> class Atomic>
void sends_through_a_lane() {
  constexpr int kItems = 30'000;
  BasicLane<Atomic> lane(2);
  struct Item : BasicNode<Atomic> {
    int number = 0;
  };
  std::vector<Item> items(kItems);
  std::thread producer([&] {
    for (int number = 0; number < kItems; ++number) {
      items[static_cast<std::size_t>(number)].number = number;
      lane.push(items[static_cast<std::size_t>(number)]);
    }
  });
  for (int next = 0; next < kItems;) {
    auto* const node = lane.pop();
    if (node == nullptr) {
      std::this_thread::yield();
      continue;
    }
    ASSERT_EQ(static_cast<Item*>(node)->number, next++);
  }
  producer.join();
  EXPECT_EQ(lane.pop(), nullptr);
  EXPECT_TRUE(lane.empty());
}

TEST(LaneTest, KeepsTheOrderWhileItsRingGrows) {
  sends_through_a_lane<std::atomic>();
  sends_through_a_lane<YieldingAtomic>();
}

TEST(SharedQueueTest, TakesNoMoreThanItsLimit) {
  SharedQueue queue;
  Node one;
  Node two;
  Node three;
  EXPECT_TRUE(queue.push_within(one, 2));
  EXPECT_TRUE(queue.push_within(two, 2));
  EXPECT_FALSE(queue.push_within(three, 2));
  EXPECT_EQ(queue.size(), 2U);
}

TEST(SharedQueueTest, ShedsTheOldest) {
  SharedQueue queue;
  Node one;
  Node two;
  Node three;
  queue.push(one);
  queue.push(two);
  EXPECT_EQ(queue.pop_beyond(2), nullptr);
  queue.push(three);
  EXPECT_EQ(queue.pop_beyond(2), &one);
  EXPECT_EQ(queue.pop_beyond(2), nullptr);
  EXPECT_EQ(queue.pop(), &two);
  EXPECT_EQ(queue.pop(), &three);
  EXPECT_EQ(queue.size(), 0U);
}

TEST(SharedQueueTest, ManyConsumersTakeEachItemOnce) {
  constexpr int kItems = 40'000;
  SharedQueue queue;
  std::vector<Shared::Item> items(kItems);
  std::vector<std::atomic<int>> taken(kItems);
  std::atomic<int> left{kItems};
  std::vector<std::thread> threads;
  for (int consumer = 0; consumer < 3; ++consumer) {
    threads.emplace_back([&] {
      while (left.load() > 0) {
        if (Node* node = queue.pop()) {
          taken[static_cast<std::size_t>(static_cast<Shared::Item*>(node)->number)]++;
          left--;
        } else {
          std::this_thread::yield();
        }
      }
    });
  }
  for (int number = 0; number < kItems; ++number) {
    items[static_cast<std::size_t>(number)].number = number;
    queue.push(items[static_cast<std::size_t>(number)]);
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& count : taken) ASSERT_EQ(count.load(), 1);
}

}  // namespace
}  // namespace penstock::mailbox
