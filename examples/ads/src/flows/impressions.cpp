#include "flows/impressions.hpp"

#include <array>
#include <string>

namespace ads {

AdRequest Impressions::event(std::uint64_t sequence) {
  static constexpr std::array kSites = {"news.example", "sport.example", "weather.example"};
  return {.cookie = "visitor-" + std::to_string(sequence % 10'007),
          .site = kSites[sequence % kSites.size()]};
}

}  // namespace ads
