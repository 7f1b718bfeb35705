#include "penstock/net/remote/names/resolved.hpp"

#include <algorithm>
#include <utility>

#include "penstock/base/error.hpp"
#include "penstock/net/remote/calls/remote_definitions.hpp"
#include "penstock/net/remote/discovery/lookup.hpp"

namespace penstock::net {
namespace {

/// None where nothing is called.
wire::Definitions definitions_of(const Target& target) {
  return target.type != nullptr ? net::definitions_of(*target.type) : wire::Definitions();
}

}  // namespace

void Resolved::reserve(exec::Pool& pool, metrics::Registry& registry, std::uint32_t& slots) {
  for (std::size_t count = 0; count < kMost; ++count) {
    Found& place = places_.emplace_back();
    call::Service& service = place.service;
    service.kind = Kind::async_remote;
    service.pool = &pool;
    service.thread = call::Service::kWhereCalled;
    service.implementations.add(remote_implementation()).give_extras().shared = &place.looked;
    service.implementations.add(remote_implementation()).give_extras().shared = &place.asked;
    // Who does not say otherwise asks.
    service.first_named = 1;
    service.implementations.set_shares({0, 1});
    call::enroll(service, registry, slots);
    place.peer.slot = slots++;
    for (call::CallSite* const site : {&place.site, &place.looks}) {
      site->callee = &service;
      call::enroll(*site, registry);
    }
  }
}

void Resolved::begin(const wire::Hello& self, const Directory& directory, const Security* security,
                     Lead lead_as_drawn) {
  const std::lock_guard lock(mutex_);
  self_ = self;
  self_.services.clear();
  directory_ = &directory;
  security_ = security;
  lead_as_drawn_ = std::move(lead_as_drawn);
}

const Resolved::Found& Resolved::find(const Target& target) {
  const ServiceUri uri = ServiceUri::parse(target.uri);
  const std::lock_guard lock(mutex_);
  if (directory_ == nullptr || places_.empty()) {
    throw Error(ErrorCode::failed_precondition,
                "this binary calls no others yet that are not drawn");
  }
  const std::size_t taken = count();
  const auto end = places_.begin() + static_cast<std::ptrdiff_t>(taken);
  const auto known = std::find_if(places_.begin(), end,
                                  [&target](const Found& place) { return place.target == target; });
  if (known != end) return *known;
  if (taken == kMost) {
    throw Error(ErrorCode::resource_exhausted,
                "a process resolves " + std::to_string(kMost) +
                    " services in all its time, and they are all taken");
  }
  Found& place = places_[taken];
  place.target = target;
  lead(place, uri);
  place.service.name = target.uri;
  place.service.deadline_ns = target.deadline_ns;
  place.looked = {.type = target.type, .peer = &place.peer, .outlet = 0, .only_looks = true};
  place.asked = {
      .type = target.type, .peer = &place.peer, .outlet = 0, .idempotent = target.idempotent};
  taken_.store(taken + 1, std::memory_order_release);
  return place;
}

void Resolved::lead(Found& place, const ServiceUri& uri) {
  Peer& peer = place.peer;
  peer.is_resolved = true;
  peer.drawn.reset();
  peer.finder.reset();
  peer.is_anyone = !uri.names_binary();
  peer.binary = peer.is_anyone ? uri.host + ":" + std::to_string(uri.port) : uri.host;
  const Transport how{.udp = uri.is_udp(), .secured = uri.is_secured()};
  if (uri.scheme == "binary") lead_as_drawn_(peer);
  if (peer.is_anyone && uri.is_numeric()) {
    peer.drawn = Directory::drawn_at(Place::ip(uri.host, uri.port, how));
  } else if (peer.is_anyone) {
    peer.finder = std::make_unique<Lookup>(uri.host, uri.port, how.udp);
  }
  if (peer.is_secured() && security_ == nullptr) {
    throw Error(ErrorCode::failed_precondition,
                uri.host +
                    " is called with keys, and this binary has none: its drawing calls, and "
                    "listens, on this host alone");
  }
  peer.self.hello = self_;
  peer.self.hello_bytes = wire::write_hello(self_);
  peer.self.wanted = {{uri.service, place.target.request_schema, place.target.answer_schema,
                       definitions_of(place.target)}};
  peer.directory = directory_;
  peer.security = security_;
}

void Resolved::stop() noexcept {
  for (Found& place : places_) place.peer.stops = true;
}

std::uint64_t Resolved::came() const {
  std::uint64_t sum = 0;
  for (const Found& place : places_) sum += place.service.sent_count();
  return sum;
}

std::uint64_t Resolved::ended() const {
  std::uint64_t sum = 0;
  for (const Found& place : places_) sum += place.service.done_count();
  return sum;
}

}  // namespace penstock::net
