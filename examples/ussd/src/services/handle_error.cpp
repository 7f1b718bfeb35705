#include "services/handle_error.hpp"

#include <cstdio>

namespace ussd {

void HandleError::handle(const Failure& request) {
  const std::uint64_t failures = shared->failures.fetch_add(1, std::memory_order_relaxed) + 1;
  if (failures % 100 == 1)
    std::fprintf(stderr, "%llu requests without a screen; at stage %s: %s\n",
                 static_cast<unsigned long long>(failures), request.stage.c_str(),
                 request.message.c_str());
}

}  // namespace ussd
