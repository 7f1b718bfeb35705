#include <gtest/gtest.h>
#include <malloc.h>

#include "support/small_binary.hpp"

namespace penstock::memory_counted {
namespace {

struct Number {
  std::int64_t value = 0;
};

struct Echo : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) { return request; }
};

std::size_t heap_in_use() {
  const struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

// With its handler object, its counters on each thread, its call site and its stub. What a binary's
// model keeps of it comes to that: with it half a KiB is the goal (memory-per-service,
// docs/performance.md).
TEST(Memory, OfAnIdleServiceIsLessThanHalfAKibibyte) {
  constexpr std::size_t kServices = 4096;
  testing::SmallBinary binary;
  auto& pool = binary.pool(testing::pool_settings("only", 1));
  const std::size_t before = heap_in_use();
  std::vector<Stub<Number, Number>> stubs;
  stubs.reserve(kServices);
  for (std::size_t count = 0; count < kServices; ++count) {
    auto& service = binary.service<Echo>("Echo" + std::to_string(count), Kind::simple, pool);
    stubs.emplace_back(&binary.site(service));
  }
  binary.start();
  for (const auto& stub : stubs) static_cast<void>(stub({1}).get());
  EXPECT_LE((heap_in_use() - before) / kServices, 448U);
}

}  // namespace
}  // namespace penstock::memory_counted
