// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include <benchmark/benchmark.h>

#include <penstock/testing.hpp>

#include "services/produce_ad.hpp"

namespace {

void ProduceAdModelABench(benchmark::State& state) {
  penstock::testing::ServiceTest<ads::ProduceAd::ModelA> service;
  const ads::AdRequest request;
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
BENCHMARK(ProduceAdModelABench)->Name("ProduceAd/ModelA")->UseRealTime();

void ProduceAdModelBBench(benchmark::State& state) {
  penstock::testing::ServiceTest<ads::ProduceAd::ModelB> service;
  const ads::AdRequest request;
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
BENCHMARK(ProduceAdModelBBench)->Name("ProduceAd/ModelB")->UseRealTime();

void ProduceAdModelCBench(benchmark::State& state) {
  penstock::testing::ServiceTest<ads::ProduceAd::ModelC> service;
  const ads::AdRequest request;
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
BENCHMARK(ProduceAdModelCBench)->Name("ProduceAd/ModelC")->UseRealTime();

}  // namespace
