// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/discount.hpp"

namespace flows {

penstock::Task<Priced> Discount::handle(const Priced& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("Discount");
  co_return Priced{};
}

}  // namespace flows
