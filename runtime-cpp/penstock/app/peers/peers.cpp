#include "penstock/app/peers/peers.hpp"

#include <algorithm>
#include <stdexcept>

#include "penstock/app/peers/keys_folder.hpp"
#include "penstock/app/process/say.hpp"
#include "penstock/base/error.hpp"
#include "penstock/base/random_bytes.hpp"
#include "penstock/net/remote/calls/remote_definitions.hpp"
#include "penstock/version.hpp"

namespace penstock::app {

namespace {

constexpr std::uint32_t kLargestBody = 1U << 20U;

// What one implementation of a service is asked by.
std::string wire_name(const std::string& service, const std::string& implementation) {
  return service + "/" + implementation;
}

// A name may be that of several hosts: whoever listens does so at all addresses of its own.
net::Place listening_place(const config::PeerAddress& address) {
  return address.named ? net::Place::everywhere(address.port, transport_of(address))
                       : place_of(address);
}

}  // namespace

net::Link::Limits limits_of(const config::Liveness& liveness) {
  constexpr Nanos kMs = 1'000'000;
  net::Link::Limits limits;
  limits.silence = liveness.ping_ms * kMs;
  limits.lost = liveness.lost_ms * kMs;
  limits.host_lost = liveness.host_lost_ms * kMs;
  // Where others may be silent for longer, they may be slow to greet, too.
  limits.greet = std::max(limits.greet, limits.lost);
  return limits;
}

Peers::~Peers() {
  if (names_) net::Names::set(nullptr);
}

void Peers::add_remote(call::Service& service, const RemoteBinding& binding) {
  auto peer = std::find_if(peers_.begin(), peers_.end(), [&binding](const net::Peer& known) {
    return known.binary == binding.binary;
  });
  if (peer == peers_.end()) {
    peers_.emplace_back().binary = binding.binary;
    peer = peers_.end() - 1;
  }
  service.kind = Kind::async_remote;
  service.deadline_ns = binding.options.deadline_ms * 1'000'000;
  service.thread = call::Service::kWhereCalled;
  const auto add = [&](const std::string& name) {
    Remote& remote = remotes_.emplace_back();
    remote.service = &service;
    remote.record = {.type = &binding.type,
                     .peer = &*peer,
                     .outlet = peer->self.wanted.size(),
                     .idempotent = binding.options.idempotent};
    peer->self.wanted.push_back({name, binding.wire.request_schema, binding.wire.answer_schema,
                                 net::definitions_of(binding.type), binding.type.answer_is_kept});
    service.implementations.add(net::remote_implementation()).give_extras().shared = &remote.record;
  };
  add(binding.wire.name);
  if (binding.options.implementations.empty()) return;
  for (const std::string& name : binding.options.implementations)
    add(wire_name(binding.wire.name, name));
  // The first one is asked by all who do not ask each.
  service.first_named = 1;
  std::vector<std::int32_t> shares(service.implementations.size(), 0);
  shares.front() = 1;
  service.implementations.set_shares(shares);
}

void Peers::add_stage(call::Service& stage, const call::Service& service,
                      const call::CallSite& site, const std::string& name,
                      std::uint64_t answer_schema, const net::RemoteType& type) {
  const auto found = std::find_if(remotes_.begin(), remotes_.end(),
                                  [&](const Remote& remote) { return remote.service == &service; });
  if (found == remotes_.end()) {
    throw std::logic_error(service.name.str() + " is no service of another binary");
  }
  const net::RemoteService& called = found->record;
  net::Peer& peer = *called.peer;
  stage.kind = service.kind;
  stage.deadline_ns = service.deadline_ns;
  stage.thread = service.thread;
  Remote& remote = remotes_.emplace_back();
  remote.service = &stage;
  remote.record = {.type = &type,
                   .peer = &peer,
                   .outlet = peer.self.wanted.size(),
                   .idempotent = called.idempotent};
  peer.self.wanted.push_back({name, peer.self.wanted[called.outlet].request_schema, answer_schema,
                              net::definitions_of(type), type.answer_is_kept});
  stage.implementations.add(net::remote_implementation()).give_extras().shared = &remote.record;
  peer.patient.push_back(&site);
}

void Peers::add_offer(call::Service& service, const WireService& wire,
                      const net::RemoteType& type) {
  offer(service, nullptr, wire, type);
  for (call::Implementation* const each : service.implementations) {
    const Name own = each->name();
    if (own.empty()) continue;
    offer(service, each, {wire_name(wire.name, own.str()), wire.request_schema, wire.answer_schema},
          type);
  }
}

void Peers::add_offered_stage(call::Service& service, const WireService& wire,
                              const net::RemoteType& type) {
  offer(service, nullptr, wire, type);
}

void Peers::offer(call::Service& service, call::Implementation* implementation,
                  const WireService& wire, const net::RemoteType& type) {
  net::Offer& made = offers_.emplace_back();
  made.type = &type;
  made.site.callee = &service;
  made.implementation = implementation;
  self_.hello.services.push_back({static_cast<std::uint32_t>(offers_.size() - 1), wire.name,
                                  wire.request_schema, wire.answer_schema});
  self_.definitions.push_back(net::definitions_of(type));
}

const call::Service* Peers::place_stage(const std::string& name, exec::Pool& pool) {
  const auto& names = self_.hello.services;
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&name](const auto& offered) { return offered.name == name; });
  if (found == names.end()) return nullptr;
  net::Offer& placed = offers_[found->number];
  placed.runs_on = &pool;
  return placed.site.callee;
}

