#pragma once

#include <penstock/service.hpp>

#include "ads/messages.hpp"

namespace ads {

/// Three models: two quick ones and a slow one.
class ProduceAd {
 public:
  class Fast;
  class Steady;
  class Slow;
};

class ProduceAd::Fast final : public ::penstock::Handler {
 public:
  using request_type = ::ads::AdRequest;
  using response_type = ::ads::Ad;

  ::ads::Ad handle(const ::ads::AdRequest& request);

  ::penstock::State<ProduceAd::Fast> state;
  ::penstock::Shared<ProduceAd::Fast>* shared = nullptr;
};

class ProduceAd::Steady final : public ::penstock::Handler {
 public:
  using request_type = ::ads::AdRequest;
  using response_type = ::ads::Ad;

  ::ads::Ad handle(const ::ads::AdRequest& request);

  ::penstock::State<ProduceAd::Steady> state;
  ::penstock::Shared<ProduceAd::Steady>* shared = nullptr;
};

class ProduceAd::Slow final : public ::penstock::Handler {
 public:
  using request_type = ::ads::AdRequest;
  using response_type = ::ads::Ad;

  ::ads::Ad handle(const ::ads::AdRequest& request);

  ::penstock::State<ProduceAd::Slow> state;
  ::penstock::Shared<ProduceAd::Slow>* shared = nullptr;
};

}  // namespace ads
