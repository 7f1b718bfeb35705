#pragma once

#include <penstock/service.hpp>

#include "ads/messages.hpp"

namespace ads {

/// Makes the events of the flow Impressions.
class Impressions final : public ::penstock::Handler {
 public:
  ::ads::AdRequest event(std::uint64_t sequence);

  ::penstock::State<Impressions> state;
  ::penstock::Shared<Impressions>* shared = nullptr;
};

}  // namespace ads
