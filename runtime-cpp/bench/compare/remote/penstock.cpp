// Ours over all that carries calls between two binaries.
#include "harness/contender.hpp"
#include "remote/two_binaries.hpp"

namespace compare {
namespace {

using penstock::exec::Idle;

using OneByOne = penstock::testing::OneByOne<Keep>;
using Window = penstock::testing::Window<Keep>;

template <Kind kind, Idle idle, class C>
double rate() {
  return Remote<C>(kind, idle).rate();
}

const Enter kMemorySpin({"remote-call/shm/spin", "penstock",
                         "co_await on a stub, workers that spin",
                         &rate<Kind::memory, Idle::spin, OneByOne>});
const Enter kMemoryAdaptive({"remote-call/shm/adaptive", "penstock",
                             "co_await on a stub, adaptive workers",
                             &rate<Kind::memory, Idle::adaptive, OneByOne>});
const Enter kMemoryPark({"remote-call/shm/park", "penstock",
                         "co_await on a stub, workers that park",
                         &rate<Kind::memory, Idle::park, OneByOne>});
const Enter kMemoryOutstanding({"remote-call/shm-64", "penstock", "64 futures of one coroutine",
                                &rate<Kind::memory, Idle::spin, Window>});
const Enter kUnixSpin({"remote-call/unix/spin", "penstock", "co_await on a stub, workers that spin",
                       &rate<Kind::unix_socket, Idle::spin, OneByOne>});
const Enter kUnixAdaptive({"remote-call/unix/adaptive", "penstock",
                           "co_await on a stub, adaptive workers",
                           &rate<Kind::unix_socket, Idle::adaptive, OneByOne>});
const Enter kUnixPark({"remote-call/unix/park", "penstock", "co_await on a stub, workers that park",
                       &rate<Kind::unix_socket, Idle::park, OneByOne>});
const Enter kUnixOutstanding({"remote-call/unix-64", "penstock", "64 futures of one coroutine",
                              &rate<Kind::unix_socket, Idle::spin, Window>});
const Enter kTcpSpin({"remote-call/tcp/spin", "penstock", "co_await on a stub, workers that spin",
                      &rate<Kind::tcp, Idle::spin, OneByOne>});
const Enter kTcpAdaptive({"remote-call/tcp/adaptive", "penstock",
                          "co_await on a stub, adaptive workers",
                          &rate<Kind::tcp, Idle::adaptive, OneByOne>});
const Enter kTcpPark({"remote-call/tcp/park", "penstock", "co_await on a stub, workers that park",
                      &rate<Kind::tcp, Idle::park, OneByOne>});
const Enter kTcpOutstanding({"remote-call/tcp-64", "penstock", "64 futures of one coroutine",
                             &rate<Kind::tcp, Idle::spin, Window>});

const Enter kTlsSpin({"remote-call/tls/spin", "penstock", "co_await on a stub, workers that spin",
                      &rate<Kind::tls, Idle::spin, OneByOne>});
const Enter kTlsAdaptive({"remote-call/tls/adaptive", "penstock",
                          "co_await on a stub, adaptive workers",
                          &rate<Kind::tls, Idle::adaptive, OneByOne>});
const Enter kTlsPark({"remote-call/tls/park", "penstock", "co_await on a stub, workers that park",
                      &rate<Kind::tls, Idle::park, OneByOne>});
const Enter kTlsOutstanding({"remote-call/tls-64", "penstock", "64 futures of one coroutine",
                             &rate<Kind::tls, Idle::spin, Window>});

}  // namespace
}  // namespace compare
