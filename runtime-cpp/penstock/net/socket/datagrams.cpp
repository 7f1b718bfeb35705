#include "penstock/net/socket/datagrams.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>

#include "penstock/base/random_bytes.hpp"

namespace penstock::net {

using layers::Delivery;
using Greeted = DatagramGreeting::Kind;

void Udp::send(std::string_view bytes) const noexcept {
  if (::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0 && errno == ECONNREFUSED)
    *refused = true;
}

std::unique_ptr<Carrier> Datagrams::connect(const Descriptor& socket) {
  std::uint64_t number = 0;
  while (number == 0) std::memcpy(&number, random_bytes<sizeof number>().data(), sizeof number);
  std::unique_ptr<Datagrams> made(new Datagrams(socket, number, true));
  made->ask(now_ns());
  return made;
}

std::unique_ptr<Carrier> Datagrams::accept(const Descriptor& socket, std::uint64_t number) {
  std::unique_ptr<Datagrams> made(new Datagrams(socket, number, false));
  made->begin(now_ns());
  made->say(Greeted::accepted);
  return made;
}

Datagrams::~Datagrams() {
  if (stack_ && !ended_) stack_->end<Delivery>(now_ns());
}

void Datagrams::begin(Nanos now) {
  Delivery::Limits limits;
  limits.keep_alive = 1'000'000'000;
  if (asked_ != 0) limits.round_trip = std::max<Nanos>(now - asked_, 1);
  stack_.emplace(Udp{socket_, &refused_}, layers::Checksum(number_),
                 Delivery(Udp::kMost, limits, now), layers::Ordering({}));
  ask_at_ = 0;
}

void Datagrams::ask(Nanos now) noexcept {
  say(Greeted::asks);
  asked_ = now;
  ask_at_ = now + pause_;
  pause_ = std::min(2 * pause_, kLongestPause);
}

void Datagrams::say(Greeted kind) noexcept {
  const auto bytes = DatagramGreeting{kind, number_, cookie_}.bytes();
  Udp{socket_, &refused_}.send({bytes.data(), bytes.size()});
}

Nanos Datagrams::next() const noexcept {
  if (broken() != 0) return 1;  // so that it is read
  return stack_ ? stack_->next() : ask_at_;
}

int Datagrams::broken() const noexcept {
  if (refused_) return ECONNREFUSED;
  return stack_ && stack_->layer<Delivery>().failed() ? ETIMEDOUT : 0;
}

void Datagrams::due(Nanos now) noexcept {
  // Nothing comes by a timer: it waits for what is missing as long as it takes.
  if (stack_) return stack_->timer(now, [](std::string_view /*none*/) {});
  if (ask_at_ != 0 && now >= ask_at_) ask(now);
}

bool Datagrams::is_over() noexcept {
  if (!ended_ && stack_ && stack_->layer<Delivery>().ended()) ended_ = true;
  return ended_;
}

ssize_t Datagrams::send(const char* from, std::size_t count) noexcept {
  if (const int error = broken(); error != 0) {
    errno = error;
    return -1;
  }
  if (stack_) {
    const Nanos now = now_ns();
    std::size_t sent = 0;
    try {
      while (sent < count) {
        const std::size_t piece = std::min(Made::most(), count - sent);
        if (!stack_->send({from + sent, piece}, now)) break;
        sent += piece;
      }
    } catch (const std::bad_alloc&) {
      // What was sent so far has been; the rest comes again.
    }
    if (sent != 0 || count == 0) return static_cast<ssize_t>(sent);
  }
  errno = EAGAIN;
  return -1;
}

ssize_t Datagrams::give(char* to, std::size_t room) noexcept {
  const std::size_t count = std::min(room, came_.size() - taken_);
  std::memcpy(to, came_.data() + taken_, count);
  taken_ += count;
  if (taken_ == came_.size()) {
    came_.clear();
    taken_ = 0;
  }
  return static_cast<ssize_t>(count);
}

ssize_t Datagrams::receive(char* to, std::size_t room) noexcept {
  std::array<char, 2 * Udp::kMost> datagram;  // NOLINT: written before it is read
  try {
    while (came_.empty()) {
      if (is_over()) return 0;
      const ssize_t count = recv(socket_, datagram.data(), datagram.size(), 0);
      if (count < 0) {
        if (errno == EAGAIN && broken() != 0) errno = broken();
        return -1;
      }
      take({datagram.data(), static_cast<std::size_t>(count)}, now_ns());
    }
  } catch (const std::bad_alloc&) {
    errno = ENOMEM;
    return -1;
  }
  return give(to, room);
}

void Datagrams::take(std::string_view datagram, Nanos now) {
  if (const auto greeting = DatagramGreeting::read(datagram)) return take(*greeting, now);
  if (stack_)
    stack_->receive(datagram, now, [this](std::string_view bytes) { came_.append(bytes); });
}

void Datagrams::take(const DatagramGreeting& greeting, Nanos now) {
  const bool is_own = greeting.number == number_;
  switch (greeting.kind) {
    case Greeted::asks:
      // Again, as the answer was lost; or another one with the address of one that is gone.
      if (connects_) return;
      if (is_own) return say(Greeted::accepted);
      ended_ = true;
      return;
    case Greeted::cookie:
      if (!is_own || stack_ || !connects_ || cookie_ == greeting.cookie) return;
      cookie_ = greeting.cookie;
      pause_ = kFirstPause;
      return ask(now);
    case Greeted::accepted:
      if (is_own && !stack_ && connects_) begin(now);
      return;
    case Greeted::unknown:
      if (stack_ && connects_) say(Greeted::still);
      return;
    case Greeted::still:
      return;  // it has
    case Greeted::gone:
      if (is_own && stack_) ended_ = true;
      return;
  }
}

// --- the end that listens ---

namespace {

/// Of what goes over a connection: a ping.
constexpr ssize_t kSmallestDatagram = 9;

/// A socket of one who has come, at the address of the one that listens.
Descriptor connected(const Descriptor& listening, const sockaddr_storage& peer,
                     socklen_t size) noexcept {
  sockaddr_storage here{};
  socklen_t here_size = sizeof here;
  if (getsockname(listening.number(), reinterpret_cast<sockaddr*>(&here), &here_size) != 0)
    return {};
  Descriptor socket(
      ::socket(here.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_UDP));
  const int yes = 1;
  if (!socket.is_open() ||
      setsockopt(socket.number(), SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes) != 0 ||
      bind(socket.number(), reinterpret_cast<const sockaddr*>(&here), here_size) != 0 ||
      ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&peer), size) != 0)
    return {};
  // What came between the two calls was others', who say it again.
  char byte = 0;
  while (recv(socket.number(), &byte, 1, MSG_TRUNC) >= 0) {
  }
  return socket;
}

}  // namespace