std::string Peers::binary_of(const call::Service& service) const {
  for (const Remote& remote : remotes_) {
    if (remote.service == &service) return remote.record.peer->binary;
  }
  return {};
}

void Peers::configure(const config::Config& config, const std::string& file, exec::Pool& pool,
                      metrics::Registry& registry, std::uint32_t& slots) {
  if (none()) return;
  places_.configure(config);
  const net::Directory& directory = directory_.emplace(net::Directory::folder_for(file));
  net::wire::Hello hello;
  hello.project = options_.project;
  hello.binary = options_.binary;
  hello.instance = random_bytes<net::wire::kInstanceBytes>();
  hello.topology = options_.topology_hash;
  hello.runtime = PENSTOCK_VERSION_TEXT;
  hello.features = net::wire::kBuffersBeside | net::wire::kTellsDefinitions |
                   net::wire::kCallsTogether | net::wire::kSaysLate;
  hello.largest_body = kLargestBody;
  instance_ = hex_of(hello.instance).substr(0, net::Directory::kIdDigits);
  for (net::Peer& peer : peers_) {
    peer.self.hello = hello;
    peer.self.hello_bytes = net::wire::write_hello(hello);
    peer.directory = &directory;
    peer.limits = limits_of(config.liveness);
    places_.lead(peer);
    if (!peer.drawn && !peer.finder) directory.expect_room_for(peer.binary);
    peer.slot = slots++;
  }
  const bool has_names = net::Names::are_wanted();
  if (!offers_.empty() || has_names) {
    std::swap(self_.hello.services, hello.services);
    std::swap(self_.hello, hello);
    self_.hello_bytes = net::wire::write_hello(self_.hello);
    make_door(config, pool, registry, slots++);
  }
  secure(file);
  if (!has_names || !door_) return;
  names_.emplace().board = door_->board();
  names_->board->reserve(pool, registry, slots);
  names_->resolved.reserve(pool, registry, slots);
  names_->resolved.set_limits(limits_of(config.liveness));
  names_->resolved.begin(self_.hello, directory, security_.get(),
                         [this](net::Peer& peer) { places_.lead(peer); });
  places_.watch();
  net::Names::set(&*names_);
}

void Peers::make_door(const config::Config& config, exec::Pool& pool, metrics::Registry& registry,
                      std::uint32_t slot) {
  if (config.announce) announced_at_ = &places_.server_at(*config.announce);
  const std::string everywhere = announced_at_ != nullptr ? NatsServers::own_host() : std::string();
  for (const config::PeerAddress& address : config.listen)
    listen_.push_back({listening_place(address), address.named ? everywhere : number_of(address)});
  for (net::Offer& offer : offers_) call::enroll(offer.site, registry);
  allow(config);
  door_.emplace(self_, offers_, pool, slot, limits_of(config.liveness),
                [this](const std::string& text) { say_or_lose(options_.binary + ": " + text); });
}

void Peers::allow(const config::Config& config) {
  if (!config.callers) return;
  for (net::Offer& offer : offers_) {
    const auto listed = config.callers->find(offer.site.callee->name.str());
    offer.callers.emplace();
    if (listed != config.callers->end()) offer.callers = listed->second;
  }
}

void Peers::secure(const std::string& config_file) {
  const auto is_secured = [](const Listens& one) { return one.place.is_secured(); };
  const bool needs_keys = std::any_of(listen_.begin(), listen_.end(), is_secured) ||
                          std::any_of(peers_.begin(), peers_.end(),
                                      [](const net::Peer& peer) { return peer.is_secured(); });
  if (!needs_keys) return;
  if (options_.security == nullptr) {
    throw Error(ErrorCode::failed_precondition,
                "binaries beyond this host are called with keys, and this one was built without "
                "them: generate and build it for this drawing");
  }
  const net::Identity self{options_.project, options_.binary};
  try {
    security_ = options_.security(self, folder_of_keys(config_file));
  } catch (const Error& error) {
    // Said so that whoever started it knows that the drawing is right (run/start/configRefusal.ts).
    throw Error(error.code(), "no keys: " + error.message());
  }
  for (net::Peer& peer : peers_) peer.security = security_.get();
}

void Peers::open() {
  places_.start();
  if (!door_ || !directory_) return;
  std::vector<net::nats::Roster::Door> doors;
  for (const auto& [place, host] : listen_) {
    const std::uint16_t port = door_->open(place, place.is_secured() ? security_.get() : nullptr);
    doors.push_back({place.transport(), host, port});
  }
  if (!doors.empty()) places_.listens_at(doors.front().port);
  if (listen_.empty()) {
    const net::Place place = directory_->publish(options_.binary, instance_);
    directory_->clean(options_.binary);
    door_->open(place);
  }
  if (announced_at_ != nullptr)
    announced_at_->announce(options_.binary, instance_, std::move(doors));
}

bool Peers::drain(Nanos deadline) {
  for (net::Peer& peer : peers_) peer.stops = true;
  if (names_) names_->resolved.stop();
  if (!door_ || !directory_) return true;
  directory_->remove(options_.binary, instance_);
  if (announced_at_ != nullptr) announced_at_->withdraw();
  return door_->drain(deadline);
}

}  // namespace penstock::app
