// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/ship.hpp"

namespace flows {

void Ship::handle(const Priced& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("Ship");
}

}  // namespace flows