DatagramDoor::DatagramDoor() : cookies_(random_bytes<16>()) {}

bool DatagramDoor::is_new(std::uint64_t number) noexcept {
  if (std::find(taken_.begin(), taken_.end(), number) != taken_.end()) return false;
  taken_[next_++ % taken_.size()] = number;
  return true;
}

Descriptor DatagramDoor::accept_from(const Descriptor& listening, std::uint64_t& number) noexcept {
  std::array<char, 2 * Udp::kMost> datagram;  // NOLINT: written before it is read
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  auto* const address = reinterpret_cast<sockaddr*>(&peer);
  const ssize_t count =
      recvfrom(listening.number(), datagram.data(), datagram.size(), 0, address, &size);
  if (count < 0) return {};
  const auto answer = [&](Greeted kind, const DatagramGreeting& to) {
    const auto bytes = DatagramGreeting{kind, to.number, to.cookie}.bytes();
    static_cast<void>(
        sendto(listening.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL, address, size));
  };
  const std::string_view where(reinterpret_cast<const char*>(&peer), size);
  auto greeting = DatagramGreeting::read({datagram.data(), static_cast<std::size_t>(count)});
  const Nanos now = now_ns();
  if (!greeting) {
    if (count >= kSmallestDatagram) answer(Greeted::unknown, {Greeted::unknown, 1, {}});
  } else if (greeting->kind == Greeted::still) {
    answer(Greeted::gone, *greeting);
  } else if (greeting->kind == Greeted::asks) {
    if (cookies_.is_good(greeting->cookie, where, greeting->number, now)) {
      number = greeting->number;
      if (is_new(number)) return connected(listening, peer, size);
    } else {
      greeting->cookie = cookies_.make(where, greeting->number, now);
      answer(Greeted::cookie, *greeting);
    }
  }
  errno = ECONNABORTED;  // nobody yet
  return {};
}

}  // namespace penstock::net
