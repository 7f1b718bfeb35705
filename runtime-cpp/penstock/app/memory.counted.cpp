#include <gtest/gtest.h>
#include <malloc.h>

#include <string>
#include <vector>

#include "penstock/app/model/model.hpp"
#include "support/callers.hpp"

namespace penstock::app::memory_counted {
namespace {

using testing::Echo;
using testing::Number;

std::size_t heap_in_use() {
  const struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

/// Asks each of its callees once.
struct AsksAll : Handler {
  using request_type = Number;
  using response_type = Number;
  struct calls_type {
    std::vector<Stub<Number, Number>> others;
  };
  Task<Number> handle(const Number& request) {
    for (const auto& other : calls.others) co_await other(request);
    co_return request;
  }
  calls_type calls;

  static void add(void* calls, const call::Wire& wire) {
    static_cast<calls_type*>(calls)->others.emplace_back(wire.site);
  }
};

// As main() of a generated binary makes it: with its name, its place, a drawn call to it, its
// counters on each thread, its handler object and whoever asks it by hand.
TEST(Memory, OfAnIdleServiceIsAtMostHalfAKibibyte) {
  constexpr std::size_t kServices = 4096;
  AppOptions options;
  options.binary = "memory";
  Model model(options);
  // There before the first of the services is.
  model.add_service("Start", Kind::async_remote, {}, {bind_handler<AsksAll>()});
  const Stub<Number, Number> start(&model.add_outside("Start"));
  const std::size_t before = heap_in_use();
  {
    config::Config config;
    config.binary = "memory";
    config.pools = {{.name = "only", .threads = {{}}}};
    const auto place = [&config](const std::string& name) {
      config.services.emplace_back();
      config.services.back().name = name;
      config.services.back().pool = "only";
    };
    place("Start");
    for (std::size_t count = 0; count < kServices; ++count) {
      const std::string name = "ServiceNumber" + std::to_string(count);
      model.add_service(name, Kind::simple, {}, {bind_handler<Echo>()});
      place(name);
    }
    for (std::size_t count = 0; count < kServices; ++count) {
      CallBinding call;
      call.from = "Start";
      call.to = "ServiceNumber" + std::to_string(count);
      call.calls_tag = &call::type_tag<AsksAll::calls_type>;
      call.wire.set = AsksAll::add;
      model.add_call(std::move(call));
    }
    model.configure(config);
  }
  std::vector<std::string> warnings;
  ASSERT_EQ(model.pools().size(), 1U);
  exec::Pool& pool = *model.pools()[0];
  ASSERT_EQ(pool.start(true, warnings), "");
  EXPECT_EQ(start({1}).get().value, 1);
  const std::size_t bytes = (heap_in_use() - before) / kServices;
  EXPECT_LE(bytes, 512U);
  EXPECT_TRUE(pool.stop(testing::far_from_now()));
}

}  // namespace
}  // namespace penstock::app::memory_counted
