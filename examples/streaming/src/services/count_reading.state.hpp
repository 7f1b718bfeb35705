#pragma once

#include <atomic>
#include <cstdint>
#include <penstock/service.hpp>

#include "numbers_log.hpp"

/// What one process has got, whatever threads it runs on there.
template <>
struct penstock::Shared<streaming::CountReading> {
  std::atomic<std::uint64_t> readings = 0;
  streaming::NumbersLog log;
};
