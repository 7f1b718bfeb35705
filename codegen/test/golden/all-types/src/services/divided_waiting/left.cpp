// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/divided_waiting.hpp"

namespace all_types {

penstock::Task<void> DividedWaiting::Left::handle(const Maybes& request) {
  static_cast<void>(request);
  Scalars divided_request;
  static_cast<void>(co_await calls.Divided(divided_request));
  penstock::throw_unimplemented("DividedWaiting/Left");
  co_return;
}

}  // namespace all_types
