#pragma once

#include <chrono>
#include <cstddef>

namespace penstock::http {

/// Bounds of every HTTP connection, with the defaults of the product. Tests shorten the times.
struct Limits {
  using Time = std::chrono::milliseconds;

  Time header_time{10'000};   ///< from the first byte awaited to the end of the headers; then 408
  Time request_time{30'000};  ///< a body must be sent, and an answer be taken, within it
  Time keep_alive_time{60'000};  ///< silence between two requests of one connection
  std::size_t header_bytes = std::size_t{16} * 1024;
  std::size_t body_bytes = std::size_t{100} * 1024;
  std::size_t connections = 256;  ///< above it the one that waits longest for its headers goes
  Time accept_pause{100};         ///< after running out of file descriptors
};

}  // namespace penstock::http
