// A handler that awaits a child coroutine of its own.
#include <cstdint>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/measure.hpp"
#include "support/small_binary.hpp"

namespace compare {
namespace {

using penstock::Task;

struct Number {
  std::int64_t value = 0;
};

[[gnu::noinline]] Task<std::int64_t> child(std::int64_t value) { co_return value + 1; }

struct Parent : penstock::Handler {
  using request_type = Number;
  using response_type = Number;
  static Task<Number> handle(const Number& request) {
    std::int64_t value = 0;
    while (value < request.value) value = co_await child(value);
    co_return Number{value};
  }
};

double children() {
  penstock::testing::SmallBinary binary;
  auto settings = penstock::testing::pool_settings("only", 1);
  settings.threads = {{cpu(0)}};
  auto& parent =
      binary.service<Parent>("Parent", penstock::Kind::async_remote, binary.pool(settings));
  const penstock::Stub<Number, Number> ask(&binary.site(parent));
  binary.start();
  return rate_of(
      [&ask](std::uint64_t count) { keep(ask({static_cast<std::int64_t>(count)}).get().value); });
}

const Enter kChildren({"coroutine-child", "penstock", "co_await of a Task in a handler", children});

}  // namespace
}  // namespace compare
