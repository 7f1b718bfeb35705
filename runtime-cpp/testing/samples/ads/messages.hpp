#pragma once

#include <penstock/message.hpp>
#include <string>

namespace ads {

using Failure = ::penstock::Failure;

struct AdRequest {
  std::string cookie;
  std::string site;
  friend bool operator==(const AdRequest&, const AdRequest&) = default;
};

struct Ad {
  std::string text;
  double score = 0;
  friend bool operator==(const Ad&, const Ad&) = default;
};

}  // namespace ads
