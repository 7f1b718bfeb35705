#include "services/count_reading.hpp"

#include <cstdio>

namespace streaming {

void CountReading::handle(const Reading& request) {
  static constexpr std::uint64_t kTold = 1'000'000;
  shared->log.write(request.number);
  const std::uint64_t readings = shared->readings.fetch_add(1, std::memory_order_relaxed) + 1;
  if (readings % kTold != 0) return;
  std::fprintf(stderr, "%llu readings, the last of %.2f degrees\n",
               static_cast<unsigned long long>(readings), request.celsius);
}

}  // namespace streaming
