// Boost.Asio's coroutines, on a loop of their own.
// clang-format off
#include <utility>  // first: Boost 1.74 uses std::exchange without it
// clang-format on
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/measure.hpp"

namespace compare {
namespace {

namespace asio = boost::asio;

[[gnu::noinline]] asio::awaitable<std::int64_t> child(std::int64_t value) { co_return value + 1; }

asio::awaitable<void> parent(std::int64_t count) {
  std::int64_t value = 0;
  while (value < count) value = co_await child(value);
  keep(value);
}

double children() {
  pin(0);
  return rate_of([](std::uint64_t count) {
    asio::io_context loop(1);
    asio::co_spawn(loop, parent(static_cast<std::int64_t>(count)), asio::detached);
    loop.run();
  });
}

const Enter kChildren({"coroutine-child", "asio-awaitable", "co_await of an asio::awaitable",
                       children});

}  // namespace
}  // namespace compare
