#pragma once

#include <atomic>
#include <cstdint>
#include <penstock/service.hpp>

/// One for the binary, whatever threads CountError runs on.
template <>
struct penstock::Shared<ads::CountError> {
  std::atomic<std::uint64_t> failures = 0;
};
