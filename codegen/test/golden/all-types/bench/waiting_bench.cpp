// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include <benchmark/benchmark.h>

#include <penstock/testing.hpp>

#include "services/waiting.hpp"

namespace {

void WaitingBench(benchmark::State& state) {
  penstock::testing::ServiceTest<all_types::Waiting> service;
  service.on(&all_types::Waiting::calls_type::Plain,
             [](const all_types::Scalars&) { return all_types::Lists{}; });
  service.on(&all_types::Waiting::calls_type::PlainSilent, [](const all_types::Nothing&) {});
  const all_types::Scalars request;
  try {
    // Its thread is started and warm before anything is timed.
    static_cast<void>(service(request));
    for (auto _ : state) benchmark::DoNotOptimize(service(request));
  } catch (const penstock::Error& error) {
    // The time of an error is no figure: its reason is shown instead.
    state.SkipWithError(error.what());
  }
}
// A whole call as its caller sees it: the handler runs on a thread of its own.
BENCHMARK(WaitingBench)->Name("Waiting")->UseRealTime();

}  // namespace
