#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "penstock/app.hpp"
#include "penstock/app/peers/drawn_places.hpp"
#include "penstock/call/service/service.hpp"
#include "penstock/config/config.hpp"
#include "penstock/metrics/registry.hpp"
#include "penstock/net/remote/calls/peer.hpp"
#include "penstock/net/remote/discovery/directory.hpp"
#include "penstock/net/remote/door/door.hpp"
#include "penstock/net/remote/names/names.hpp"
#include "penstock/net/socket/security.hpp"

namespace penstock::app {

/// Of the links of a binary of which that is said.
[[nodiscard]] net::Link::Limits limits_of(const config::Liveness& liveness);

/// What this binary has to do with the others of its drawing: the services that it calls there, and
/// those that they may call here. One control thread.
class Peers {
 public:
  explicit Peers(const AppOptions& options) : options_(options) {}
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;
  ~Peers();

  /// Makes of `service` one of another binary. Both stay.
  void add_remote(call::Service& service, const RemoteBinding& binding);
  /// Makes of `stage` what `service`, which is another binary's, is to a flow of this one: a stage
  /// of that name. Calls from this site wait for as long as they must.
  void add_stage(call::Service& stage, const call::Service& service, const call::CallSite& site,
                 const std::string& name, std::uint64_t answer_schema, const net::RemoteType& type);
  void add_offer(call::Service& service, const WireService& wire, const net::RemoteType& type);
  /// The same as a stage of others' flows, whose name on the wire is `Flow.stage`.
  void add_offered_stage(call::Service& service, const WireService& wire,
                         const net::RemoteType& type);
  /// That stage runs on threads of `pool`. Null: it is not offered.
  [[nodiscard]] const call::Service* place_stage(const std::string& name, exec::Pool& pool);

  [[nodiscard]] bool none() const noexcept {
    return remotes_.empty() && offers_.empty() && !net::Names::are_wanted();
  }
  /// Those that others may call.
  [[nodiscard]] const auto& offers() const noexcept { return offers_; }
  /// Those who were refused; null: nobody can be.
  [[nodiscard]] const net::Refusals* refusals() const noexcept {
    return door_ ? &door_->refusals() : nullptr;
  }
  /// The binaries that this one calls.
  [[nodiscard]] const auto& called() const noexcept { return peers_; }
  /// What its own code publishes and resolves; null: it does neither.
  [[nodiscard]] const net::Names* names() const noexcept { return names_ ? &*names_ : nullptr; }
  /// The binary that runs it; empty: this one.
  [[nodiscard]] std::string binary_of(const call::Service& service) const;

  /// Once, after all services have their pools. Workers of `pool`, none of which blocks, are to own
  /// what comes from outside. `file` is where `config` was read, beside those of the others. Throws
  /// what the system refuses, and Error(failed_precondition) where keys are missing.
  void configure(const config::Config& config, const std::string& file, exec::Pool& pool,
                 metrics::Registry& registry, std::uint32_t& slots);
  /// From now on the others find this binary. Throws Error, std::system_error.
  void open();
  /// They do not any more, and those that have are told to call no more; what waits here for them
  /// does not for long. False: somebody did not come to it before the deadline.
  [[nodiscard]] bool drain(Nanos deadline);
  /// After drain(): nobody is connected any more, so that no call is on its way.
  [[nodiscard]] bool alone() const noexcept { return !door_ || door_->guests() == 0; }

 private:
  struct Remote {
    const call::Service* service = nullptr;
    net::RemoteService record;
  };
  struct Listens {
    net::Place place;
    std::string host;  ///< that others are told; empty: it listens at all of them
  };

  void offer(call::Service& service, call::Implementation* implementation, const WireService& wire,
             const net::RemoteType& type);
  void make_door(const config::Config& config, exec::Pool& pool, metrics::Registry& registry,
                 std::uint32_t slot);
  void allow(const config::Config& config);
  void secure(const std::string& config_file);

  const AppOptions& options_;
  std::deque<net::Peer> peers_;    // handler objects point at them
  std::deque<Remote> remotes_;     // likewise
  std::deque<net::Offer> offers_;  // sites are counted at by their addresses
  net::Link::Self self_;           // of the door
  std::string instance_;           // in the directory
  std::vector<Listens> listen_;    // none: in the directory
  DrawnPlaces places_{options_};
  net::NatsDiscovery* announced_at_ = nullptr;
  std::unique_ptr<net::Security> security_;  // none: everybody is on this host
  std::optional<net::Directory> directory_;
  std::optional<net::Door> door_;
  std::optional<net::Names> names_;
};

}  // namespace penstock::app
