// Worker threads that post jobs to another worker, which runs them: how requests and replies travel
// inside a binary, the wake-up of a sleeping worker included.
#include <cstdint>
#include <vector>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/measure.hpp"
#include "queues/many_to_one.hpp"
#include "queues/posted.hpp"
#include "support/small_binary.hpp"

namespace compare {
namespace {

using penstock::Kind;
using penstock::Stub;
using penstock::exec::Idle;
using penstock::exec::Worker;

struct Number {
  std::int64_t value = 0;
};

/// Posts so many jobs to the consumer.
struct Producer : penstock::Handler {
  using request_type = Number;
  using response_type = Number;
  static inline Worker* consumer = nullptr;

  Number handle(const Number& request) {
    jobs.post(*consumer, static_cast<std::uint64_t>(request.value));
    return request;
  }
  PostedJobs jobs;
};

template <unsigned producers>
double workers_to_worker() {
  penstock::testing::SmallBinary binary;
  auto consumer_settings = penstock::testing::pool_settings("consumer", 1);
  consumer_settings.idle = Idle::spin;
  consumer_settings.threads = {{cpu(0)}};
  auto& consumer = binary.pool(consumer_settings);
  std::vector<Stub<Number, Number>> ask;
  for (unsigned producer = 0; producer < producers; ++producer) {
    auto settings = penstock::testing::pool_settings("producer", 1);
    settings.threads = {{cpu(producer_cpu(producer))}};
    auto& service = binary.service<Producer>("Producer", Kind::simple, binary.pool(settings));
    ask.emplace_back(&binary.site(service));
  }
  binary.start();
  Producer::consumer = &consumer.worker(0);
  return rate_of([&ask](std::uint64_t& count) {
    const std::uint64_t share = (count + producers - 1) / producers;
    count = share * producers;
    std::vector<penstock::Future<Number>> answers;
    for (const auto& stub : ask) answers.push_back(stub({static_cast<std::int64_t>(share)}));
    for (auto& answer : answers) static_cast<void>(answer.get());
  });
}

constexpr auto kWhat = "jobs that workers post to a worker, which runs them";
const Enter kOne({"mpsc/1", "penstock-workers", kWhat, workers_to_worker<1>});
const Enter kTwo({"mpsc/2", "penstock-workers", kWhat, workers_to_worker<2>});
const Enter kFour({"mpsc/4", "penstock-workers", kWhat, workers_to_worker<4>});

}  // namespace
}  // namespace compare
