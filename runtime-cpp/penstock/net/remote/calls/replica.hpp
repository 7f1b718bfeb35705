#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "penstock/base/error.hpp"
#include "penstock/base/time.hpp"
#include "penstock/net/remote/calls/peer.hpp"
#include "penstock/net/socket/connection.hpp"

namespace penstock::net {

class Client;

/// A link of one worker to one process of a peer. On its thread.
class Replica final : public Connection::User {
 public:
  /// What a call was to the process that had it.
  enum class Did : std::uint8_t {
    well,  ///< answered, or refused for a reason of the request's
    ill,   ///< failed for a reason of its own, or too late
  };

  /// Throws std::bad_alloc, std::system_error.
  Replica(Client& client, Peer& peer, const Directory::Instance& instance, Descriptor socket,
          std::unique_ptr<Carrier> carrier);

  [[nodiscard]] Connection& connection() noexcept { return connection_; }
  [[nodiscard]] Link& link() noexcept { return connection_.link(); }
  [[nodiscard]] bool is_retired() const noexcept { return retired_; }
  /// Where it listens.
  [[nodiscard]] const std::string& place() const noexcept { return place_; }
  [[nodiscard]] bool was_open() const noexcept { return was_open_; }
  [[nodiscard]] bool is_open() noexcept {
    return link().state() == Link::State::open && !link().peer_drains() && !retired_;
  }
  /// It has not said yet what it offers.
  [[nodiscard]] bool is_greeted() noexcept {
    return link().state() == Link::State::greeting && !retired_;
  }
  /// It takes no more calls, and ends when those that it has have.
  void retire() noexcept {
    retired_ = true;
    connection_.drain();
  }
  /// It takes calls of that service, or will; not known as long as it is greeted.
  [[nodiscard]] bool may_have(std::size_t outlet) noexcept {
    if (link().state() != Link::State::open) return is_greeted();
    return is_open() && link().outlet(outlet).offered;
  }
  [[nodiscard]] bool takes(std::size_t outlet) noexcept {
    return is_open() && link().outlet(outlet).credits != 0;
  }
  /// Of all processes the one with the greatest weight has the value (rendezvous hashing, Thaler
  /// and Ravishankar 1998): whoever calls finds the same one, and when one is gone only its values
  /// move.
  [[nodiscard]] std::uint64_t weight(std::uint64_t key) const noexcept;

  /// A code that says more of the process than of the request. Not `resource_exhausted`: one that
  /// has too much to do would hand it on to the others, which then had too much.
  [[nodiscard]] static Did judged(ErrorCode code) noexcept;
  /// After kIllCalls in a row it rests: for peer.first_rest, twice as long after each rest without
  /// a call that went well, up to 30 times; or until one goes well.
  void did(Did what) noexcept {
    if (what == Did::well) {
      ill_calls_ = 0;
      next_rest_ = rests_until_ = 0;
    } else if (++ill_calls_ >= kIllCalls) {
      rest();
    }
  }
  /// It had better not be asked where others are.
  [[nodiscard]] bool rests() noexcept {
    if (rests_until_ == 0) return false;
    if (now_ns() < rests_until_) return true;
    rests_until_ = 0;
    return false;
  }

  void opened(Link& link) override;
  void has_credit(Link& link, std::size_t outlet) override;
  void not_offered(Link& link, std::size_t outlet) override;
  ReceivedCall* called(Link& link, const Incoming& call) override;
  void cancelled(Link& /*link*/, ReceivedCall& /*call*/) noexcept override {}
  void drains(Link& link) override;
  void closed(Link& link) noexcept override;
  void leaves(Connection& connection) noexcept override;
  void moved(std::size_t sent, std::size_t received) noexcept override;

 private:
  static constexpr unsigned kIllCalls = 5;
  static constexpr Nanos kLongestRest = 30;  // first ones

  void rest() noexcept;
  void count_packets() noexcept;

  Client& client_;
  Peer& peer_;
  const std::string place_;
  const std::uint64_t number_;  // the digits of its instance
  bool was_open_ = false;
  bool retired_ = false;
  Nanos round_trip_ = 0;  // that was told last
  SentPackets packets_;   // that were told
  unsigned ill_calls_ = 0;
  Nanos next_rest_ = 0;    // 0: the first one
  Nanos rests_until_ = 0;  // 0: it does not
  Connection connection_;  // the last: one that cannot be made says so to the rest of it
};

}  // namespace penstock::net
