// Partitioned services under many callers: one request at a time and in order for each value, while
// pools change size and handlers await.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "support/small_binary.hpp"

namespace penstock {
namespace {

using testing::pool_settings;
using testing::SmallBinary;

constexpr int kValues = 100;  // more than partitions: some share one
constexpr int kCallers = 4;
constexpr int kRounds = 30;

struct Ticket {
  std::string value;
  int index = 0;
  int caller = 0;
  int number = 0;
};

// What the handlers know of a value. Plain members: a thread sanitizer sees two at a time, too.
struct Seen {
  std::atomic<bool> busy{false};
  std::array<int, kCallers> next{};
  const void* object = nullptr;
};

struct Board {
  std::array<Seen, kValues> values;
  void reset() {
    for (Seen& seen : values) {
      seen.next.fill(0);
      seen.object = nullptr;
    }
  }
};
Board g_board;

void enter(const Ticket& ticket, const void* object) {
  Seen& seen = g_board.values[static_cast<std::size_t>(ticket.index)];
  if (seen.busy.exchange(true, std::memory_order_relaxed)) {
    throw Error(ErrorCode::aborted, "two at a time");
  }
  if (seen.object == nullptr) seen.object = object;
  if (seen.object != object) throw Error(ErrorCode::internal, "another object");
  if (seen.next[static_cast<std::size_t>(ticket.caller)]++ != ticket.number) {
    throw Error(ErrorCode::out_of_range, "out of order");
  }
}
void leave(const Ticket& ticket) {
  g_board.values[static_cast<std::size_t>(ticket.index)].busy.store(false,
                                                                    std::memory_order_relaxed);
}

struct Plain : Handler {
  using request_type = Ticket;
  using response_type = Ticket;
  static constexpr auto partition_by = &Ticket::value;
  Ticket handle(const Ticket& ticket) {
    enter(ticket, this);
    ++runs;
    leave(ticket);
    return ticket;
  }
  int runs = 0;
};

struct Echo : Handler {
  using request_type = Ticket;
  using response_type = Ticket;
  static Ticket handle(const Ticket& ticket) { return ticket; }
};

struct ByIndex : Echo {
  static constexpr auto partition_by = &Ticket::index;
};

struct Waits : Handler {
  using request_type = Ticket;
  using response_type = Ticket;
  static constexpr auto partition_by = &Ticket::index;
  struct calls_type {
    Stub<Ticket, Ticket> Echo;
  };
  Task<Ticket> handle(const Ticket& ticket) {
    enter(ticket, this);
    const Ticket answer = co_await calls.Echo(ticket);
    leave(ticket);
    co_return answer;
  }
  calls_type calls;
};

// Every caller asks for every value, in an order of its own, without waiting for answers.
void ask_for_all(const Stub<Ticket, Ticket>& stub) {
  std::vector<std::thread> callers;
  callers.reserve(kCallers);
  for (int caller = 0; caller < kCallers; ++caller) {
    callers.emplace_back([&stub, caller] {
      for (int number = 0; number < kRounds; ++number) {
        std::vector<Future<Ticket>> answers;
        for (int step = 0; step < kValues; ++step) {
          const int index = (step * 7 + caller * 13) % kValues;
          answers.push_back(stub({"customer " + std::to_string(index), index, caller, number}));
        }
        for (auto& answer : answers) ASSERT_NO_THROW(answer.get());
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

// Few values, many at once each: most requests wait for the one before.
void ask_for_few(const Stub<Ticket, Ticket>& stub) {
  std::vector<std::thread> callers;
  callers.reserve(kCallers);
  for (int caller = 0; caller < kCallers; ++caller) {
    callers.emplace_back([&stub, caller] {
      std::vector<Future<Ticket>> answers;
      for (int number = 0; number < kRounds * 10; ++number) {
        for (int index = 0; index < 3; ++index) {
          answers.push_back(stub({"customer " + std::to_string(index), index, caller, number}));
        }
        if (answers.size() < 60) continue;
        for (auto& answer : answers) ASSERT_NO_THROW(answer.get());
        answers.clear();
      }
      for (auto& answer : answers) ASSERT_NO_THROW(answer.get());
    });
  }
  for (std::thread& caller : callers) caller.join();
}

struct PartitionStress : ::testing::Test {
  void SetUp() override { g_board.reset(); }
};

TEST_F(PartitionStress, KeepsEveryValueExclusiveAndInOrder) {
  SmallBinary binary;
  auto& service =
      binary.service<Plain>("Plain", Kind::single_threaded, binary.pool(pool_settings("p", 3)));
  const Stub<Ticket, Ticket> stub(&binary.site(service));
  binary.start();
  ask_for_all(stub);
  EXPECT_EQ(binary.done(service), static_cast<std::uint64_t>(kCallers * kRounds * kValues));
}

TEST_F(PartitionStress, KeepsAFewBusyValuesExclusiveAndInOrder) {
  SmallBinary binary;
  auto& service =
      binary.service<Plain>("Plain", Kind::single_threaded, binary.pool(pool_settings("p", 3)));
  const Stub<Ticket, Ticket> stub(&binary.site(service));
  binary.start();
  ask_for_few(stub);
  EXPECT_EQ(binary.done(service), static_cast<std::uint64_t>(kCallers * kRounds * 10 * 3));
}

TEST_F(PartitionStress, KeepsThemSoWhileTheyAwaitAndPoolsChangeSize) {
  SmallBinary binary;
  auto& front = binary.pool(pool_settings("front", 2));
  auto& back = binary.pool(pool_settings("back", 2));
  auto& echo = binary.service<Echo>("Echo", Kind::simple, back);
  auto& service = binary.service<Waits>("Waits", Kind::single_threaded, front);
  binary.connect<Waits>(service, echo, &Waits::calls_type::Echo);
  const Stub<Ticket, Ticket> stub(&binary.site(service));
  binary.start();
  std::atomic<bool> over{false};
  std::thread resizer([&] {
    for (unsigned turn = 0; !over.load(); ++turn) {
      front.resize(1 + turn % 3);
      back.resize(1 + turn % 2);
    }
  });
  ask_for_all(stub);
  over.store(true);
  resizer.join();
  EXPECT_EQ(binary.done(service), static_cast<std::uint64_t>(kCallers * kRounds * kValues));
}

TEST_F(PartitionStress, ShedsAndRejectsWithoutLosingAnAnswer) {
  for (const auto overflow : {exec::Overflow::reject, exec::Overflow::shed_oldest}) {
    SmallBinary binary;
    auto& parted = binary.service<ByIndex>("Parted", Kind::single_threaded,
                                           binary.pool(pool_settings("p", 2, 4, overflow)));
    const Stub<Ticket, Ticket> stub(&binary.site(parted));
    binary.start();
    std::atomic<int> answered{0};
    std::vector<std::thread> callers;
    callers.reserve(kCallers);
    for (int caller = 0; caller < kCallers; ++caller) {
      callers.emplace_back([&, caller] {
        for (int round = 0; round < 100; ++round) {
          std::vector<Future<Ticket>> futures;
          futures.reserve(12);
          for (int index = 0; index < 12; ++index) {
            futures.push_back(stub({{}, index % 3, caller, 0}));
          }
          for (auto& future : futures) {
            try {
              future.get();
            } catch (const Error& error) {
              ASSERT_EQ(error.code(), ErrorCode::resource_exhausted);
            }
            ++answered;
          }
        }
      });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(answered.load(), kCallers * 1200);
    EXPECT_EQ(binary.done(parted), static_cast<std::uint64_t>(kCallers * 1200));
  }
}

}  // namespace
}  // namespace penstock
