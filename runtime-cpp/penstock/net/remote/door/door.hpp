#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "penstock/call/service/service.hpp"
#include "penstock/exec/pool.hpp"
#include "penstock/net/link/link.hpp"
#include "penstock/net/remote/discovery/directory.hpp"
#include "penstock/net/remote/door/refusals.hpp"
#include "penstock/net/remote/names/board.hpp"
#include "penstock/net/socket/listener.hpp"
#include "penstock/net/socket/security.hpp"

namespace penstock::net {

/// Where other binaries come in: it listens on one worker, and each connection is served by one of
/// its pool's workers, in turn.
class Door final : Listener::Taker {
 public:
  /// `self` names the offers by their places; both outlive it. `slot` is free in the binary: where
  /// a worker keeps what came in there. `say` is told of those who are refused (Refusals). `pool`
  /// is never stopped before the door.
  Door(const Link::Self& self, std::deque<Offer>& offers, exec::Pool& pool, std::uint32_t slot,
       const Link::Limits& limits = {}, std::function<void(const std::string& text)> say = {})
      : self_(self),
        offers_(offers),
        pool_(pool),
        slot_(slot),
        limits_(limits),
        refusals_(std::move(say)) {}
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;
  ~Door() = default;

  /// Listens there, too, from now on; who connects sees that it is there. `security` for a place
  /// that is secured, longer than the door is there. Gives the port that it got; 0: there is none.
  /// Waits for a worker. Throws what prevents that.
  std::uint16_t open(const Place& place, const Security* security = nullptr);
  /// Nobody can connect any more, and who has is told to call no more. Waits for the workers;
  /// false: one of them did not come to it before the deadline.
  [[nodiscard]] bool drain(Nanos deadline);
  /// What is offered to who comes in; that of the drawing from the first open() on.
  [[nodiscard]] const std::shared_ptr<Board>& board() const noexcept { return board_; }
  /// Those who are connected. Any thread.
  [[nodiscard]] unsigned guests() const noexcept { return count_.load(std::memory_order_relaxed); }
  /// Those who were not served. Any thread.
  [[nodiscard]] const Refusals& refusals() const noexcept { return refusals_; }
  /// Each connection ends at once, as when the network breaks. Waits for the workers.
  void break_off();

 private:
  class Guest;
  class Guests;
  struct Arrival;

  /// So many may be on their way to a worker where everybody can connect; and so many of a worker's
  /// not have said yet who they are: another one takes the place of the oldest.
  static constexpr unsigned kMostArriving = 256;
  static constexpr unsigned kMostStrangers = 64;

  void accepted(Descriptor socket, bool secured, std::uint64_t number) noexcept override;
  void send_on(Descriptor socket, const Security* security, std::uint64_t number) noexcept;
  [[nodiscard]] bool refuses_stranger(const Descriptor& socket) noexcept;
  [[nodiscard]] Guests& guests_here();
  template <class Do>
  [[nodiscard]] bool each_guest(Nanos deadline, Do what);

  const Link::Self& self_;
  std::deque<Offer>& offers_;
  const std::shared_ptr<Board> board_ = std::make_shared<Board>();
  exec::Pool& pool_;
  const std::uint32_t slot_;
  const Link::Limits limits_;
  Refusals refusals_;
  std::vector<std::unique_ptr<Listener>> listeners_;  // of worker 0
  const Security* security_ = nullptr;                // likewise
  std::atomic<unsigned> next_{0};  // a worker that leaves sends on what came to it
  std::atomic<unsigned> count_{0};
  std::atomic<unsigned> arriving_{0};
  std::atomic<bool> drains_{false};
};

}  // namespace penstock::net
