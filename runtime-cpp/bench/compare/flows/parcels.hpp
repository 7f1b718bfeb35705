#pragma once

#include <cstdint>
#include <string_view>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/measure.hpp"
#include "support/parcel.hpp"

/// Events of a cache line through two and six trivial stages: each makes a new event of the one it
/// got, the last one looks at what it got. Fused: all on the first CPU. Joined: a queue before each
/// stage, so that every event changes threads as often as there are stages: the source and every
/// second stage have the first CPU, the others the second one.
namespace compare {

using penstock::testing::Parcel;

/// Events under way where the number is bounded by a window.
inline constexpr std::int64_t kParcelsAtOnce = 512;
/// Places in a bounded queue: as many as a join of ours has unless it is set.
inline constexpr std::size_t kParcelsQueued = 1024;

/// What a stage does.
[[nodiscard]] inline Parcel relayed(const Parcel& parcel) noexcept {
  Parcel next = parcel;
  ++next.words[0];
  return next;
}

/// The CPU of a joined stage, the first stage being 0: the last one and the source share theirs.
[[nodiscard]] inline unsigned cpu_of_stage(unsigned stage, unsigned stages) noexcept {
  return (stages - 1 - stage) % 2;
}

/// Enters `Flow<stages>::rate()` for two and six stages of a workload.
template <template <unsigned> class Flow>
struct EnterFlow {
  EnterFlow(bool joined, std::string_view name, std::string_view what)
      : two({joined ? "flow-joined/2" : "flow-fused/2", name, what, Flow<2>::rate}),
        six({joined ? "flow-joined/6" : "flow-fused/6", name, what, Flow<6>::rate}) {}
  Enter two;
  Enter six;
};

}  // namespace compare
