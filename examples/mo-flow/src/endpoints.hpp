#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "shared/database.hpp"

namespace mo_flow {

/// Where applications listen, in a database whose connections all threads share.
class Endpoints {
 public:
  /// As the environment says: MO_FLOW_DATABASE (see Database::open; left out, one in memory),
  /// MO_FLOW_CONNECTIONS (6), MO_FLOW_QUERY_MS (2: what the way to an embedded one and back takes).
  Endpoints();
  Endpoints(int connections, std::chrono::milliseconds round_trip,
            const std::string& database = "");

  /// Nothing when the application is not in the database. Blocks. Any thread. Throws
  /// penstock::Error (unavailable) when the database cannot be asked.
  [[nodiscard]] std::optional<std::string> path_of(const std::string& application);

 private:
  sample::ConnectionPool connections_;
};

}  // namespace mo_flow
