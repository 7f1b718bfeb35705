#include <benchmark/benchmark.h>

#include "support/callers.hpp"

namespace penstock {
namespace {

using testing::Echo;
using testing::pool_settings;
using testing::SmallBinary;

struct Keep {
  template <class T>
  static void take(const T& answer) noexcept {
    benchmark::DoNotOptimize(answer);
  }
};
using OneByOne = testing::OneByOne<Keep>;
using Window = testing::Window<Keep>;
using FanOut = testing::FanOut<Keep>;
using Inline = testing::Inline<Keep>;

constexpr std::int64_t kCalls = 20'000;

// Calls a second of a coroutine on one thread to a service on another one (or on its own).
template <class Caller, class... Callees>
void calls(benchmark::State& state, exec::Idle idle, bool same_thread) {
  SmallBinary binary;
  auto front_settings = pool_settings("front", 1);
  auto back_settings = pool_settings("back", 1);
  front_settings.idle = back_settings.idle = idle;
  front_settings.threads = {{0}};
  back_settings.threads = {{1}};
  auto& front = binary.pool(front_settings);
  auto& back = binary.pool(back_settings);
  const auto ask = testing::connect<Caller, Callees...>(binary, front, same_thread ? front : back);
  binary.start();
  for (auto _ : state) static_cast<void>(ask({kCalls}).get());
  state.SetItemsProcessed(state.iterations() * kCalls);
}

void one_by_one_spin(benchmark::State& state) {
  calls<OneByOne, Echo>(state, exec::Idle::spin, false);
}
void one_by_one_adaptive(benchmark::State& state) {
  calls<OneByOne, Echo>(state, exec::Idle::adaptive, false);
}
void one_by_one_park(benchmark::State& state) {
  calls<OneByOne, Echo>(state, exec::Idle::park, false);
}
void sixty_four_outstanding_spin(benchmark::State& state) {
  calls<Window, Echo>(state, exec::Idle::spin, false);
}
void own_mailbox(benchmark::State& state) {
  calls<OneByOne, Echo>(state, exec::Idle::adaptive, true);
}
void inline_call(benchmark::State& state) {
  calls<Inline, Echo>(state, exec::Idle::adaptive, true);
}
void fan_out_to_three(benchmark::State& state) {
  calls<FanOut, Echo, Echo, Echo>(state, exec::Idle::adaptive, false);
}
BENCHMARK(one_by_one_spin)->UseRealTime();
BENCHMARK(one_by_one_adaptive)->UseRealTime();
BENCHMARK(one_by_one_park)->UseRealTime();
BENCHMARK(sixty_four_outstanding_spin)->UseRealTime();
BENCHMARK(own_mailbox)->UseRealTime();
BENCHMARK(inline_call)->UseRealTime();
BENCHMARK(fan_out_to_three)->UseRealTime();

}  // namespace
}  // namespace penstock
