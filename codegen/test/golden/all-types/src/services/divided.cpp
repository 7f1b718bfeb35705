// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/divided.hpp"

namespace all_types {

Scalars Divided::handle(const Scalars& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("Divided");
}

}  // namespace all_types
