// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/recover.hpp"

namespace flows {

Priced Recover::handle(const Failure& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("Recover");
}

}  // namespace flows
