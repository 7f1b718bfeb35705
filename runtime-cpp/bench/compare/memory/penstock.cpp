// What an idle service takes that has answered before (so that its handler object is there): made
// as main() of a generated binary makes it, with its name, its place in the configuration, its
// counters on each thread and a drawn call to it; and what a call takes that waits for its turn.
#include <atomic>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/contender.hpp"
#include "memory/asks_all.hpp"
#include "memory/heap.hpp"
#include "penstock/app/model/model.hpp"
#include "support/callers.hpp"

namespace compare {
namespace {

using penstock::Future;
using penstock::Handler;
using penstock::Kind;
using penstock::Stub;
using penstock::testing::Echo;
using penstock::testing::Number;

/// Where a service runs, as a configuration file says it.
penstock::config::Service in_only_pool(const std::string& name) {
  penstock::config::Service service;
  service.name = name;
  service.pool = "only";
  return service;
}

double services() {
  constexpr std::size_t kServices = 3000;
  penstock::AppOptions options;
  options.binary = "memory";
  options.project = "compare";
  penstock::app::Model model(options);
  // There before the first of the services is.
  model.add_service("Start", Kind::async_remote, {}, {penstock::app::bind_handler<AsksAll>()});
  penstock::call::CallSite outside;
  outside.callee = model.services().front().get();
  penstock::call::enroll(outside, model.registry());
  const Stub<Number, Number> start(&outside);
  const std::size_t before = heap_in_use();
  {
    penstock::config::Config config;
    config.binary = "memory";
    penstock::config::Pool& pool = config.pools.emplace_back();
    pool.name = "only";
    pool.threads.resize(1);
    config.services.push_back(in_only_pool("Start"));
    for (std::size_t count = 0; count < kServices; ++count) {
      const std::string name = "ServiceNumber" + std::to_string(count);
      model.add_service(name, Kind::simple, {}, {penstock::app::bind_handler<Echo>()});
      config.services.push_back(in_only_pool(name));
    }
    for (std::size_t count = 0; count < kServices; ++count) {
      penstock::app::CallBinding call;
      call.from = "Start";
      call.to = "ServiceNumber" + std::to_string(count);
      call.calls_tag = &penstock::call::type_tag<AsksAll::calls_type>;
      call.wire.set = AsksAll::add;
      model.add_call(std::move(call));
    }
    model.configure(config);
  }
  std::vector<std::string> warnings;
  for (const auto& pool : model.pools()) {
    if (!pool->start(true, warnings).empty()) throw std::runtime_error("no threads");
  }
  static_cast<void>(start({1}).get());
  const double figure = per_mebibyte(kServices, before);
  for (const auto& pool : model.pools())
    pool->stop(penstock::after(penstock::now_ns(), 1'000'000'000));
  return figure;
}

/// Holds its thread until it may go on.
struct Gate : Handler {
  using request_type = Number;
  using response_type = Number;
  static inline std::atomic<bool> open{false};
  static Number handle(const Number& request) {
    open.wait(false);
    return request;
  }
};

double waiting_calls() {
  constexpr std::uint32_t kCalls = 1U << 14U;
  penstock::testing::SmallBinary binary;
  auto& pool = binary.pool(penstock::testing::pool_settings("only", 1, kCalls + 1));
  auto& gate = binary.service<Gate>("Gate", Kind::simple, pool);
  const Stub<Number, Number> ask(&binary.site(gate));
  binary.start();
  std::vector<Future<Number>> answers;
  answers.reserve(kCalls);
  const std::size_t before = heap_in_use();
  for (std::uint32_t call = 0; call < kCalls; ++call) answers.push_back(ask({call}));
  const double figure = per_mebibyte(kCalls, before);
  Gate::open.store(true);
  Gate::open.notify_all();
  for (auto& answer : answers) static_cast<void>(answer.get());
  return figure;
}

const Enter kServices({"memory-per-service", "penstock", "idle services that have answered",
                       services});
const Enter kCalls({"memory-per-call", "penstock", "calls that wait, with their futures",
                    waiting_calls});

}  // namespace
}  // namespace compare
