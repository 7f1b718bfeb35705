#include "services/get_ad.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace ads {

using namespace std::chrono_literals;

// Whatever arrived within 100 ms counts; late answers are dropped. The deadline of the service is
// longer on purpose: it is for when something is wrong, not for the slow model.
penstock::Task<Ad> GetAd::handle(const AdRequest& request) {
  auto offers = co_await penstock::gather_within(100ms, calls.ProduceAd.each(request));
  if (offers.empty())
    throw penstock::Error(penstock::ErrorCode::unavailable, "no model answered within 100 ms");
  const auto best =
      std::max_element(offers.begin(), offers.end(),
                       [](const Ad& left, const Ad& right) { return left.score < right.score; });
  co_return std::move(*best);
}

}  // namespace ads
