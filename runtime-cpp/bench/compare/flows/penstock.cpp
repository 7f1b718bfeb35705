// Ours, as a generated flow goes: a handler emits an event, which is made, goes through slots and
// stages and is freed; counters of every stage and sampled latencies on, as in every binary.
#include <vector>

#include "flows/parcels.hpp"
#include "support/relays.hpp"

namespace compare {
namespace {

using penstock::exec::Idle;
using penstock::exec::Pool;
using penstock::testing::pool_settings;
using penstock::testing::Seen;

Pool& spinning(penstock::testing::SmallBinary& binary, const char* name, unsigned thread) {
  auto settings = pool_settings(name, 1);
  settings.idle = Idle::spin;
  settings.threads = {{cpu(thread)}};
  return binary.pool(settings);
}

/// `composed` stages are one function; 0: each goes by itself.
template <Seen seen, std::size_t composed>
double rate_through(const std::vector<unsigned>& cpus_of_joins, bool joined,
                    std::int64_t at_once = kParcelsAtOnce) {
  penstock::testing::SmallBinary binary;
  Pool& front = spinning(binary, "front", 0);
  Pool* const back = joined ? &spinning(binary, "back", 1) : nullptr;
  std::vector<Pool*> joins;
  joins.reserve(cpus_of_joins.size());
  for (const unsigned cpu : cpus_of_joins) {
    joins.push_back(!joined ? nullptr : cpu == 0 ? &front : back);
  }
  penstock::testing::RelayFlow<seen> flow(binary, front, joins);
  if constexpr (composed != 0) flow.template compose<composed>();
  binary.start();
  const double rate = rate_of([&flow, at_once](std::uint64_t count) {
    keep(flow.run(static_cast<std::int64_t>(count), at_once));
  });
  binary.stop();
  return rate;
}

template <unsigned stages>
struct Fused {
  static double rate() { return rate_through<Seen::no, 0>(std::vector<unsigned>(stages), false); }
};
template <unsigned stages>
struct Fastest {
  static double rate() {
    return rate_through<Seen::yes, stages>(std::vector<unsigned>(stages), false);
  }
};
template <unsigned stages>
struct Joined {
  static double rate() {
    std::vector<unsigned> cpus;
    for (unsigned stage = 0; stage < stages; ++stage) cpus.push_back(cpu_of_stage(stage, stages));
    return rate_through<Seen::no, 0>(cpus, true);
  }
};

const EnterFlow<Fused> kFused(false, "penstock",
                              "stages without joins, handlers in files of their own, one emits");
const EnterFlow<Fastest> kFastest(false, "penstock-fastest",
                                  "the same as one function, as preset `fastest` compiles it");
const EnterFlow<Joined> kJoined(true, "penstock", "a join before each stage, a handler emits");

const Enter kLatency({"flow-latency", "penstock", "six stages without joins, a handler emits", [] {
                        constexpr unsigned kStages = 6;
                        return rate_through<Seen::no, 0>(std::vector<unsigned>(kStages), false, 1);
                      }});

}  // namespace
}  // namespace compare
