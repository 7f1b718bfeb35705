#pragma once

#include <unistd.h>

#include <deque>
#include <memory>
#include <string>

#include "calls/ours.hpp"
#include "penstock/net/remote/calls/client.hpp"
#include "penstock/net/remote/door/door.hpp"
#include "penstock/tls.hpp"
#include "remote/ends.hpp"
#include "remote/folder.hpp"
#include "support/made_keys.hpp"

// Two binaries of one process, each with its pools and counters, as the calls between generated
// binaries go; the worker that asks owns one end of the link, the one that answers the other.

namespace compare {

/// What carries the calls.
enum class Kind { memory, unix_socket, tcp, tls };

/// Of this process alone, below the ports that the system gives by itself.
inline penstock::net::Place own_address() {
  constexpr int kPorts = 10'000;
  return penstock::net::Place::tcp("127.0.0.1",
                                   static_cast<std::uint16_t>(20'000 + getpid() % kPorts));
}

/// `C`, a caller on the first CPU, asks a `Callee` on the second one.
template <class C, class Callee = penstock::testing::Echo>
class Remote {
 public:
  Remote(Kind kind, penstock::exec::Idle idle) {
    auto settings = penstock::testing::pool_settings("back", 1);
    settings.idle = idle;
    settings.threads = {{cpu(1)}};
    penstock::exec::Pool& back = callee_.pool(settings);
    penstock::call::Service& echo = callee_.service<Callee>("Echo", penstock::Kind::simple, back);
    penstock::net::Offer& offer = offers_.emplace_back();
    offer.type = &kType;
    offer.site.callee = &echo;
    penstock::call::enroll(offer.site, callee_.registry());
    back_self_.hello.services = {{0, "Echo", 1, 2}};
    back_self_.hello_bytes = penstock::net::wire::write_hello(back_self_.hello);
    callee_.start();
    door_ = std::make_unique<penstock::net::Door>(back_self_, offers_, back, callee_.take_slot());
    if (kind == Kind::tcp) peer_.drawn = penstock::net::Directory::drawn_at(own_address());
    if (kind == Kind::tls) secure();
    door_->open(peer_.drawn ? peer_.drawn->place
                            : directory_.publish(
                                  "back", std::string(penstock::net::Directory::kIdDigits, 'a')),
                back_keys_.get());

    peer_.binary = "back";
    peer_.self = self_of("front", 'f');
    peer_.self.wanted = {{"Echo", 1, 2}};
    peer_.self.hello_bytes = penstock::net::wire::write_hello(peer_.self.hello);
    peer_.directory = &directory_;
    peer_.through_memory = kind == Kind::memory;
    peer_.slot = caller_.take_slot();
    settings.name = "front";
    settings.threads = {{cpu(0)}};
    penstock::exec::Pool& front = caller_.pool(settings);
    penstock::call::Service& there = caller_.service("Echo", penstock::Kind::async_remote, front,
                                                     {&penstock::net::remote_implementation()});
    there.thread = penstock::call::Service::kWhereCalled;
    there.implementations.front()->give_extras().shared = &record_;
    penstock::call::Service& asks = caller_.service<C>("Asks", penstock::Kind::simple, front);
    caller_.connect<C>(asks, there, &C::calls_type::Echo);
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

  /// Of calls, by what `first` of them take.
  [[nodiscard]] double rate(std::uint64_t first = kFirst) {
    return rate_of(
        [this](std::uint64_t count) {
          static_cast<void>(ask_({static_cast<std::int64_t>(count)}).get());
        },
        first);
  }

 private:
  using Number = penstock::testing::Number;
  static constexpr const auto& kType =
      penstock::net::kRemoteType<typename Callee::request_type, typename Callee::response_type>;

  void secure() {
    penstock::testing::MadeKeys keys(folder_.path + "/keys");
    keys.add("front", {.uri = "penstock://bench/front"});
    keys.add("back", {.uri = "penstock://bench/back"});
    front_keys_ = penstock::tls({"bench", "front"}, keys.folder());
    back_keys_ = penstock::tls({"bench", "back"}, keys.folder());
    peer_.security = front_keys_.get();
    peer_.drawn = penstock::net::Directory::drawn_at(own_address().secured());
  }

  Folder folder_;
  std::unique_ptr<penstock::net::Security> front_keys_;
  std::unique_ptr<penstock::net::Security> back_keys_;
  penstock::net::Directory directory_{folder_.path + "/run"};
  penstock::net::Link::Self back_self_ = self_of("back", 'a');
  std::deque<penstock::net::Offer> offers_;
  penstock::testing::SmallBinary callee_;
  std::unique_ptr<penstock::net::Door> door_;
  penstock::net::Peer peer_;
  penstock::net::RemoteService record_{.type = &kType, .peer = &peer_};
  penstock::testing::SmallBinary caller_;
  penstock::Stub<Number, Number> ask_;
};

}  // namespace compare
