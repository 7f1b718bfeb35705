#include "services/send_message.hpp"

#include "sending.hpp"

namespace mo_flow {

// While HttpPost waits for the application, this thread serves other messages.
penstock::Task<Receipt> SendMessage::handle(const AtMessage& request) {
  for (std::uint32_t attempt = 1;; ++attempt) {
    try {
      const Reply reply = co_await calls.HttpPost(request);
      if (went_through(reply))
        co_return Receipt{.id = request.id,
                          .receivedUs = request.receivedUs,
                          .status = reply.status,
                          .attempts = attempt};
    } catch (const penstock::Error& error) {
      if (error.code() != penstock::ErrorCode::unavailable || attempt == kMostAttempts) throw;
    }
    if (attempt == kMostAttempts)
      throw penstock::Error(penstock::ErrorCode::unavailable, "the application is in trouble");
  }
}

}  // namespace mo_flow
