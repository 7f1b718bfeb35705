#pragma once

#include <atomic>
#include <cstdint>
#include <penstock/service.hpp>

/// One for the binary, whatever threads HandleError runs on.
template <>
struct penstock::Shared<mobile_money::HandleError> {
  std::atomic<std::uint64_t> failures = 0;
};
