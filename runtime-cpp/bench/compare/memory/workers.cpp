// What a worker takes, its thread with it, by the pages of this process that are in memory: workers
// that have answered and wait, and workers of which each has asked each other one, so that a lane
// lies between any two.
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "harness/contender.hpp"
#include "harness/wait.hpp"
#include "memory/asks_all.hpp"
#include "memory/heap.hpp"
#include "support/callers.hpp"

namespace compare {
namespace {

using penstock::Kind;
using penstock::Stub;
using penstock::testing::Echo;
using penstock::testing::Number;

constexpr std::size_t kWorkers = 64;

/// Bytes of this process that are in memory.
double resident() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t pages = 0;
  if (!(file >> size >> pages)) throw std::runtime_error("/proc/self/statm cannot be read");
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double workers_per_mebibyte(double before) {
  return static_cast<double>(kWorkers) * kMebibyte / (resident() - before);
}

double answered() {
  const double before = resident();
  penstock::testing::SmallBinary binary;
  std::vector<Stub<Number, Number>> stubs;
  for (std::size_t worker = 0; worker < kWorkers; ++worker) {
    const std::string name = std::to_string(worker);
    auto& pool = binary.pool(penstock::testing::pool_settings("pool" + name, 1));
    stubs.emplace_back(&binary.site(binary.service<Echo>("Echo" + name, Kind::simple, pool)));
  }
  binary.start();
  for (const auto& ask : stubs) static_cast<void>(ask({1}).get());
  return workers_per_mebibyte(before);
}

double meshed() {
  const double before = resident();
  penstock::testing::SmallBinary binary;
  std::vector<penstock::call::Service*> echoes;
  std::vector<penstock::call::Service*> callers;
  for (std::size_t worker = 0; worker < kWorkers; ++worker) {
    const std::string name = std::to_string(worker);
    auto& pool = binary.pool(penstock::testing::pool_settings("pool" + name, 1));
    echoes.push_back(&binary.service<Echo>("Echo" + name, Kind::simple, pool));
    callers.push_back(&binary.service<AsksAll>("Asks" + name, Kind::async_remote, pool));
  }
  std::vector<Stub<Number, Number>> stubs;
  for (auto* const caller : callers) {
    for (auto* const echo : echoes) {
      penstock::call::Wire wire;
      wire.set = AsksAll::add;
      wire.site = &binary.site(*echo);
      for (auto* const implementation : caller->implementations) {
        implementation->give_extras().wiring.push_back(wire);
      }
    }
    stubs.emplace_back(&binary.site(*caller));
  }
  binary.start();
  for (const auto& ask : stubs) static_cast<void>(ask({1}).get());
  return workers_per_mebibyte(before);
}

double threads() {
  const double before = resident();
  Signal<Wait::park> answers;
  std::vector<std::unique_ptr<Signal<Wait::park>>> signals;
  std::vector<std::thread> all;
  for (std::uint32_t worker = 0; worker < kWorkers; ++worker) {
    auto& signal = *signals.emplace_back(std::make_unique<Signal<Wait::park>>());
    all.emplace_back([&signal, &answers, worker] {
      const std::uint32_t asked = signal.past(0);
      answers.set(worker + 1);
      static_cast<void>(signal.past(asked));
    });
    signal.set(1);
    while (answers.past(worker) != worker + 1) {
    }
  }
  const double figure = workers_per_mebibyte(before);
  for (const auto& signal : signals) signal->set(2);
  for (auto& thread : all) thread.join();
  return figure;
}

const Enter kAnswered({"memory-per-worker", "penstock", "workers that have answered", answered});
const Enter kMeshed({"memory-per-worker", "penstock-lanes",
                     "workers of which each has asked each other one", meshed});
const Enter kThreads({"memory-per-worker", "limit-threads",
                      "threads that have set a number and sleep at a futex", threads});

}  // namespace
}  // namespace compare
