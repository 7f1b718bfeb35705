// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/bill.hpp"

namespace flows {

Priced Bill::handle(const Priced& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("Bill");
}

}  // namespace flows
