#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/net/link/link.hpp"
#include "penstock/net/remote/calls/link_figures.hpp"
#include "penstock/net/remote/calls/remote_type.hpp"
#include "penstock/net/remote/discovery/directory.hpp"
#include "penstock/net/remote/discovery/finder.hpp"
#include "penstock/net/socket/security.hpp"

namespace penstock::net {

/// Another binary whose services this one calls. Set up before its first call; afterwards only
/// `stops` and `figures` change.
struct Peer {
  std::string binary;
  /// Made while this binary runs: what the other one offers may change, and a link that does not
  /// have it is given up for one that asks anew.
  bool is_resolved = false;
  /// Whoever of the project listens there is meant; `binary` is the place then.
  bool is_anyone = false;
  Link::Self self;  ///< of the links to it: what this binary is, and what it wants there
  const Directory* directory = nullptr;
  /// Where it listens by the drawing; neither: where the directory says.
  std::optional<Directory::Instance> drawn;
  std::unique_ptr<Finder> finder;
  /// Its processes that are there, or were. Throws std::bad_alloc.
  [[nodiscard]] std::vector<Directory::Instance> instances() const {
    if (finder) return finder->instances();
    return drawn ? std::vector{*drawn} : directory->instances(binary);
  }
  /// One that is no longer among them is not to be called any more.
  [[nodiscard]] bool lists_all() const noexcept { return finder && finder->lists_all(); }
  /// Why there are none. Throws std::bad_alloc.
  [[nodiscard]] std::string why_none() const {
    return finder ? finder->why_none() : "it is not running, by " + directory->folder();
  }
  /// Nobody listens there any more.
  void has_gone(const Directory::Instance& instance) const noexcept {
    if (!drawn && !finder) directory->remove_dead(binary, instance.id);
  }
  /// What carries the calls, as drawings name it.
  [[nodiscard]] std::string_view transport() const noexcept {
    if (drawn || finder) return name_of(spoken());
    return through_memory && figures.in_memory.load(std::memory_order_relaxed) ? "shm" : "unix";
  }
  [[nodiscard]] bool is_secured() const noexcept { return spoken().secured; }
  /// At an address; elsewhere in the clear, through what both ends share.
  [[nodiscard]] Transport spoken() const noexcept {
    if (finder) return finder->transport();
    return drawn ? drawn->place.transport() : Transport{};
  }
  /// The keys of this binary; null where it is called without any.
  const Security* security = nullptr;
  /// Processes of this host are asked to take rings in memory.
  bool through_memory = true;
  std::uint32_t slot = 0;  ///< within the binary: where a worker keeps its client
  Link::Limits limits;
  /// How long a call without a deadline waits while no process of the binary is reached.
  Nanos patience = 2'000'000'000;
  /// How long a process rests that failed calls, the first time.
  Nanos first_rest = 1'000'000'000;
  /// Sites whose calls then wait on, until this binary stops.
  std::vector<const call::CallSite*> patient;
  /// This binary stops. Any thread.
  std::atomic<bool> stops = false;
  LinkFigures figures;
};

/// A service of a peer, as this binary calls it: what the implementation's handler objects share.
struct RemoteService {
  const RemoteType* type = nullptr;
  Peer* peer = nullptr;
  std::size_t outlet = 0;   ///< its place in peer->self.wanted
  bool idempotent = false;  ///< a call that may have been run may be sent again
  bool only_looks = false;  ///< its calls end as soon as some process would take them
};

/// The handler class of services in other binaries. Their calls need no thread of a pool: they
/// leave from the worker that makes them.
[[nodiscard]] const call::Implementation::Type& remote_implementation() noexcept;

}  // namespace penstock::net
