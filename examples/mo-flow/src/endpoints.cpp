#include "endpoints.hpp"

#include "shared/settings.hpp"

namespace mo_flow {

Endpoints::Endpoints()
    : Endpoints(sample::setting("MO_FLOW_CONNECTIONS", 6),
                std::chrono::milliseconds(sample::setting("MO_FLOW_QUERY_MS", 2)),
                sample::setting("MO_FLOW_DATABASE", std::string())) {}

Endpoints::Endpoints(int connections, std::chrono::milliseconds round_trip,
                     const std::string& database)
    : connections_(database, connections, round_trip) {
  const auto connection = connections_.take();
  connection->run(
      "CREATE TABLE IF NOT EXISTS endpoint"
      " (application VARCHAR(32) PRIMARY KEY, path VARCHAR(128) NOT NULL)");
  connection->run(
      "REPLACE INTO endpoint VALUES ('quiz', '/quiz'), ('vote', '/vote'),"
      " ('weather', '/weather'), ('help', '/help')");
}

std::optional<std::string> Endpoints::path_of(const std::string& application) {
  const auto rows =
      connections_.take()->run("SELECT path FROM endpoint WHERE application = ?", {application});
  if (rows.empty()) return std::nullopt;
  return rows.front().front();
}

}  // namespace mo_flow
