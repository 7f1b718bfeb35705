// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/price.hpp"

namespace sources {

Receipt Price::handle(const Order& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("Price");
}

}  // namespace sources
