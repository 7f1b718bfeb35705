// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/gift.hpp"

namespace flows {

void Gift::handle(const Priced& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("Gift");
}

}  // namespace flows
