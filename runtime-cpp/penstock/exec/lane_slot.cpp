#include "penstock/exec/lane_slot.hpp"

#include <bit>
#include <cstdint>
#include <mutex>
#include <utility>

#include "penstock/base/defaults.hpp"
#include "penstock/concurrent/mutex.hpp"

namespace penstock::exec {

namespace {

// Orders what one owner of a number did with its lanes before what the next one does.
constinit concurrent::Mutex g_mutex;
constinit std::uint64_t g_taken = 0;
constinit unsigned g_outsiders = 0;

}  // namespace

LaneSlot::LaneSlot(unsigned& variable, For whom) noexcept : variable_(variable), whom_(whom) {
  const bool outside = whom == For::outsider;
  variable_ = kNone;
  const std::lock_guard hold(g_mutex);
  const auto slot = static_cast<unsigned>(std::countr_one(g_taken));
  if (slot == kSlots || (outside && g_outsiders == defaults::kLanesForOutsiders)) return;
  g_taken |= std::uint64_t{1} << slot;
  if (outside) ++g_outsiders;
  variable_ = slot;
}

LaneSlot::~LaneSlot() {
  const unsigned slot = std::exchange(variable_, kNone);
  if (slot == kNone) return;
  const std::lock_guard hold(g_mutex);
  g_taken &= ~(std::uint64_t{1} << slot);
  if (whom_ == For::outsider) --g_outsiders;
}

}  // namespace penstock::exec
