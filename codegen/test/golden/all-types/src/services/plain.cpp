// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/plain.hpp"

namespace all_types {

Lists Plain::handle(const Scalars& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("Plain");
}

}  // namespace all_types
