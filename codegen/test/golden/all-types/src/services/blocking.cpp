// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/blocking.hpp"

namespace all_types {

Everything Blocking::handle(const Everything& request) {
  static_cast<void>(request);
  Scalars plain_request;
  static_cast<void>(calls.Plain(plain_request).get());
  penstock::throw_unimplemented("Blocking");
}

}  // namespace all_types
