#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "penstock/exec/timer_wheel.hpp"
#include "penstock/net/link/link.hpp"
#include "penstock/net/socket/carrier.hpp"
#include "penstock/net/socket/descriptor.hpp"
#include "penstock/net/socket/poller.hpp"
#include "penstock/net/socket/security.hpp"

namespace penstock::net {

/// A link over a stream socket, owned by the worker that made it: all on its thread. It may be
/// destroyed in none of the functions of its user.
class Connection final : SocketPoller::Watcher {
 public:
  class User : public LinkUser {
   public:
    virtual ~User() = default;
    /// The worker is to leave its pool, for which it waits until the link is closed.
    virtual void leaves(Connection& connection) noexcept { connection.drain(); }
    /// So many bytes went and came, headers of the transport apart; zero of one of them.
    virtual void moved(std::size_t /*sent*/, std::size_t /*received*/) noexcept {}
  };

  /// `socket` may be about to be connected still; through `carrier`, of the same socket, goes all
  /// that is said, where there is one. Throws std::system_error.
  Connection(Descriptor socket, const Link::Self& self, User& user, const Link::Limits& limits,
             std::unique_ptr<Carrier> carrier = nullptr);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  /// Its link is closed, if it was not.
  ~Connection();

  [[nodiscard]] Link& link() noexcept { return link_; }
  [[nodiscard]] const Descriptor& socket() const noexcept { return socket_; }
  [[nodiscard]] bool is_secured() const noexcept { return carrier_ && carrier_->is_secured(); }
  /// What is said goes through memory that both ends have.
  [[nodiscard]] bool is_in_memory() const noexcept { return carrier_ && carrier_->is_memory(); }
  /// None of what does not go over a network.
  [[nodiscard]] SentPackets sent_packets() const noexcept {
    const auto carried = carrier_ ? carrier_->sent_packets() : std::nullopt;
    return carried ? *carried : net::sent_packets(socket_);
  }
  /// The other end did what no end does.
  [[nodiscard]] bool was_malformed() const noexcept {
    return link_.was_malformed() || (carrier_ && !is_secured() && !carrier_->why().empty());
  }
  /// It ends because what secures it was broken, or one end does not take the other one's key.
  [[nodiscard]] bool broke_security() const noexcept {
    return is_secured() && !carrier_->why().empty();
  }
  /// Once the link is open: why the other end is somebody else, or not known to be this one. Empty:
  /// it is. Known are processes of this user on this host, and elsewhere those with the binary's
  /// key.
  [[nodiscard]] std::string is_not(const Identity& expected) const;
  /// The link has something to send, or has changed its mind about the time.
  void attend() noexcept;
  /// Sends what is left and closes the link once no call is under way.
  void drain() noexcept;

 private:
  struct Look : exec::Timer {
    Connection* connection = nullptr;
    Nanos at = 0;
  };
  /// When its carrier has something to do.
  struct Due : Look {};
  static constexpr std::size_t kFirstBuffer = std::size_t{16} << 10U;
  static constexpr std::size_t kMostAtOnce = std::size_t{64} << 10U;
  /// So many bytes leave while more are made, so that the other end begins with them; then twice as
  /// many. In memory that takes no system call.
  static constexpr std::size_t kEarly = 1024;
  static constexpr std::size_t kEarlyInMemory = 256;

  void ready(Events events) noexcept override;
  bool look() noexcept override;
  bool rests() noexcept override { return carrier_->rests(); }
  void wakes() noexcept override { carrier_->wakes(); }
  void flush() noexcept override;
  void retire() noexcept override { user_.leaves(*this); }
  void is_readable() noexcept;
  bool read() noexcept;
  bool read_some();
  ssize_t receive(char* to, std::size_t room) noexcept;
  ssize_t send(std::string_view bytes) noexcept;
  [[nodiscard]] std::string_view next_bytes() noexcept;
  void write() noexcept;
  void cannot_write(int error) noexcept;
  void write_early() noexcept;
  void make_room();
  void settle() noexcept;
  void settle_times() noexcept;
  void broke(const char* what, int error) noexcept;

  SocketPoller& poller_;
  User& user_;
  Descriptor socket_;
  std::unique_ptr<Carrier> carrier_;
  Link link_;
  Look look_;
  Due due_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;  // of what came and was not taken
  std::size_t end_ = 0;
  std::size_t early_ = kEarly;
  bool drains_ = false;
  bool readable_ = false;
  bool ends_ = false;  // the other end has ended, and what it wrote before is to be read
  bool writable_ = true;
  bool looked_at_ = false;  // by the poller
  const bool has_times_;
};

}  // namespace penstock::net
