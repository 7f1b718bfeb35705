#include "flows/mo_flow.hpp"

#include <array>
#include <string>

#include "shared/clock.hpp"

namespace mo_flow {

Mo MoFlow::event(std::uint64_t sequence) {
  static constexpr std::array kTexts = {"quiz b", "weather tomorrow", "vote 3", "help"};
  const std::size_t which = sequence % kTexts.size();
  return {.id = sequence,
          .receivedUs = sample::now_us(),
          .sender = "+9470" + std::to_string(1'000'000 + sequence * 7'919 % 5'003),
          .shortCode = which == 2 ? "7070" : "8080",
          .text = kTexts[which]};
}

}  // namespace mo_flow
