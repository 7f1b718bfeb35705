// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/continuing_silent.hpp"

namespace all_types {

penstock::Task<void> ContinuingSilent::handle(const Scalars& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("ContinuingSilent");
  co_return;
}

}  // namespace all_types
