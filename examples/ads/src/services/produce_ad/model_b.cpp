#include <thread>

#include "model_behaviour.hpp"
#include "services/produce_ad.hpp"

namespace ads {

using namespace std::chrono_literals;

// Quick: 2 to 5 ms.
Ad ProduceAd::ModelB::handle(const AdRequest& request) {
  const ModelBehaviour model = behave(request.cookie, 2, 2ms, 5ms);
  std::this_thread::sleep_for(model.latency);
  return {.text = "Books on " + request.site, .score = model.score * 0.8};
}

}  // namespace ads
