// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "flows/lanes.hpp"

namespace nodes {

Order Lanes::event(std::uint64_t sequence) {
  static_cast<void>(sequence);
  return {};
}

}  // namespace nodes
