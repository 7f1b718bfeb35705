// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/continuing.hpp"

namespace all_types {

penstock::Task<Scalars> Continuing::handle(const Everything& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("Continuing");
  co_return Scalars{};
}

}  // namespace all_types
