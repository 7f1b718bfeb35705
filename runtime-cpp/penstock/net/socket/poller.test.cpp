#include "penstock/net/socket/poller.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <atomic>

#include "penstock/exec/pool.hpp"
#include "support/gate.hpp"
#include "support/small_binary.hpp"

namespace penstock::net::poller_test {
namespace {

using penstock::testing::eventually;
using penstock::testing::pool_settings;
using penstock::testing::SmallBinary;

struct Pair {
  Descriptor here;
  Descriptor there;
  Pair() {
    std::array<int, 2> pair{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair.data()), 0);
    here = Descriptor(pair[0]);
    there = Descriptor(pair[1]);
  }
};

/// Of a link that has something at each look, or of one that is told of.
struct Watched final : SocketPoller::Watcher {
  void ready(Events) noexcept override { ++told; }
  bool look() noexcept override { return true; }
  void flush() noexcept override {}
  void retire() noexcept override {}
  int told = 0;
};

// Nobody else looks at the sockets of a worker that finds something in memory each time it idles.
TEST(Pollers, LookAtSocketsHoweverMuchComesInMemory) {
  struct Looks : exec::Job {
    int told = 0;
    std::atomic<bool> done{false};
  };
  SmallBinary binary;
  exec::Pool& pool = binary.pool(pool_settings("p", 1));
  binary.start();
  Looks looks;
  looks.run = [](exec::Job& job) noexcept {
    SocketPoller& poller = SocketPoller::here();
    const Pair memory;
    const Pair socket;
    Watched in_memory;
    Watched in_socket;
    poller.watch(memory.here, in_memory);
    poller.look_at(in_memory);
    poller.watch(socket.here, in_socket);
    EXPECT_EQ(send(socket.there.number(), "x", 1, 0), 1);
    for (int time = 0; time < 1'000; ++time) EXPECT_TRUE(poller.glance());
    poller.forget(memory.here, in_memory);
    poller.forget(socket.here, in_socket);
    auto& self = static_cast<Looks&>(job);
    self.told = in_socket.told;
    self.done.store(true, std::memory_order_release);
  };
  pool.worker(0).post_as_visitor(looks);
  ASSERT_TRUE(eventually([&] { return looks.done.load(std::memory_order_acquire); }));
  EXPECT_EQ(looks.told, 1);
}

// Also where it was to leave before and stayed, whether it has noticed that or not.
TEST(Pollers, TellWhatTheyWatchEachTimeThatTheWorkerIsToLeave) {
  struct Leaving final : SocketPoller::Watcher {
    void ready(Events) noexcept override {}
    void flush() noexcept override {}
    void retire() noexcept override { ++told; }
    std::atomic<int> told{0};
  };
  struct Watch : exec::Job {
    Pair socket;
    Leaving leaving;
    std::atomic<bool> ends{false};
    std::atomic<bool> done{false};
  };
  SmallBinary binary;
  exec::Pool& pool = binary.pool(pool_settings("p", 2));
  binary.start();
  Watch watch;
  exec::Worker& worker = pool.worker(1);
  watch.run = [](exec::Job& job) noexcept {
    auto& self = static_cast<Watch&>(job);
    if (self.ends) {
      SocketPoller::here().forget(self.socket.here, self.leaving);
    } else {
      SocketPoller::here().watch(self.socket.here, self.leaving);
    }
    self.done = true;
  };
  worker.post_as_visitor(watch);
  ASSERT_TRUE(eventually([&] { return watch.done.exchange(false); }));
  EXPECT_EQ(pool.resize(1, 0), 1U);
  EXPECT_TRUE(eventually([&] { return watch.leaving.told > 0; }));
  EXPECT_EQ(pool.resize(2), 2U);
  const int before = watch.leaving.told;
  EXPECT_EQ(pool.resize(1, 0), 1U);
  EXPECT_TRUE(eventually([&] { return watch.leaving.told > before; }));
  watch.ends = true;
  worker.post_as_visitor(watch);
  ASSERT_TRUE(eventually([&] { return watch.done.load() && worker.exited(); }));
}

// Peers that always have something more would keep the worker from everything else.
TEST(Pollers, LetOtherJobsInBetweenManyThatAreFlushed) {
  constexpr std::size_t kMany = 40;
  struct All;
  struct Step : exec::Job {
    All* all = nullptr;
  };
  struct Flushed final : SocketPoller::Watcher {
    void ready(Events) noexcept override {}
    void flush() noexcept override { ++*count; }
    void retire() noexcept override {}
    std::atomic<std::size_t>* count = nullptr;
  };
  struct All {
    std::array<Pair, kMany> sockets;
    std::array<Flushed, kMany> watchers;
    std::atomic<std::size_t> count{0};
    std::size_t before_other = 0;
    Step other;
    std::atomic<bool> done{false};
  };
  SmallBinary binary;
  exec::Pool& pool = binary.pool(pool_settings("p", 1));
  binary.start();
  All all;
  Step begin;
  Step end;
  all.other.all = begin.all = end.all = &all;
  all.other.run = [](exec::Job& job) noexcept {
    All& its = *static_cast<Step&>(job).all;
    its.before_other = its.count;
  };
  begin.run = [](exec::Job& job) noexcept {
    All& its = *static_cast<Step&>(job).all;
    SocketPoller& poller = SocketPoller::here();
    for (std::size_t at = 0; at < kMany; ++at) {
      its.watchers[at].count = &its.count;
      poller.watch(its.sockets[at].here, its.watchers[at]);
      poller.soon(its.watchers[at]);
    }
    poller.worker().post_here(its.other);
  };
  end.run = [](exec::Job& job) noexcept {
    All& its = *static_cast<Step&>(job).all;
    for (std::size_t at = 0; at < kMany; ++at)
      SocketPoller::here().forget(its.sockets[at].here, its.watchers[at]);
    its.done = true;
  };
  pool.worker(0).post_as_visitor(begin);
  EXPECT_TRUE(eventually([&] { return all.count == kMany; }));
  pool.worker(0).post_as_visitor(end);
  ASSERT_TRUE(eventually([&] { return all.done.load(); }));
  EXPECT_GT(all.before_other, 0U);
  EXPECT_LT(all.before_other, kMany);
}

}  // namespace
}  // namespace penstock::net::poller_test
