// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/plain_silent.hpp"

namespace all_types {

void PlainSilent::handle(const Nothing& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("PlainSilent");
}

}  // namespace all_types
