#include "services/count_lost.hpp"

#include <cstdio>

namespace streaming {

void CountLost::handle(const Failure& request) {
  if (shared->lost.fetch_add(1, std::memory_order_relaxed) != 0) return;
  std::fprintf(stderr, "a reading may be lost: %s\n", request.message.c_str());
}

}  // namespace streaming
