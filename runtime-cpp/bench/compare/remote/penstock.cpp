// Ours over a socket: two binaries of one process, each with its pools and counters, as the calls
// between generated binaries go; the worker that asks owns one end of the link, the one that
// answers the other.
#include <unistd.h>

#include <deque>
#include <filesystem>
#include <string>

#include "calls/ours.hpp"
#include "harness/contender.hpp"
#include "penstock/net/remote/client.hpp"
#include "penstock/net/remote/door.hpp"
#include "penstock/tls.hpp"
#include "remote/ends.hpp"
#include "remote/folder.hpp"
#include "support/made_keys.hpp"

namespace compare {
namespace {

namespace net = penstock::net;
using penstock::exec::Idle;
using penstock::testing::Caller;
using penstock::testing::Echo;
using penstock::testing::Number;

/// What carries the calls.
enum class Kind { memory, unix_socket, tcp, tls };

/// Of this process alone, below the ports that the system gives by itself.
net::Place own_address() {
  constexpr int kPorts = 10'000;
  return net::Place::tcp("127.0.0.1", static_cast<std::uint16_t>(20'000 + getpid() % kPorts));
}

/// `C`, a caller on the first CPU, asks an Echo on the second one.
template <class C>
class Remote {
 public:
  Remote(Kind kind, Idle idle) {
    auto settings = penstock::testing::pool_settings("back", 1);
    settings.idle = idle;
    settings.threads = {{cpu(1)}};
    penstock::exec::Pool& back = callee_.pool(settings);
    penstock::call::Service& echo = callee_.service<Echo>("Echo", penstock::Kind::simple, back);
    net::Offer& offer = offers_.emplace_back();
    offer.type = &net::kRemoteType<Number, Number>;
    offer.site.callee = &echo;
    penstock::call::enroll(offer.site, callee_.registry());
    back_self_.hello.services = {{0, "Echo", 1, 2}};
    back_self_.hello_bytes = net::wire::write_hello(back_self_.hello);
    callee_.start();
    door_ = std::make_unique<net::Door>(back_self_, offers_, back, callee_.take_slot());
    if (kind == Kind::tcp) peer_.drawn = net::Directory::drawn_at(own_address());
    if (kind == Kind::tls) secure();
    door_->open(peer_.drawn
                    ? peer_.drawn->place
                    : directory_.publish("back", std::string(net::Directory::kIdDigits, 'a')),
                back_keys_.get());

    peer_.binary = "back";
    peer_.self = self_of("front", 'f');
    peer_.self.wanted = {{"Echo", 1, 2}};
    peer_.self.hello_bytes = net::wire::write_hello(peer_.self.hello);
    peer_.directory = &directory_;
    peer_.through_memory = kind == Kind::memory;
    peer_.slot = caller_.take_slot();
    settings.name = "front";
    settings.threads = {{cpu(0)}};
    penstock::exec::Pool& front = caller_.pool(settings);
    penstock::call::Service& there = caller_.service("Echo", penstock::Kind::async_remote, front,
                                                     {&net::remote_implementation()});
    there.thread = penstock::call::Service::kWhereCalled;
    there.implementations.front()->shared = &record_;
    penstock::call::Service& asks = caller_.service<C>("Asks", penstock::Kind::simple, front);
    caller_.connect<C>(asks, there, &Caller::calls_type::Echo);
    ask_ = penstock::Stub<Number, Number>(&caller_.site(asks));
    caller_.start();
  }
  Remote(const Remote&) = delete;
  Remote& operator=(const Remote&) = delete;
  ~Remote() {
    caller_.stop();
    static_cast<void>(door_->drain(penstock::testing::far_from_now()));
    callee_.stop();
  }

  [[nodiscard]] double rate() {
    return rate_of([this](std::uint64_t count) {
      static_cast<void>(ask_({static_cast<std::int64_t>(count)}).get());
    });
  }

 private:
  void secure() {
    penstock::testing::MadeKeys keys(folder_.path + "/keys");
    keys.add("front", {.uri = "penstock://bench/front"});
    keys.add("back", {.uri = "penstock://bench/back"});
    front_keys_ = penstock::tls({"bench", "front"}, keys.folder());
    back_keys_ = penstock::tls({"bench", "back"}, keys.folder());
    peer_.security = front_keys_.get();
    peer_.drawn = net::Directory::drawn_at(own_address().secured());
  }

  Folder folder_;
  std::unique_ptr<net::Security> front_keys_;
  std::unique_ptr<net::Security> back_keys_;
  net::Directory directory_{folder_.path + "/run"};
  net::Link::Self back_self_ = self_of("back", 'a');
  std::deque<net::Offer> offers_;
  penstock::testing::SmallBinary callee_;
  std::unique_ptr<net::Door> door_;
  net::Peer peer_;
  net::RemoteService record_{.type = &net::kRemoteType<Number, Number>, .peer = &peer_};
  penstock::testing::SmallBinary caller_;
  penstock::Stub<Number, Number> ask_;
};

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
