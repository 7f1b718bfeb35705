// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/number.hpp"

namespace flows {

Priced Number::handle(const Priced& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("Number");
}

}  // namespace flows
