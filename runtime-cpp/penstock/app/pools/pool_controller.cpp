#include "penstock/app/pools/pool_controller.hpp"

#include <algorithm>

namespace penstock::app {

namespace {

/// Fewer looks within an interval say too little: the process was stopped, or had no CPU.
constexpr std::uint64_t kFewestLooks = 5;
/// Of their time, that all threads are at work when one more is of use.
constexpr double kAllAtWork = 0.9;
/// Of their time, that those who stay may be at work when one leaves. What is between the two is
/// the hysteresis: one more thread at the edge of the first is far from the second.
constexpr double kAtWorkAfterwards = 0.7;
/// A delay is well below the target up to this share of it.
constexpr Nanos kWellBelow = 4;
/// Intervals without a wrong step after which it is half as patient again.
constexpr unsigned kForgetAfter = 300;

}  // namespace

std::optional<PoolStep> PoolController::look(const PoolLook& look) noexcept {
  if (looks_ == 0 || look.threads != first_.threads) {
    begin(look);
    return std::nullopt;
  }
  ++looks_;
  busy_ += look.busy;
  least_ = std::min(least_, look.waiting);
  if (look.at - first_.at < kInterval) return std::nullopt;
  const auto step = looks_ < kFewestLooks ? std::nullopt : decide(look);
  begin(look);
  return step;
}

void PoolController::begin(const PoolLook& look) noexcept {
  first_ = look;
  looks_ = 1;
  busy_ = look.busy;
  least_ = look.waiting;
}

std::optional<PoolStep> PoolController::decide(const PoolLook& look) noexcept {
  if (++steady_ >= kForgetAfter) {
    patience_ = std::max(patience_ / 2, kPatience);
    steady_ = 0;
  }
  const Nanos took = look.at - first_.at;
  const std::uint64_t left = look.left > first_.left ? look.left - first_.left : 0;
  // Little's law; where nothing left, nobody waited less than the whole interval.
  const Nanos waited =
      left == 0 ? (least_ == 0 ? 0 : took)
                : static_cast<Nanos>(static_cast<double>(took) * static_cast<double>(least_) /
                                     static_cast<double>(left));
  const double at_work = static_cast<double>(busy_) / static_cast<double>(looks_);
  const auto threads = static_cast<double>(look.threads);
  if (look.threads < bounds_.from) return PoolStep{look.threads + 1, waited};
  if (look.threads > bounds_.to) return PoolStep{look.threads - 1, waited};
  if (waited > kTarget && at_work >= kAllAtWork * threads) {
    calm_ = 0;
    if (look.threads == bounds_.to) return std::nullopt;
    return grow(look, waited);
  }
  const bool calm = waited <= kTarget / kWellBelow &&
                    at_work <= kAtWorkAfterwards * (threads - 1) && look.threads > bounds_.from;
  calm_ = calm ? calm_ + 1 : 0;
  if (calm_ < patience_) return std::nullopt;
  gave_away_ = true;
  return PoolStep{look.threads - 1, waited};
}

PoolStep PoolController::grow(const PoolLook& look, Nanos waited) noexcept {
  if (gave_away_) {
    patience_ = std::min(patience_ * 2, kMostPatience);
    steady_ = 0;
    gave_away_ = false;
  }
  return {look.threads + 1, waited};
}

}  // namespace penstock::app
