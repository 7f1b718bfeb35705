#include "flows/ussd_flow.hpp"

#include <array>
#include <string>

#include "shared/clock.hpp"

namespace ussd {

// A phone dials, presses two digits, and another one comes.
Ussd UssdFlow::event(std::uint64_t sequence) {
  static constexpr std::array kTexts = {"*100#", "2", "1", "*200#", "1", "9"};
  const std::uint64_t phone = sequence / 3;
  return {.id = sequence,
          .receivedUs = sample::now_us(),
          .msisdn = "+9477" + std::to_string(1'000'000 + phone % 5'003),
          .text = kTexts[sequence % kTexts.size()]};
}

}  // namespace ussd
