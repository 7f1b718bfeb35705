#include "services/log_transaction.hpp"

#include "shared/clock.hpp"

namespace mo_flow {

void LogTransaction::handle(const Receipt& request) {
  if (!state.file)
    throw penstock::Error(penstock::ErrorCode::unavailable,
                          "the transaction log cannot be written");
  const int written = std::fprintf(state.file.get(), "%llu %d %u %lld %lld\n",
                                   static_cast<unsigned long long>(request.id), request.status,
                                   request.attempts, static_cast<long long>(request.receivedUs),
                                   static_cast<long long>(sample::now_us() - request.receivedUs));
  if (written < 0)
    throw penstock::Error(penstock::ErrorCode::resource_exhausted,
                          "the transaction log cannot be written");
}

}  // namespace mo_flow
