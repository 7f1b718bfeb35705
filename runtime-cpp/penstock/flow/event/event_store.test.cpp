#include "penstock/flow/event/event_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>
#include <vector>

#include "penstock/flow/graph/trace.hpp"

namespace penstock::flow::event_store_test {
namespace {

constexpr std::size_t kBytes = 200;
constexpr std::size_t kMany = 10 * defaults::kEventsPerBatch;

std::vector<Event*> take(std::size_t count) {
  std::vector<Event*> events(count);
  for (Event*& event : events) event = &take_event(kBytes);
  return events;
}
void give_back(const std::vector<Event*>& events) {
  for (Event* const event : events) give_back_event(*event, kBytes);
}

TEST(EventStore, GivesAThreadTheEventsThatEndedOnAnotherOne) {
  std::set<Event*> known;
  std::thread ends([&known] {
    const auto events = take(kMany);
    known.insert(events.begin(), events.end());
    give_back(events);
    // What it still has when it ends goes back to malloc.
  });
  ends.join();
  ASSERT_EQ(known.size(), kMany);
  const auto again = take(kMany);
  const auto same = std::count_if(again.begin(), again.end(),
                                  [&known](Event* event) { return known.count(event) != 0; });
  // Under AddressSanitizer all come from malloc.
  if (concurrent::detail::kRecycle) {
    EXPECT_GE(same, static_cast<std::ptrdiff_t>(kMany - 2 * defaults::kEventsPerBatch));
  }
  give_back(again);
}

TEST(EventStore, KeepsEventsAsNew) {
  Event& event = take_event(kBytes);
  event.set_deadline(7);
  event.set_context({.trace = {.trace_high = 1, .trace_low = 2, .parent = 3, .flags = 1},
                     .baggage = std::make_shared<const Baggage>(),
                     .deadline_ns = 9});
  event.failure = std::make_unique<Failure>();
  Trace trace(0, 1);
  event.take_times({.emitted_ns = 5, .trace = &trace});
  trace.begin(event);
  event.reset();
  EXPECT_EQ(event.marks, 0);
  EXPECT_EQ(event.deadline_ns, 0);
  EXPECT_EQ(event.failure, nullptr);
  EXPECT_EQ(event.timing, nullptr);
  EXPECT_EQ(event.activation.spans, nullptr);
  EXPECT_FALSE(event.activation.context.trace.present());
  EXPECT_EQ(event.activation.context.baggage, nullptr);
  give_back_event(event, kBytes);
}

TEST(EventStore, TakesValuesOfAnySize) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{64},
                                  defaults::kLargestRecycledBytes, std::size_t{100'000}}) {
    Event& event = take_event(bytes);
    std::fill_n(static_cast<std::byte*>(event.storage()), bytes, std::byte{1});
    give_back_event(event, bytes);
  }
}

}  // namespace
}  // namespace penstock::flow::event_store_test
