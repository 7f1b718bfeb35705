// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/get_ad.hpp"

namespace ads {

penstock::Task<Ad> GetAd::handle(const AdRequest& request) {
  co_return co_await calls.ProduceAd(request);
}

}  // namespace ads
