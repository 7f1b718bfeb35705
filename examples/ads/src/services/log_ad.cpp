#include "services/log_ad.hpp"

#include <cstdio>

namespace ads {

void LogAd::handle(const Ad& request) {
  ++state.ads;
  state.scores += request.score;
  if (state.ads % 200 != 0) return;
  std::fprintf(stderr, "%llu ads, mean score %.3f, last: %s\n",
               static_cast<unsigned long long>(state.ads),
               state.scores / static_cast<double>(state.ads), request.text.c_str());
}

}  // namespace ads
