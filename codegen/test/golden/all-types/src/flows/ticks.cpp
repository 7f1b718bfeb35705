// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "flows/ticks.hpp"

namespace all_types {

Everything Ticks::event(std::uint64_t sequence) {
  static_cast<void>(sequence);
  return {};
}

}  // namespace all_types
