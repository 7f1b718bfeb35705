// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/several.hpp"

namespace all_types {

penstock::Task<Scalars> Several::Third::handle(const Scalars& request) {
  static_cast<void>(co_await calls.Plain(request));
  penstock::throw_unimplemented("Several/Third");
  co_return Scalars{};
}

}  // namespace all_types
