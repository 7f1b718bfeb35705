// Events from their emitting to their end.
#include <vector>

#include "paths.hpp"
#include "support/relays.hpp"

namespace penstock::guard {
namespace {

// An event, by a chunk of them, from its emitting to its end, through so many stages before the
// last one: each fused, as one function, or with a join on the same pool; or fused to a branch, or
// to a fan-out whose two ways are fused as well or begin with joins.
enum class Ways : std::uint8_t { fused, composed, joined, branched, fanned, fanned_joined };

template <std::size_t kStages, Ways kWays>
std::int64_t events(std::int64_t count) {
  testing::SmallBinary binary;
  auto& pool = binary.pool(parking(1));
  using Flow = testing::RelayFlow<>;
  constexpr bool kFanned = kWays == Ways::fanned || kWays == Ways::fanned_joined;
  std::vector<exec::Pool*> joins(kStages + 1, kWays == Ways::joined ? &pool : nullptr);
  if (kWays == Ways::fanned_joined) joins.back() = &pool;
  Flow flow(binary, pool, joins,
            kFanned                   ? Flow::Ends::in_both
            : kWays == Ways::branched ? Flow::Ends::in_two
                                      : Flow::Ends::in_one);
  if constexpr (kWays == Ways::composed) flow.compose<kStages + 1>();
  // Counting takes many times as long as running.
  flow.assume_quick(binary);
  binary.start();
  const std::uint64_t ran = flow.run(count, 64);
  binary.stop();
  return ran == static_cast<std::uint64_t>(count) * kStages ? count : -1;
}

}  // namespace

std::int64_t event(std::int64_t count) { return events<0, Ways::fused>(count); }
std::int64_t event_9_fused(std::int64_t count) { return events<9, Ways::fused>(count); }
std::int64_t event_9_composed(std::int64_t count) { return events<9, Ways::composed>(count); }
std::int64_t event_9_joined(std::int64_t count) { return events<9, Ways::joined>(count); }
std::int64_t event_9_branched(std::int64_t count) { return events<9, Ways::branched>(count); }
std::int64_t event_9_fanned(std::int64_t count) { return events<9, Ways::fanned>(count); }
std::int64_t event_9_fanned_joined(std::int64_t count) {
  return events<9, Ways::fanned_joined>(count);
}

}  // namespace penstock::guard
