// Ours, as a generated service goes: stub, frame, mailbox, handler, future; counters and sampled
// latencies on, as they are in every binary.
#include "calls/ours.hpp"
#include "harness/contender.hpp"

namespace compare {
namespace {

using penstock::exec::Idle;
using penstock::testing::Echo;

using OneByOne = penstock::testing::OneByOne<Keep>;
using Window = penstock::testing::Window<Keep>;
using FanOut = penstock::testing::FanOut<Keep>;
using Inline = penstock::testing::Inline<Keep>;

const Enter kSpin({"ping-pong/spin", "penstock", "co_await on a stub, workers that spin",
                   [] { return calls<OneByOne, Echo>(Idle::spin); }});
const Enter kAdaptive({"ping-pong/adaptive", "penstock", "co_await on a stub, adaptive workers",
                       [] { return calls<OneByOne, Echo>(Idle::adaptive); }});
const Enter kPark({"ping-pong/park", "penstock", "co_await on a stub, workers that park",
                   [] { return calls<OneByOne, Echo>(Idle::park); }});
const Enter kOutstanding({"outstanding-64", "penstock", "64 futures of one coroutine",
                          [] { return calls<Window, Echo>(Idle::spin); }});
const Enter kFanOut({"fan-out-3", "penstock", "co_await gather_within(1h, stub.each())",
                     [] { return calls<FanOut, Echo, Echo, Echo>(Idle::spin); }});
const Enter kOwn({"own-mailbox", "penstock", "co_await on a stub of a service on the same thread",
                  [] { return calls<OneByOne, Echo>(Idle::spin, true); }});
const Enter kInline({"inline-call", "penstock", "inline_call() of a plain handler",
                     [] { return calls<Inline, Echo>(Idle::spin, true); }});

}  // namespace
}  // namespace compare
