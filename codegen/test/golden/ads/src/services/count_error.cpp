// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/count_error.hpp"

namespace ads {

void CountError::handle(const Failure& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("CountError");
}

}  // namespace ads
