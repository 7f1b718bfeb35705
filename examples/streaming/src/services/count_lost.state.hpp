#pragma once

#include <atomic>
#include <cstdint>
#include <penstock/service.hpp>

/// One for the binary, whatever threads CountLost runs on.
template <>
struct penstock::Shared<streaming::CountLost> {
  std::atomic<std::uint64_t> lost = 0;
};
