// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/log_ad.hpp"

namespace ads {

void LogAd::handle(const Ad& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("LogAd");
}

}  // namespace ads
