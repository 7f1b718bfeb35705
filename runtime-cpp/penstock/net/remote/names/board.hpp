#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "penstock/call/service/service.hpp"
#include "penstock/exec/pool.hpp"
#include "penstock/metrics/registry.hpp"
#include "penstock/net/link/link.hpp"
#include "penstock/net/remote/calls/remote_type.hpp"
#include "penstock/net/remote/names/publication.hpp"

namespace penstock::net {

/// A service of the drawing that other binaries call; its number on the wire is its place.
struct Offer {
  const RemoteType* type = nullptr;
  call::CallSite site;  ///< that the calls from outside are counted at
  call::Implementation* implementation =
      nullptr;                    ///< that they ask; null: whichever is chosen here
  exec::Pool* runs_on = nullptr;  ///< as a stage, with a join; null: where the service is placed
  [[nodiscard]] exec::Pool& pool() const noexcept {
    return runs_on != nullptr ? *runs_on : *site.callee->pool;
  }
  /// The binaries that may; none: all of the project.
  std::optional<std::vector<std::string>> callers;
};

/// What a binary offers to others: the services of its drawing, and those that it publishes while
/// it runs. Each link keeps the table of the moment at which it began. Any thread, from begin() on.
class Board {
 public:
  /// So many services are published at once: each has counters, which are made at the start.
  static constexpr std::size_t kMostPublished = 16;

  struct Entry {
    const Offer* drawn = nullptr;
    std::weak_ptr<Publication> published;  ///< where it is not drawn
  };
  struct Table {
    Link::Self self;
    std::vector<Entry> entries;  ///< by the number of the service
  };
  /// A place that something is, or was, published at.
  struct Shown {
    std::size_t place = 0;
    std::string name;
    const call::Service* service = nullptr;
    bool is_there = false;
  };

  Board() = default;
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;
  ~Board() = default;

  /// Once, before the registry starts: without it nothing can be published. Published services run
  /// on `pool`, whose threads do not block. `slots` grows.
  void reserve(exec::Pool& pool, metrics::Registry& registry, std::uint32_t& slots);
  /// What is drawn; `offers` outlives the links. Throws as wire::write_hello() does.
  void begin(const Link::Self& self, const std::deque<Offer>& offers);

  /// What is offered now.
  [[nodiscard]] std::shared_ptr<const Table> table() const;

  /// Links that begin from now on have it. Throws Error(already_exists) where the name is taken,
  /// Error(resource_exhausted) where so many are published, or have calls under way, that none has
  /// a place, Error(invalid_argument) for no name, Error(failed_precondition) without reserve() and
  /// begin(), std::bad_alloc.
  void publish(const std::shared_ptr<Publication>& publication);
  /// Takes no new calls from now on. `told` is called when nobody holds it any more: the last call
  /// that was under way has ended, and its handler is gone.
  void withdraw(const std::shared_ptr<Publication>& publication,
                std::optional<Completion<void>::Callback> told) noexcept;
  /// What is published under that name; null: nothing.
  [[nodiscard]] std::shared_ptr<Publication> find(const std::string& name) const;

  /// Those that something was published at so far.
  [[nodiscard]] std::vector<Shown> shown() const;
  /// Grows when what is shown changes.
  [[nodiscard]] std::uint64_t changes() const noexcept {
    return changes_.load(std::memory_order_relaxed);
  }
  /// Calls that came, and that ended, at all places. Who takes the second first finds no more
  /// ended than came.
  [[nodiscard]] std::uint64_t came() const;
  [[nodiscard]] std::uint64_t ended() const;

 private:
  /// Where one service at a time is published.
  struct Place {
    call::Service service;
    call::CallSite site;
    std::string name;  // what is published here, or was last; of the board's mutex
    mutable std::mutex mutex;
    std::weak_ptr<Publication> current;  // of this one

    [[nodiscard]] std::shared_ptr<Publication> published() const {
      const std::lock_guard lock(mutex);
      return current.lock();
    }
    [[nodiscard]] bool is_expired() const {
      const std::lock_guard lock(mutex);
      return current.expired();
    }
  };
  using Published = std::array<std::shared_ptr<Publication>, kMostPublished>;

  [[nodiscard]] Published held() const;
  [[nodiscard]] static bool is_offered(const std::shared_ptr<Publication>& publication) noexcept;
  [[nodiscard]] Place* free_place() noexcept;
  [[nodiscard]] std::shared_ptr<const Table> with(const Published& held, Publication* one) const;
  static const call::Implementation::Type& implementation() noexcept;

  mutable std::mutex mutex_;
  Table drawn_;
  std::shared_ptr<const Table> table_;
  std::deque<Place> places_;
  std::atomic<std::uint64_t> changes_{0};
};

}  // namespace penstock::net
