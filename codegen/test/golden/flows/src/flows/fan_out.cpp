// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "flows/fan_out.hpp"

namespace flows {

Order FanOut::event(std::uint64_t sequence) {
  static_cast<void>(sequence);
  return {};
}

}  // namespace flows
