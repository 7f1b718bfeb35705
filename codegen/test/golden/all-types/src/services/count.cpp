// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/count.hpp"

namespace all_types {

Scalars Count::handle(const Failure& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("Count");
}

}  // namespace all_types
