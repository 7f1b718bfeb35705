#include "penstock/http_client/io_thread.hpp"

#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <iostream>
#include <iterator>
#include <system_error>
#include <vector>

#include "penstock/http_client.hpp"
#include "support/on_io_thread.hpp"
#include "support/refuse_threads.hpp"

namespace penstock::http_client::io_thread_test {
namespace {

using testing::on_io_thread;

struct Told final : IoThread::User {
  void ready(int socket, std::uint32_t /*events*/) noexcept override {
    std::uint64_t count = 0;
    static_cast<void>(read(socket, &count, sizeof count));
    told.set_value();
  }
  void go_on() noexcept override {
    ++turns;
    if (turns == 1) turned.set_value();
  }
  std::promise<void> told;
  std::promise<void> turned;
  int turns = 0;
};

TEST(IoThreadTest, ANumberThatCouldNotBeWatchedCanBeLater) {
  IoThread& io = IoThread::of_process();
  Told user;
  FILE* const file = std::tmpfile();  // which no epoll takes
  const int number = fileno(file);
  on_io_thread([&] { EXPECT_THROW(io.watch(number, EPOLLIN, user), std::system_error); });
  const int event = eventfd(1, EFD_NONBLOCK);
  ASSERT_EQ(dup2(event, number), number);
  on_io_thread([&] { EXPECT_NO_THROW(io.watch(number, EPOLLIN, user)); });
  user.told.get_future().wait();
  on_io_thread([&] { io.leave(user); });
  close(event);
  std::fclose(file);
}

TEST(IoThreadTest, WhoHurriesHasOneTurnAndNoneOnceItLeft) {
  IoThread& io = IoThread::of_process();
  Told stays;
  Told leaves;
  Told also;
  on_io_thread([&] {
    for (int time = 0; time < 3; ++time) io.hurry(stays);
    io.hurry(leaves);
    io.hurry(also);
    io.leave(leaves);
  });
  stays.turned.get_future().wait();
  also.turned.get_future().wait();
  on_io_thread([] {});
  EXPECT_EQ(stays.turns, 1);
  EXPECT_EQ(leaves.turns, 0);
  EXPECT_EQ(also.turns, 1);
}

TEST(IoThreadTest, MoreJobsThanRunInOneTurnAllRun) {
  struct Counts : exec::Job {
    int* runs = nullptr;
  };
  std::vector<Counts> jobs(1000);
  int runs = 0;
  on_io_thread([&] {
    for (Counts& job : jobs) {
      job.runs = &runs;
      job.run = [](exec::Job& self) noexcept { ++*static_cast<Counts&>(self).runs; };
      IoThread::of_process().post(job);
    }
  });
  on_io_thread([] {});
  EXPECT_EQ(runs, 1000);
}

// In a process of its own, which gets no threads any more.
TEST(IoThreadTest, LeavesNothingBehindWhereItGetsNoThread) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  const auto takes_signals = [] {
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    return sigismember(&blocked, SIGTERM) == 0;
  };
  EXPECT_EXIT(
      {
        testing::refuse_threads();
        const auto before = descriptors();
        for (int time = 0; time < 2; ++time) {
          try {
            const Client client;
          } catch (const std::system_error&) {
            std::cerr << "refused ";
          }
        }
        std::cerr << descriptors() - before << ' ' << takes_signals();
        std::_Exit(0);
      },
      ::testing::ExitedWithCode(0), "refused refused 0 1");
}

}  // namespace
}  // namespace penstock::http_client::io_thread_test
