#include <penstock/app.hpp>

#include "ads/flows/impressions.hpp"
#include "ads/services/get_ad.hpp"
#include "ads/services/log_ad.hpp"
#include "ads/services/produce_ad.hpp"
#include "support/placed.hpp"

PENSTOCK_VERSION_CHECK(0, 1);

int main(int argc, char** argv) {
  ::penstock::App app(
      {.binary = "ads-server",
       .project = "ads",
       .topology_hash = "sha256:" + std::string(64, '0'),
       .config = std::string(::penstock::testing::placed::samples) + "/ads/ads-server.json"});
  app.service<::ads::GetAd>("GetAd", ::penstock::Kind::async_remote, {.deadline_ms = 200});
  app.service<::ads::ProduceAd::Fast, ::ads::ProduceAd::Steady, ::ads::ProduceAd::Slow>(
      "ProduceAd", ::penstock::Kind::sync_remote, {.implementations = {"Fast", "Steady", "Slow"}});
  app.service<::ads::LogAd>("LogAd", ::penstock::Kind::single_threaded);
  app.service<::ads::CountError>("CountError", ::penstock::Kind::simple);
  app.call("GetAd", "ProduceAd", &::ads::GetAd::calls_type::ProduceAd);
  app.flow<::ads::Impressions>("Impressions")
      .map<::ads::GetAd>("pick", "GetAd")
      .side_effect<::ads::LogAd>("log", "LogAd")
      .catch_failure<::ads::CountError>("oops", "CountError");
  return app.run(argc, argv);
}
