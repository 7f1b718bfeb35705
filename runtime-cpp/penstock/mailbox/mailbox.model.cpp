#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "penstock/mailbox/lane.hpp"
#include "penstock/mailbox/mpsc.hpp"
#include "penstock/mailbox/near_ring.hpp"
#include "support/interleavings.hpp"

namespace penstock::mailbox {
namespace {

using testing::Interleavings;
using testing::SteppedAtomic;

struct Item : BasicNode<SteppedAtomic> {
  int producer = 0;
  int number = 0;
};

// What a consumer found, and whether it is all that was sent, each producer's in order.
struct Sent {
  explicit Sent(int producers, int each) {
    for (int producer = 0; producer < producers; ++producer) {
      for (int number = 0; number < each; ++number) {
        items.push_back(std::make_unique<Item>());
        items.back()->producer = producer;
        items.back()->number = number;
      }
    }
    next.resize(static_cast<std::size_t>(producers));
  }
  void take(BasicNode<SteppedAtomic>* node) {
    auto& item = static_cast<Item&>(*node);
    ASSERT_EQ(item.number, next[static_cast<std::size_t>(item.producer)]++);
    ++taken;
  }
  std::vector<std::unique_ptr<Item>> items;
  std::vector<int> next;
  std::size_t taken = 0;
};

template <class Queue>
void pop_until_all_are_there(Queue& queue, Sent& sent) {
  while (sent.taken < sent.items.size()) {
    if (auto* node = queue.pop()) sent.take(node);
  }
}

TEST(MpscModel, KeepsEachProducersOrderAndLosesNothingUnderAnyInterleaving) {
  Interleavings interleavings(2);
  const std::size_t runs = interleavings.explore([] {
    auto queue = std::make_shared<MpscQueue<SteppedAtomic>>();
    auto sent = std::make_shared<Sent>(2, 2);
    const auto producer = [queue, sent](std::size_t first) {
      return [queue, sent, first] {
        queue->push(*sent->items[first]);
        queue->push(*sent->items[first + 1]);
      };
    };
    return Interleavings::Scenario{
        {producer(0), producer(2), [queue, sent] { pop_until_all_are_there(*queue, *sent); }},
        [queue, sent] {
          EXPECT_EQ(queue->pop(), nullptr);
          EXPECT_TRUE(queue->untouched());
        }};
  });
  EXPECT_GT(runs, 1000U);
}

TEST(LaneModel, KeepsTheOrderWhileItsRingGrowsUnderAnyInterleaving) {
  Interleavings interleavings(3);
  const std::size_t runs = interleavings.explore([] {
    auto lane = std::make_shared<BasicLane<SteppedAtomic>>(2);
    auto sent = std::make_shared<Sent>(1, 7);  // rings of 2, 4 and 8
    return Interleavings::Scenario{{[lane, sent] {
                                      for (const auto& item : sent->items) lane->push(*item);
                                    },
                                    [lane, sent] { pop_until_all_are_there(*lane, *sent); }},
                                   [lane] {
                                     EXPECT_EQ(lane->pop(), nullptr);
                                     EXPECT_TRUE(lane->empty());
                                   }};
  });
  EXPECT_GT(runs, 1000U);
}

// A ring of four: its cells are used twice while a thief reads them.
TEST(NearRingModel, GivesEachToOneTakerUnderAnyInterleaving) {
  Interleavings interleavings(3);
  const std::size_t runs = interleavings.explore([] {
    using Ring = BasicNearRing<SteppedAtomic, 4>;
    auto ring = std::make_shared<Ring>();
    auto sent = std::make_shared<Sent>(1, 7);
    auto taken = std::make_shared<std::vector<int>>(7);
    const auto note = [taken](BasicNode<SteppedAtomic>* node) {
      ++taken->at(static_cast<std::size_t>(static_cast<Item&>(*node).number));
    };
    return Interleavings::Scenario{{[ring, sent, note] {
                                      for (const auto& item : sent->items) {
                                        while (!ring->push(*item)) {
                                          if (auto* node = ring->pop()) note(node);
                                        }
                                      }
                                      while (auto* node = ring->pop()) note(node);
                                    },
                                    [ring, note] {
                                      std::array<BasicNode<SteppedAtomic>*, 2> into{};
                                      for (int look = 0; look < 2; ++look) {
                                        const std::uint32_t count = ring->take(into);
                                        for (std::uint32_t at = 0; at < count; ++at) note(into[at]);
                                      }
                                    }},
                                   [ring, taken] {
                                     EXPECT_TRUE(ring->empty());
                                     EXPECT_EQ(*taken, std::vector<int>(7, 1));
                                   }};
  });
  EXPECT_GT(runs, 1000U);
}

// The scheduler itself: a lost update needs one preemption, and is found with one only.
TEST(InterleavingsTest, FindsALostUpdate) {
  const auto lost = [](int preemptions) {
    int worst = 2;
    Interleavings interleavings(preemptions);
    interleavings.explore([&worst] {
      auto cell = std::make_shared<SteppedAtomic<int>>(0);
      const auto add = [cell] { cell->store(cell->load() + 1); };
      return Interleavings::Scenario{{add, add},
                                     [cell, &worst] { worst = std::min(worst, cell->load()); }};
    });
    return worst;
  };
  EXPECT_EQ(lost(0), 2);
  EXPECT_EQ(lost(1), 1);
}

TEST(InterleavingsTest, SaysThatAThreadWaitsForEver) {
  Interleavings interleavings(1);
  EXPECT_THROW(interleavings.explore([] {
    auto cell = std::make_shared<SteppedAtomic<int>>(0);
    return Interleavings::Scenario{{[cell] {
                                     while (cell->load() == 0) {
                                     }
                                   }},
                                   {}};
  }),
               std::runtime_error);
}

}  // namespace
}  // namespace penstock::mailbox
