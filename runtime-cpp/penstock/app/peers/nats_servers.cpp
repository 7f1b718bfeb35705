#include "penstock/app/peers/nats_servers.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "penstock/base/error.hpp"
#include "penstock/base/one_host.hpp"
#include "penstock/net/socket/place.hpp"

namespace penstock::app {
namespace {

constexpr std::size_t kLongest = 4096;

std::string said_of(const std::string& variable) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody here changes the environment
  const char* const told = std::getenv(variable.c_str());
  return told == nullptr ? std::string() : told;
}

/// The first line of a file that a variable names, or what the variable says.
std::string secret_of(const std::string& variable) {
  const std::string file = said_of(variable + "_FILE");
  if (file.empty()) return said_of(variable);
  std::ifstream from(file);
  std::array<char, kLongest> line{};
  if (!from.getline(line.data(), line.size())) {
    throw Error(ErrorCode::failed_precondition, variable + "_FILE: " + file +
                                                    " has no first line that can be read, of at "
                                                    "most 4095 bytes");
  }
  return line.data();
}

}  // namespace

net::nats::Login NatsServers::login() {
  return {said_of("PENSTOCK_NATS_USER"), secret_of("PENSTOCK_NATS_PASSWORD"),
          secret_of("PENSTOCK_NATS_TOKEN")};
}

std::string NatsServers::own_host() {
  std::string host = said_of("PENSTOCK_ANNOUNCE");
  if (host.empty()) return host;
  try {
    static_cast<void>(net::Place::tcp(host, 1));
  } catch (const Error& error) {
    throw Error(ErrorCode::failed_precondition, "PENSTOCK_ANNOUNCE: " + error.message());
  }
  if (!is_one_host(host)) {
    throw Error(ErrorCode::failed_precondition,
                "PENSTOCK_ANNOUNCE: " + host + " is the address of no one host");
  }
  return host;
}

net::NatsDiscovery& NatsServers::at(const config::Address& server, const std::string& project,
                                    const std::string& binary) {
  const std::string key = server.host + " " + std::to_string(server.port);
  auto made = servers_.find(key);
  if (made == servers_.end()) {
    auto asked = std::make_unique<net::NatsDiscovery>(
        net::NatsDiscovery::Server{server.host, server.port, login()}, project, binary);
    made = servers_.emplace(key, std::move(asked)).first;
  }
  return *made->second;
}

void NatsServers::start() {
  for (const auto& [_, server] : servers_) server->start();
}

}  // namespace penstock::app
