#include "services/send_reply.hpp"

#include "sending.hpp"

namespace ussd {

// While HttpPost waits for the gateway, this thread serves other phones.
penstock::Task<Receipt> SendReply::handle(const Screen& request) {
  const Reply reply = co_await calls.HttpPost(request);
  co_return receipt_of(request, reply);
}

}  // namespace ussd
