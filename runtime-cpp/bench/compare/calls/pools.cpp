// A service that is asked in its caller's own pool, which has several threads: what a drawing has
// where nothing is placed.
#include <cstddef>

#include "calls/ours.hpp"
#include "harness/contender.hpp"

namespace compare {
namespace {

using penstock::testing::Echo;

/// A caller and its callee in one pool that nobody pinned.
template <class C>
double pool_calls(std::size_t threads) {
  penstock::testing::SmallBinary binary;
  auto& pool = binary.pool(penstock::testing::pool_settings("both", threads));
  auto ask = penstock::testing::connect<C, Echo>(binary, pool, pool);
  binary.start();
  return rate_of([&ask](std::uint64_t count) {
    static_cast<void>(ask({static_cast<std::int64_t>(count)}).get());
  });
}

constexpr const char* kOne = "co_await on a stub of a service in the same pool";
constexpr const char* kMany = "64 futures of one coroutine, a service in the same pool";
using OneByOne = penstock::testing::OneByOne<Keep>;
using Window = penstock::testing::Window<Keep>;

const Enter kOne1({"pool-call/1", "penstock", kOne, [] { return pool_calls<OneByOne>(1); }});
const Enter kOne2({"pool-call/2", "penstock", kOne, [] { return pool_calls<OneByOne>(2); }});
const Enter kOne4({"pool-call/4", "penstock", kOne, [] { return pool_calls<OneByOne>(4); }});
const Enter kOne8({"pool-call/8", "penstock", kOne, [] { return pool_calls<OneByOne>(8); }});
const Enter kMany1({"pool-call-64/1", "penstock", kMany, [] { return pool_calls<Window>(1); }});
const Enter kMany2({"pool-call-64/2", "penstock", kMany, [] { return pool_calls<Window>(2); }});
const Enter kMany4({"pool-call-64/4", "penstock", kMany, [] { return pool_calls<Window>(4); }});
const Enter kMany8({"pool-call-64/8", "penstock", kMany, [] { return pool_calls<Window>(8); }});

}  // namespace
}  // namespace compare
