#pragma once

#include <cstdint>
#include <penstock/service.hpp>

/// LogAd is single-threaded: one object, never two calls at once, so plain numbers do.
template <>
struct penstock::State<ads::LogAd> {
  std::uint64_t ads = 0;
  double scores = 0;
};
