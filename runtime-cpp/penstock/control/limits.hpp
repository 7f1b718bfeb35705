#pragma once

#include <chrono>
#include <cstddef>

#include "penstock/http/limits.hpp"

namespace penstock::control {

/// Every bound of the control plane, with the defaults of the product. Tests shorten the times.
struct Limits : http::Limits {
  // WebSocket
  std::size_t live_clients = 100;  ///< the next one is answered 503 before the upgrade
  std::size_t message_bytes = std::size_t{64} * 1024;
  double messages_per_second = 100;  ///< pings included, also the burst
  Time ping_interval{15'000};
  Time pong_limit{45'000};            ///< without a pong for so long the client is gone
  Time stall_limit{10'000};           ///< one frame not taken for so long
  std::size_t skip_above = 1 << 20;   ///< bytes unsent above which samples are skipped
  std::size_t close_above = 8 << 20;  ///< bytes unsent above which the client is closed
  /// Answers that one client has not taken, above which nothing more is read of it.
  std::size_t waiting_answers = 64;
  /// Bytes of those of all clients; above it the one that holds most goes.
  std::size_t answer_bytes = std::size_t{32} << 20;
  Time goodbye_time{2'000};           ///< a closing handshake may take
  std::size_t waiting_commands = 64;  ///< of all clients together
  unsigned asks = 4;                  ///< calls of services at once (`service.call`)
  std::size_t waiting_asks = 16;      ///< behind them, of all clients together
  /// The kernel's part of what is unsent; small, so that "latest wins" means it.
  int send_buffer_bytes = 256 * 1024;

  Time close_interval{100};  ///< between samples while somebody looks closely
  Time far_interval{1'000};
};

}  // namespace penstock::control
