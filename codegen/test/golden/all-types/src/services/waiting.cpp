// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/waiting.hpp"

namespace all_types {

penstock::Task<Arrays> Waiting::handle(const Scalars& request) {
  static_cast<void>(co_await calls.Plain(request));
  Nothing plain_silent_request;
  co_await calls.PlainSilent(plain_silent_request);
  penstock::throw_unimplemented("Waiting");
  co_return Arrays{};
}

}  // namespace all_types
