// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/produce_ad.hpp"

namespace ads {

Ad ProduceAd::ModelC::handle(const AdRequest& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("ProduceAd/ModelC");
}

}  // namespace ads
