// What metrics cost: these calls are compiled into two programs that differ in one thing, whether
// PENSTOCK_NO_METRICS is defined for them and for the runtime in them.
#include "calls/ours.hpp"
#include "harness/contender.hpp"
#include "penstock/metrics/registry.hpp"

namespace compare {
namespace {

using penstock::exec::Idle;
using penstock::testing::Echo;

using OneByOne = penstock::testing::OneByOne<Keep>;
using Window = penstock::testing::Window<Keep>;

constexpr bool kOn = penstock::metrics::kMetered;
constexpr const char* kName = kOn ? "penstock" : "penstock-unmetered";
constexpr const char* kWhat =
    kOn ? "every call counted, latency of 3 in 128 sampled" : "the same, with metrics compiled out";

const Enter kSpin({"metrics-overhead/spin", kName, kWhat,
                   [] { return calls<OneByOne, Echo>(Idle::spin); }});
const Enter kWindow({"metrics-overhead", kName, kWhat,
                     [] { return calls<Window, Echo>(Idle::spin); }});
const Enter kOwn({"metrics-overhead/own-mailbox", kName, kWhat,
                  [] { return calls<OneByOne, Echo>(Idle::spin, true); }});
// Parked, so that the instructions of a worker that waits do not count.
const Enter kCounted({"metrics-overhead/instructions", kName, kWhat, nullptr,
                      [](std::uint64_t count) {
                        Ours<OneByOne, Echo>(Idle::park, true).ask(count);
                      }});

}  // namespace
}  // namespace compare
