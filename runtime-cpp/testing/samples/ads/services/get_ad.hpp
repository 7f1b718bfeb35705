#pragma once

#include <penstock/service.hpp>

#include "ads/messages.hpp"

namespace ads {

/// Asks several models, keeps the best
class GetAd final : public ::penstock::Handler {
 public:
  using request_type = ::ads::AdRequest;
  using response_type = ::ads::Ad;

  /// The services this one may ask: exactly the drawn calls.
  struct calls_type {
    ::penstock::Stub<::ads::AdRequest, ::ads::Ad> ProduceAd;
  };

  ::penstock::Task<::ads::Ad> handle(const ::ads::AdRequest& request);

  calls_type calls;
  ::penstock::State<GetAd> state;
  ::penstock::Shared<GetAd>* shared = nullptr;
};

}  // namespace ads
