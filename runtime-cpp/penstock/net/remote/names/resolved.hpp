#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "penstock/call/service/service.hpp"
#include "penstock/exec/pool.hpp"
#include "penstock/metrics/registry.hpp"
#include "penstock/net/remote/calls/peer.hpp"
#include "penstock/net/remote/discovery/directory.hpp"
#include "penstock/net/remote/names/own_names.hpp"
#include "penstock/net/remote/names/service_uri.hpp"
#include "penstock/net/socket/security.hpp"

namespace penstock::net {

/// Services of other binaries that the binary's own code looks for while it runs, beside those that
/// its drawing has. Each has links of its own, and keeps its place as long as the process runs: who
/// asks for it again gets the same one. Any thread, from begin() on.
class Resolved {
 public:
  /// Each has counters, which are made at the start.
  static constexpr std::size_t kMost = 16;

  /// Of one that was looked for.
  struct Found {
    Target target;
    Peer peer;
    call::Service service;
    call::CallSite site;   ///< of its calls
    call::CallSite looks;  ///< of those that only look whether it is there
    RemoteService asked;
    RemoteService looked;
    /// Which one of the service's implementations looks.
    [[nodiscard]] call::Implementation& looking() const noexcept {
      return *service.implementations.front();
    }
  };

  /// Makes of a peer, of which the binary is set, one that is found where the drawing says; not at
  /// all: in the directory. One thread at a time. Throws std::bad_alloc.
  using Lead = std::function<void(Peer& peer)>;

  Resolved() = default;
  Resolved(const Resolved&) = delete;
  Resolved& operator=(const Resolved&) = delete;
  ~Resolved() = default;

  /// Once, before the registry starts. Calls of threads that may block leave from `pool`.
  void reserve(exec::Pool& pool, metrics::Registry& registry, std::uint32_t& slots);
  /// Who this binary is, where others are found, and its keys, if it has any.
  void begin(const wire::Hello& self, const Directory& directory, const Security* security,
             Lead lead_as_drawn);

  /// Its place; whether somebody is there is not known yet. Throws Error(invalid_argument) for what
  /// is no address of a service, Error(resource_exhausted) where all places are taken,
  /// Error(failed_precondition) before begin(), and where it needs keys and this binary has none.
  [[nodiscard]] const Found& find(const Target& target);

  /// Those that were looked for.
  template <class Do>
  void each(const Do& what) const {
    const std::size_t taken = taken_.load(std::memory_order_acquire);
    for (std::size_t at = 0; at < taken; ++at) what(places_[at]);
  }
  [[nodiscard]] std::size_t count() const noexcept {
    return taken_.load(std::memory_order_acquire);
  }
  /// Of the links to all of them. Before the first find(), as the next one.
  void set_limits(const Link::Limits& limits) noexcept {
    for (Found& place : places_) place.peer.limits = limits;
  }
  /// How long who has no deadline waits for somebody to be reached.
  void set_patience(Nanos patience) noexcept {
    for (Found& place : places_) place.peer.patience = patience;
  }
  /// This binary stops: what waits for others does not for long.
  void stop() noexcept;

  /// Calls that left, and that ended; as of Board.
  [[nodiscard]] std::uint64_t came() const;
  [[nodiscard]] std::uint64_t ended() const;

 private:
  void lead(Found& place, const ServiceUri& uri);

  std::mutex mutex_;
  std::deque<Found> places_;
  std::atomic<std::size_t> taken_{0};
  wire::Hello self_;
  const Directory* directory_ = nullptr;
  const Security* security_ = nullptr;
  Lead lead_as_drawn_;
};

}  // namespace penstock::net
