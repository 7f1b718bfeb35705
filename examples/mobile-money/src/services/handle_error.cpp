#include "services/handle_error.hpp"

#include <cstdio>

namespace mobile_money {

void HandleError::handle(const Failure& request) {
  const std::uint64_t failures = shared->failures.fetch_add(1, std::memory_order_relaxed) + 1;
  if (failures % 100 == 1)
    std::fprintf(stderr, "%llu transfers not made; at stage %s: %s\n",
                 static_cast<unsigned long long>(failures), request.stage.c_str(),
                 request.message.c_str());
}

}  // namespace mobile_money
