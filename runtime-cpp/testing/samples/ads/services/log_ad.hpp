#pragma once

#include <penstock/service.hpp>

#include "ads/messages.hpp"

namespace ads {

class LogAd final : public ::penstock::Handler {
 public:
  using request_type = ::ads::Ad;
  using response_type = void;

  void handle(const ::ads::Ad& request);

  ::penstock::State<LogAd> state;
  ::penstock::Shared<LogAd>* shared = nullptr;
};

class CountError final : public ::penstock::Handler {
 public:
  using request_type = ::ads::Failure;
  using response_type = void;

  void handle(const ::ads::Failure& request);

  ::penstock::State<CountError> state;
  ::penstock::Shared<CountError>* shared = nullptr;
};

}  // namespace ads
