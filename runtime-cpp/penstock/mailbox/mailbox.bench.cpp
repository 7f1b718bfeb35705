#include <benchmark/benchmark.h>

#include <thread>
#include <vector>

#include "penstock/mailbox/mpsc.hpp"
#include "penstock/mailbox/shared_queue.hpp"

namespace penstock::mailbox {
namespace {

constexpr int kBatch = 1 << 16;

// Items a second from `producers` threads to this one, single sends.
template <class Queue>
void many_to_one(benchmark::State& state) {
  const auto producers = static_cast<std::size_t>(state.range(0));
  const std::size_t share = kBatch / producers;
  for (auto _ : state) {
    Queue queue;
    std::vector<std::vector<Node>> nodes;
    for (std::size_t producer = 0; producer < producers; ++producer) nodes.emplace_back(share);
    std::vector<std::thread> threads;
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t producer = 0; producer < producers; ++producer) {
      threads.emplace_back([&queue, &mine = nodes[producer]] {
        for (Node& node : mine) queue.push(node);
      });
    }
    for (std::size_t taken = 0; taken < share * producers;) {
      if (queue.pop() != nullptr) {
        ++taken;
      } else {
        concurrent::pause();
      }
    }
    state.SetIterationTime(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    for (std::thread& thread : threads) thread.join();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(share * producers));
}
BENCHMARK(many_to_one<MpscQueue<>>)->Arg(1)->Arg(2)->Arg(4)->UseManualTime();
BENCHMARK(many_to_one<SharedQueue>)->Arg(1)->Arg(2)->Arg(4)->UseManualTime();

void push_and_pop_on_one_thread(benchmark::State& state) {
  MpscQueue<> queue;
  Node node;
  for (auto _ : state) {
    queue.push(node);
    benchmark::DoNotOptimize(queue.pop());
  }
}
BENCHMARK(push_and_pop_on_one_thread);

}  // namespace
}  // namespace penstock::mailbox
