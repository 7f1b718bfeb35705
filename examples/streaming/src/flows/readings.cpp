#include "flows/readings.hpp"

namespace streaming {

Reading Readings::event(std::uint64_t sequence) {
  static constexpr std::uint64_t kSensors = 16;
  static constexpr double kLowest = 15;
  static constexpr std::uint64_t kSteps = 100;
  return {.number = sequence,
          .sensor = static_cast<std::uint32_t>(sequence % kSensors),
          .celsius = kLowest + static_cast<double>(sequence % kSteps) / 10};
}

}  // namespace streaming
