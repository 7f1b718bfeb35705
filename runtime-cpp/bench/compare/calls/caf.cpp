// CAF 0.17: actors that ask each other. Compiled as C++17, which is what its headers are for.
#include <caf/all.hpp>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/measure.hpp"

namespace compare {
namespace {

caf::behavior echo() {
  return {[](std::int64_t value) { return value; }};
}

struct Asking {
  std::uint64_t left = 0;
  std::uint64_t outstanding = 0;
  caf::typed_response_promise<bool> done;
};
using Caller = caf::stateful_actor<Asking>;

void ask(Caller* self, const caf::actor& server, std::int64_t value) {
  self->request(server, caf::infinite, value).then([self, server](std::int64_t answer) {
    keep(answer);
    if (self->state.left > 0) {
      --self->state.left;
      ask(self, server, answer + 1);
    } else if (--self->state.outstanding == 0) {
      self->state.done.deliver(true);
    }
  });
}

/// Told a count, makes that many requests, so many at once, and answers when all are answered.
caf::behavior caller(Caller* self, const caf::actor& server, std::uint64_t window) {
  return {[self, server, window](std::uint64_t count) {
    Asking& state = self->state;
    state.done = self->make_response_promise<bool>();
    state.outstanding = count < window ? count : window;
    state.left = count - state.outstanding;
    const std::uint64_t first = state.outstanding;
    for (std::uint64_t call = 0; call < first; ++call) ask(self, server, 0);
    return state.done;
  }};
}

struct Fan {
  std::uint64_t left = 0;
  int missing = 0;
  caf::typed_response_promise<bool> done;
};
using FanCaller = caf::stateful_actor<Fan>;

void ask_three(FanCaller* self, const std::vector<caf::actor>& servers) {
  self->state.missing = static_cast<int>(servers.size());
  for (const caf::actor& server : servers) {
    self->request(server, caf::infinite, std::int64_t{1})
        .then([self, &servers](std::int64_t answer) {
          keep(answer);
          if (--self->state.missing > 0) return;
          if (--self->state.left > 0) {
            ask_three(self, servers);
          } else {
            self->state.done.deliver(true);
          }
        });
  }
}

caf::behavior fan_caller(FanCaller* self, const std::vector<caf::actor>* servers) {
  return {[self, servers](std::uint64_t count) {
    self->state.done = self->make_response_promise<bool>();
    self->state.left = count;
    ask_three(self, *servers);
    return self->state.done;
  }};
}

enum class Workers { two_spinning, two, one_spinning };

/// CAF starts its threads itself: they inherit the CPUs that they may share.
struct Config : caf::actor_system_config {
  explicit Config(Workers workers) {
    const bool one = workers == Workers::one_spinning;
    stay_on_first(one ? 1 : 2);
    set("scheduler.max-threads", one ? 1 : 2);
    if (workers != Workers::two) {
      set("work-stealing.aggressive-poll-attempts", std::numeric_limits<int>::max());
    }
  }
};
struct System {
  explicit System(Workers workers) : config(workers), system(config) {}
  Config config;
  caf::actor_system system;
};

/// Tells `asker` counts, from a thread that sleeps meanwhile.
double rate_of_asker(caf::actor_system& system, const caf::actor& asker) {
  caf::scoped_actor self(system);
  const double rate = rate_of([&](std::uint64_t count) {
    self->request(asker, caf::infinite, count)
        .receive([](bool) {}, [](const caf::error&) { throw std::runtime_error("CAF failed"); });
  });
  caf::anon_send_exit(asker, caf::exit_reason::kill);
  return rate;
}

template <std::uint64_t window>
double outstanding(Workers workers) {
  System caf(workers);
  const caf::actor server = caf.system.spawn(echo);
  const double rate = rate_of_asker(caf.system, caf.system.spawn(caller, server, window));
  caf::anon_send_exit(server, caf::exit_reason::kill);
  return rate;
}

/// Each actor has its own thread, which sleeps when its mailbox is empty.
double detached() {
  System caf(Workers::two);
  pin(1);
  const caf::actor server = caf.system.spawn<caf::detached>(echo);
  pin(0);
  const caf::actor asker = caf.system.spawn<caf::detached>(caller, server, std::uint64_t{1});
  const double rate = rate_of_asker(caf.system, asker);
  caf::anon_send_exit(server, caf::exit_reason::kill);
  return rate;
}

double fan_out(Workers workers) {
  System caf(workers);
  std::vector<caf::actor> servers;
  for (int count = 0; count < 3; ++count) servers.push_back(caf.system.spawn(echo));
  const double rate = rate_of_asker(caf.system, caf.system.spawn(fan_caller, &servers));
  for (const caf::actor& server : servers) caf::anon_send_exit(server, caf::exit_reason::kill);
  return rate;
}

constexpr auto kTwo = "CAF request and response, two workers that poll";
constexpr auto kOne = "CAF request and response, both actors on one worker";

const Enter kSpin({"ping-pong/spin", "caf", kTwo,
                   [] { return outstanding<1>(Workers::two_spinning); }});
const Enter kSpinOne({"ping-pong/spin", "caf-one-worker", kOne,
                      [] { return outstanding<1>(Workers::one_spinning); }});
const Enter kAdaptive({"ping-pong/adaptive", "caf",
                       "CAF request and response, two workers as they come",
                       [] { return outstanding<1>(Workers::two); }});
const Enter kPark({"ping-pong/park", "caf-detached", "CAF request and response, detached actors",
                   detached});
const Enter kMany({"outstanding-64", "caf", kTwo,
                   [] { return outstanding<64>(Workers::two_spinning); }});
const Enter kManyOne({"outstanding-64", "caf-one-worker", kOne,
                      [] { return outstanding<64>(Workers::one_spinning); }});
const Enter kFanOut({"fan-out-3", "caf", "CAF requests to three actors, two workers that poll",
                     [] { return fan_out(Workers::two_spinning); }});
const Enter kOwn({"own-mailbox", "caf-one-worker", kOne,
                  [] { return outstanding<1>(Workers::one_spinning); }});

}  // namespace
}  // namespace compare
