#include "penstock/net/socket/listener.hpp"

#include <cerrno>
#include <utility>

namespace penstock::net {

Listener::Listener(const Place& place, Taker& taker)
    : poller_(SocketPoller::here()),
      socket_(place.listen()),
      secured_(place.is_secured()),
      taker_(taker) {
  if (place.is_udp()) datagrams_.emplace(secured_);
  again_.listener = this;
  poller_.watch(socket_, *this);
}

void Listener::close() noexcept {
  if (!socket_.is_open()) return;
  again_.cancel();
  poller_.forget(socket_, *this);
  socket_.close();
}

void Listener::ready(Events /*events*/) noexcept { accept_all(); }

bool Listener::accept_one() noexcept {
  std::uint64_t number = 0;
  Descriptor next = datagrams_ ? datagrams_->accept_from(socket_, number) : accept_from(socket_);
  if (!next.is_open()) return false;
  taker_.accepted(std::move(next), secured_, number);
  return true;
}

void Listener::accept_all() noexcept {
  // Anybody of the host may connect over TCP, and others wait for this worker.
  for (int accepted = 0; socket_.is_open(); ++accepted) {
    if (accepted == kMostAtOnce) return poller_.soon(*this);
    if (accept_one()) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return;
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      // Nobody tells when there is one again.
      poller_.worker().arm(again_, now_ns() + kAgain, [](exec::Timer& timer) noexcept {
        static_cast<Again&>(timer).listener->accept_all();
      });
      return;
    }
    // Otherwise that one has gone already.
  }
}

}  // namespace penstock::net
