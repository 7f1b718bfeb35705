#include "services/calibrate.hpp"

namespace streaming {

Reading Calibrate::handle(const Reading& request) {
  static constexpr double kTooHigh = 0.25;  // of every odd sensor
  Reading reading = request;
  if (reading.sensor % 2 == 1) reading.celsius -= kTooHigh;
  return reading;
}

}  // namespace streaming
