// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/give_up.hpp"

namespace flows {

void GiveUp::handle(const Failure& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("GiveUp");
}

}  // namespace flows
