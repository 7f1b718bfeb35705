#pragma once

#include <boost/asio/io_context.hpp>

namespace penstock::http_client {

/// What the one thread runs on which all clients of the process wait for their sockets (`ps-http`).
/// Started by the first client; it stays until the process ends, asleep when there is nothing to
/// do.
[[nodiscard]] boost::asio::io_context& io_thread();

}  // namespace penstock::http_client
