// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/exclusive_waiting.hpp"

namespace all_types {

penstock::Task<void> ExclusiveWaiting::handle(const Lists& request) {
  static_cast<void>(co_await calls.Exclusive(request));
  Scalars several_request;
  static_cast<void>(co_await calls.Several(several_request));
  penstock::throw_unimplemented("ExclusiveWaiting");
  co_return;
}

}  // namespace all_types
