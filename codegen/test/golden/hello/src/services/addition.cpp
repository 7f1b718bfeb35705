// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/addition.hpp"

namespace hello {

Sum Addition::handle(const Terms& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("Addition");
}

}  // namespace hello
