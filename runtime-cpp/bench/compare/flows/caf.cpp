// A chain of CAF's actors: an actor a stage. C++17, as CAF's headers want.
#include <caf/all.hpp>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "flows/parcels.hpp"

namespace compare {
namespace {

struct Event {
  Parcel parcel;
};

}  // namespace
}  // namespace compare

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(compare::Event)

namespace compare {
namespace {

caf::behavior relay(caf::event_based_actor* self, const caf::actor& next) {
  return {[self, next](const Event& event) { self->send(next, Event{relayed(event.parcel)}); }};
}

struct Sending {
  std::uint64_t left = 0;
  std::uint64_t under_way = 0;
  std::uint64_t sum = 0;
  std::vector<caf::actor> chain;
  caf::typed_response_promise<bool> done;
};
using Ends = caf::stateful_actor<Sending>;

/// Source and last stage: told a count, sends that many events, so many at once.
caf::behavior ends(Ends* self, unsigned stages) {
  caf::actor next = caf::actor_cast<caf::actor>(self);
  for (unsigned stage = 0; stage + 1 < stages; ++stage) {
    next = self->spawn(relay, next);
    self->state.chain.push_back(next);
  }
  return {[self, next](std::uint64_t count) {
            Sending& state = self->state;
            state.done = self->make_response_promise<bool>();
            constexpr auto kMost = static_cast<std::uint64_t>(kParcelsAtOnce);
            state.under_way = count < kMost ? count : kMost;
            state.left = count - state.under_way;
            const std::uint64_t first = state.under_way;
            for (std::uint64_t event = 0; event < first; ++event) self->send(next, Event{});
            return state.done;
          },
          [self, next](const Event& event) {
            Sending& state = self->state;
            state.sum += event.parcel.words[0];
            if (state.left != 0) {
              --state.left;
              self->send(next, Event{});
            } else if (--state.under_way == 0) {
              state.done.deliver(true);
            }
          }};
}

double chain(unsigned threads, unsigned stages) {
  stay_on_first(threads);
  caf::actor_system_config config;
  config.set("scheduler.max-threads", threads);
  config.set("work-stealing.aggressive-poll-attempts", std::numeric_limits<int>::max());
  caf::actor_system system(config);
  const caf::actor last = system.spawn(ends, stages);
  caf::scoped_actor self(system);
  const double rate = rate_of([&](std::uint64_t count) {
    self->request(last, caf::infinite, count)
        .receive([](bool) {}, [](const caf::error&) { throw std::runtime_error("CAF failed"); });
  });
  // The system waits for all actors, and each refers to the next one.
  caf::anon_send_exit(last, caf::exit_reason::kill);
  return rate;
}

template <unsigned stages>
struct OnOne {
  static double rate() { return chain(1, stages); }
};
template <unsigned stages>
struct OnTwo {
  static double rate() { return chain(2, stages); }
};

const EnterFlow<OnOne> kOnOne(false, "caf", "a chain of CAF actors on one worker");
const EnterFlow<OnTwo> kOnTwo(true, "caf", "a chain of CAF actors, two workers that poll");

}  // namespace
}  // namespace compare
