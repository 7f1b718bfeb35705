#include "penstock/app/rules/rate_rule.hpp"

namespace penstock::app {

std::optional<RateRule::Side> RateRule::look(Nanos at, std::uint64_t count) noexcept {
  const Nanos took = at - first_at_;
  if (begun_ && took < kInterval) return std::nullopt;
  const std::uint64_t came = count > first_count_ ? count - first_count_ : 0;
  first_at_ = at;
  first_count_ = count;
  if (!begun_) {
    begun_ = true;
    return std::nullopt;
  }
  rate_ = static_cast<double>(came) * 1e9 / static_cast<double>(took);
  below_ = rate_ < settings_.below ? below_ + 1 : 0;
  above_ = rate_ > settings_.above ? above_ + 1 : 0;
  if (below_ >= settings_.seconds && chosen_ != Side::below) {
    chosen_ = Side::below;
    return chosen_;
  }
  if (above_ >= settings_.seconds && chosen_ != Side::above) {
    chosen_ = Side::above;
    return chosen_;
  }
  return std::nullopt;
}

}  // namespace penstock::app
