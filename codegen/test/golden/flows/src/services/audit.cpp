// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/audit.hpp"

namespace flows {

void Audit::handle(const Priced& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("Audit");
}

}  // namespace flows
