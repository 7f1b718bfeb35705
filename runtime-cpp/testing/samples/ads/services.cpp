#include <algorithm>
#include <chrono>
#include <thread>

#include "ads/flows/impressions.hpp"
#include "ads/services/get_ad.hpp"
#include "ads/services/log_ad.hpp"
#include "ads/services/produce_ad.hpp"

namespace ads {

using namespace std::chrono_literals;

::penstock::Task<Ad> GetAd::handle(const AdRequest& request) {
  auto offers = co_await ::penstock::gather_within(100ms, calls.ProduceAd.each(request));
  if (offers.empty()) {
    throw ::penstock::Error(::penstock::ErrorCode::unavailable, "no model answered in time");
  }
  co_return *std::max_element(offers.begin(), offers.end(),
                              [](const Ad& a, const Ad& b) { return a.score < b.score; });
}

Ad ProduceAd::Fast::handle(const AdRequest& request) {
  std::this_thread::sleep_for(2ms);
  return {"fast for " + request.site, 1};
}

Ad ProduceAd::Steady::handle(const AdRequest& request) {
  std::this_thread::sleep_for(10ms);
  return {"steady for " + request.site, 2};
}

Ad ProduceAd::Slow::handle(const AdRequest& request) {
  // 50 to 200 ms, the same for the same cookie.
  std::this_thread::sleep_for(
      50ms + 1ms * static_cast<int>(std::hash<std::string>{}(request.cookie) % 151));
  return {"slow for " + request.site, 3};
}

void LogAd::handle(const Ad& request) { static_cast<void>(request); }

void CountError::handle(const Failure& request) { static_cast<void>(request); }

AdRequest Impressions::event(std::uint64_t sequence) {
  return {"cookie" + std::to_string(sequence % 1000), "example.org"};
}

}  // namespace ads
