// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include <benchmark/benchmark.h>

#include <penstock/testing.hpp>

#include "services/divided_waiting.hpp"

namespace {

void DividedWaitingLeftBench(benchmark::State& state) {
  penstock::testing::ServiceTest<all_types::DividedWaiting::Left> service;
  service.on(&all_types::DividedWaiting::Left::calls_type::Divided,
             [](const all_types::Scalars&) { return all_types::Scalars{}; });
  const all_types::Maybes request;
  try {
    // Its thread is started and warm before anything is timed.
    service(request);
    for (auto _ : state) service(request);
  } catch (const penstock::Error& error) {
    // The time of an error is no figure: its reason is shown instead.
    state.SkipWithError(error.what());
  }
}
// A whole call as its caller sees it: the handler runs on a thread of its own.
BENCHMARK(DividedWaitingLeftBench)->Name("DividedWaiting/Left")->UseRealTime();

void DividedWaitingRightBench(benchmark::State& state) {
  penstock::testing::ServiceTest<all_types::DividedWaiting::Right> service;
  service.on(&all_types::DividedWaiting::Right::calls_type::Divided,
             [](const all_types::Scalars&) { return all_types::Scalars{}; });
  const all_types::Maybes request;
  try {
    // Its thread is started and warm before anything is timed.
    service(request);
    for (auto _ : state) service(request);
  } catch (const penstock::Error& error) {
    // The time of an error is no figure: its reason is shown instead.
    state.SkipWithError(error.what());
  }
}
// A whole call as its caller sees it: the handler runs on a thread of its own.
BENCHMARK(DividedWaitingRightBench)->Name("DividedWaiting/Right")->UseRealTime();

}  // namespace
