// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include <benchmark/benchmark.h>

#include <penstock/testing.hpp>

#include "services/several.hpp"

namespace {

void SeveralFirstBench(benchmark::State& state) {
  penstock::testing::ServiceTest<all_types::Several::First> service;
  service.on(&all_types::Several::First::calls_type::Plain,
             [](const all_types::Scalars&) { return all_types::Lists{}; });
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
BENCHMARK(SeveralFirstBench)->Name("Several/First")->UseRealTime();

void SeveralSecondBench(benchmark::State& state) {
  penstock::testing::ServiceTest<all_types::Several::Second> service;
  service.on(&all_types::Several::Second::calls_type::Plain,
             [](const all_types::Scalars&) { return all_types::Lists{}; });
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
BENCHMARK(SeveralSecondBench)->Name("Several/Second")->UseRealTime();

void SeveralThirdBench(benchmark::State& state) {
  penstock::testing::ServiceTest<all_types::Several::Third> service;
  service.on(&all_types::Several::Third::calls_type::Plain,
             [](const all_types::Scalars&) { return all_types::Lists{}; });
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
BENCHMARK(SeveralThirdBench)->Name("Several/Third")->UseRealTime();

}  // namespace
