#include <thread>

#include "model_behaviour.hpp"
#include "services/produce_ad.hpp"

namespace ads {

using namespace std::chrono_literals;

// The best model, and the slow one: 50 to 200 ms. A third of its answers come in time.
Ad ProduceAd::ModelC::handle(const AdRequest& request) {
  const ModelBehaviour model = behave(request.cookie, 3, 50ms, 200ms);
  std::this_thread::sleep_for(model.latency);
  return {.text = "Journeys on " + request.site, .score = 0.5 + model.score * 0.5};
}

}  // namespace ads
