// Threads from outside that post jobs to a worker, which runs them: how what a socket, a timer or a
// test brings gets to the threads of a binary. And the mailbox that they share once there are more
// of them than lanes.
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "penstock/mailbox/mpsc.hpp"
#include "queues/many_to_one.hpp"
#include "queues/posted.hpp"
#include "support/small_binary.hpp"

namespace compare {
namespace {

/// A thread that posts as many jobs as it is told, and tells when they were all run.
class Outsider {
 public:
  Outsider(unsigned cpu, penstock::exec::Worker& to)
      : thread_([this, cpu, &to] { serve(cpu, to); }) {}
  Outsider(const Outsider&) = delete;
  Outsider& operator=(const Outsider&) = delete;
  ~Outsider() {
    begin(kEnd);
    thread_.join();
  }

  void begin(std::uint64_t jobs) {
    asked_.store(jobs, std::memory_order_release);
    asked_.notify_one();
  }
  void wait() const {
    for (;;) {
      const std::uint64_t left = asked_.load(std::memory_order_acquire);
      if (left == 0) return;
      asked_.wait(left, std::memory_order_acquire);
    }
  }

 private:
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};

  void serve(unsigned cpu, penstock::exec::Worker& to) {
    pin(cpu);
    PostedJobs jobs;
    for (;;) {
      asked_.wait(0, std::memory_order_acquire);
      const std::uint64_t count = asked_.load(std::memory_order_acquire);
      if (count == kEnd) return;
      jobs.post(to, count);
      asked_.store(0, std::memory_order_release);
      asked_.notify_one();
    }
  }

  std::atomic<std::uint64_t> asked_{0};
  std::thread thread_;
};

template <unsigned producers>
double outsiders_to_worker() {
  penstock::testing::SmallBinary binary;
  auto settings = penstock::testing::pool_settings("consumer", 1);
  settings.idle = penstock::exec::Idle::spin;
  settings.threads = {{cpu(0)}};
  auto& pool = binary.pool(settings);
  binary.start();
  std::vector<std::unique_ptr<Outsider>> threads;
  for (unsigned producer = 0; producer < producers; ++producer) {
    threads.push_back(std::make_unique<Outsider>(producer_cpu(producer), pool.worker(0)));
  }
  return rate_of([&threads](std::uint64_t& count) {
    const std::uint64_t share = (count + producers - 1) / producers;
    count = share * producers;
    for (const auto& thread : threads) thread->begin(share);
    for (const auto& thread : threads) thread->wait();
  });
}

constexpr auto kWhat = "jobs that threads from outside post to a worker, which runs them";
const Enter kOne({"mpsc/1", "penstock", kWhat, outsiders_to_worker<1>});
const Enter kTwo({"mpsc/2", "penstock", kWhat, outsiders_to_worker<2>});
const Enter kFour({"mpsc/4", "penstock", kWhat, outsiders_to_worker<4>});

using Nodes = RecycledNodes<penstock::mailbox::Node>;

struct Mailbox {
  penstock::mailbox::MpscQueue<> queue;

  struct Producer {
    Producer(Mailbox& to, unsigned /*number*/) : mailbox(to) {}
    void push(std::uint64_t value) { mailbox.queue.push(nodes.next(value)); }
    Mailbox& mailbox;
    Nodes nodes;
  };
  std::uint64_t drain(std::uint64_t& sum) {
    auto* const node = queue.pop();
    if (node == nullptr) return 0;
    sum += Nodes::read(static_cast<Nodes::Message&>(*node));
    return 1;
  }
};

const EnterQueue<Mailbox> kMailbox("penstock-mailbox",
                                   "the mailbox that posters without a lane share");

}  // namespace
}  // namespace compare
