#include <thread>

#include "model_behaviour.hpp"
#include "services/produce_ad.hpp"

namespace ads {

using namespace std::chrono_literals;

// Quick: 2 to 4 ms.
Ad ProduceAd::ModelA::handle(const AdRequest& request) {
  const ModelBehaviour model = behave(request.cookie, 1, 2ms, 4ms);
  std::this_thread::sleep_for(model.latency);
  return {.text = "Shoes on " + request.site, .score = model.score * 0.8};
}

}  // namespace ads
