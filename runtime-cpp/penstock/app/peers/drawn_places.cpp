#include "penstock/app/peers/drawn_places.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "penstock/base/error.hpp"
#include "penstock/net/remote/discovery/file_discovery.hpp"
#include "penstock/net/remote/discovery/lookup.hpp"
#include "penstock/net/remote/discovery/own_process.hpp"

namespace penstock::app {
namespace {

using Places = std::vector<std::pair<std::string, config::PeerAddress>>;

// User code may go to another folder, and resolve there.
void make_files_absolute(Places& places) {
  for (auto& place : places) {
    std::string& file = place.second.file;
    if (!file.empty()) file = std::filesystem::absolute(file).string();
  }
}

std::string url_of(const config::Address& server) {
  const bool is_six = server.host.find(':') != std::string::npos;
  return "nats://" + (is_six ? "[" + server.host + "]" : server.host) + ":" +
         std::to_string(server.port);
}

}  // namespace

std::string number_of(const config::PeerAddress& address) {
  return address.host == "localhost" ? "127.0.0.1" : address.host;
}

net::Transport transport_of(const config::PeerAddress& address) {
  return {.udp = address.datagrams, .secured = address.secured};
}

net::Place place_of(const config::PeerAddress& address) {
  return net::Place::ip(number_of(address), address.port, transport_of(address));
}

void DrawnPlaces::configure(const config::Config& config) {
  drawn_ = config.peers;
  drawn_.insert(drawn_.end(), config.others.begin(), config.others.end());
  make_files_absolute(drawn_);
  if (!config.listen.empty()) own_ = config.listen.front();
}

void DrawnPlaces::lead(net::Peer& peer) {
  if (own_ && peer.binary == options_.binary) {
    peer.finder = std::make_unique<net::OwnProcess>(own_->named ? "127.0.0.1" : number_of(*own_),
                                                    transport_of(*own_), own_port_);
    return;
  }
  const auto drawn = std::find_if(drawn_.begin(), drawn_.end(),
                                  [&peer](const auto& each) { return each.first == peer.binary; });
  if (drawn == drawn_.end()) return;
  const config::PeerAddress& address = drawn->second;
  if (const auto unasked = unasked_.find(peer.binary); unasked != unasked_.end()) {
    throw Error(ErrorCode::failed_precondition, peer.binary + " is found at " + url_of(address) +
                                                    ", which is not asked: " + unasked->second +
                                                    "; start this binary again once it has");
  }
  if (address.nats) {
    peer.finder = server_at(address).find(peer.binary, transport_of(address));
  } else if (!address.file.empty()) {
    peer.finder =
        std::make_unique<net::FileDiscovery>(address.file, peer.binary, transport_of(address));
  } else if (address.named) {
    peer.finder = std::make_unique<net::Lookup>(address.host, address.port, address.datagrams);
  } else {
    peer.drawn = net::Directory::drawn_at(place_of(address));
  }
}

void DrawnPlaces::watch() {
  for (const auto& [binary, address] : drawn_) {
    if (!address.nats) continue;
    try {
      static_cast<void>(server_at(address).find(binary, transport_of(address)));
    } catch (const Error& error) {
      unasked_.emplace(binary, error.message());
    }
  }
}

}  // namespace penstock::app
