// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/exclusive.hpp"

namespace all_types {

Scalars Exclusive::handle(const Lists& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("Exclusive");
}

}  // namespace all_types
