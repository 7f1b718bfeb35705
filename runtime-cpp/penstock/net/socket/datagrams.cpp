#include "penstock/net/socket/datagrams.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "penstock/base/random_bytes.hpp"

namespace penstock::net {

using layers::Delivery;
using Greeted = DatagramGreeting::Kind;

void Udp::send(std::string_view bytes) const noexcept {
  if (::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0 && errno == ECONNREFUSED)
    *refused = true;
}

std::unique_ptr<Carrier> Datagrams::connect(const Descriptor& socket, Nanos lost,
                                            std::unique_ptr<Handshake> handshake) {
  std::uint64_t number = 0;
  while (number == 0) std::memcpy(&number, random_bytes<sizeof number>().data(), sizeof number);
  std::unique_ptr<Datagrams> made(new Datagrams(socket, number, true, lost, std::move(handshake)));
  made->ask(now_ns());
  return made;
}

std::unique_ptr<Carrier> Datagrams::accept(const Descriptor& socket, std::uint64_t number,
                                           Nanos lost, std::unique_ptr<Handshake> handshake) {
  std::unique_ptr<Datagrams> made(new Datagrams(socket, number, false, lost, std::move(handshake)));
  made->begin(now_ns());
  return made;
}

Datagrams::~Datagrams() {
  if (ended_) return;
  if (clear_) clear_->end<Delivery>(now_ns());
  if (secret_) secret_->end<Delivery>(now_ns());
}

void Datagrams::begin(Nanos now) {
  Delivery::Limits limits;
  limits.keep_alive = 1'000'000'000;
  limits.give_up = lost_;
  if (asked_ != 0) limits.round_trip = std::max<Nanos>(now - asked_, 1);
  clear_.emplace(Udp{socket_, &refused_}, layers::Checksum(number_),
                 Delivery(Udp::kMost, limits, now), layers::Ordering({}));
  ask_at_ = 0;
  if (handshake_) {
    say_handshake(now);
  } else {
    is_new_ = true;
  }
}

void Datagrams::seal(Nanos now) {
  Delivery::Limits limits;
  limits.keep_alive = 1'000'000'000;
  limits.give_up = lost_;
  if (clear_) {
    const layers::RoundTrip& known = clear_->layer<Delivery>().round_trip();
    if (known.known()) limits.round_trip = std::max<Nanos>(known.smoothed(), 1);
  }
  // Nothing of what went in the clear counts any more: anybody can have said it.
  secret_.emplace(Udp{socket_, &refused_}, layers::Sealed(handshake_->ciphers()),
                  Delivery(Udp::kMost, limits, now), layers::Ordering({}));
  if (!connects_) clear_.reset();
  is_new_ = true;
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
  if (broken() != 0 || is_new_ || more_) return 1;  // so that it is read, or written to
  Nanos first = ask_at_;
  const auto take = [&first](Nanos at) {
    if (at != 0 && (first == 0 || at < first)) first = at;
  };
  if (clear_) take(clear_->next());
  if (secret_) take(secret_->next());
  return first;
}

int Datagrams::broken() const noexcept {
  if (refused_) return ECONNREFUSED;
  if (!why().empty()) return EPROTO;
  return any_stack([](const Delivery& delivery) { return delivery.failed(); }) ? ETIMEDOUT : 0;
}

void Datagrams::due(Nanos now) noexcept {
  // Nothing comes by a timer: it waits for what is missing as long as it takes.
  const auto nothing = [](std::string_view /*none*/) {};
  if (clear_) clear_->timer(now, nothing);
  if (secret_) secret_->timer(now, nothing);
  if (ask_at_ != 0 && now >= ask_at_) ask(now);
}

std::optional<SentPackets> Datagrams::sent_packets() const noexcept {
  SentPackets sent;
  const auto take = [&sent](const auto& stack) {
    if (!stack) return;
    const Delivery::Figures& figures = stack->template layer<Delivery>().figures();
    sent = {static_cast<std::uint32_t>(figures.sent),
            static_cast<std::uint32_t>(figures.sent_again)};
  };
  // Not those of a handshake.
  if (handshake_) {
    take(secret_);
  } else {
    take(clear_);
  }
  return sent;
}

// The end overtakes what is on its way, and nobody sends that again after it.
bool Datagrams::is_through() const noexcept {
  return !any_stack([](const Delivery& delivery) { return !delivery.is_quiet(); });
}

bool Datagrams::is_over() noexcept {
  if (any_stack([](const Delivery& delivery) { return delivery.ended(); })) ended_ = true;
  return ended_;
}

namespace {

/// How many of the bytes the stack takes, where there is one.
template <class Stack>
std::size_t send_all(std::optional<Stack>& stack, std::string_view bytes, Nanos now) noexcept {
  std::size_t sent = 0;
  try {
    while (stack && sent < bytes.size()) {
      const std::string_view piece = bytes.substr(sent, Stack::most());
      if (!stack->send(piece, now)) break;
      sent += piece.size();
    }
  } catch (const std::bad_alloc&) {
    // What was sent so far has been; the rest comes again.
  }
  return sent;
}

}  // namespace

ssize_t Datagrams::send(const char* from, std::size_t count) noexcept {
  if (const int error = broken(); error != 0) {
    errno = error;
    return -1;
  }
  is_new_ = false;
  const std::size_t sent = handshake_ ? send_all(secret_, {from, count}, now_ns())
                                      : send_all(clear_, {from, count}, now_ns());
  if (sent != 0) return static_cast<ssize_t>(sent);
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
    for (unsigned in_vain = 0; came_.empty(); ++in_vain) {
      if (is_over()) return 0;
      more_ = in_vain == kMostInVain;
      if (more_) errno = EAGAIN;
      const ssize_t count = more_ ? -1 : recv(socket_, datagram.data(), datagram.size(), 0);
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
  const auto keep = [this](std::string_view bytes) { came_.append(bytes); };
  if (secret_) {
    const std::uint64_t& opened = secret_->layer<layers::Sealed>().figures().opened;
    const std::uint64_t before = opened;
    secret_->receive(datagram, now, keep);
    // The other end has all of the handshake once it says the first word.
    if (opened != before) return clear_.reset();
  }
  if (handshake_) return take_handshake(datagram, now);
  if (clear_) clear_->receive(datagram, now, keep);
}

void Datagrams::take_handshake(std::string_view datagram, Nanos now) {
  if (!clear_) return;
  clear_->receive(datagram, now, [this](std::string_view bytes) { handshake_->take(bytes); });
  say_handshake(now);
  if (clear_->layer<Delivery>().figures().came > kMostOfHandshake) ended_ = true;
  if (handshake_->is_done() && handshake_->why().empty() && !secret_) seal(now);
}

void Datagrams::say_handshake(Nanos now) {
  while (!handshake_->to_say().empty()) {
    const std::size_t sent = send_all(clear_, handshake_->to_say(), now);
    if (sent == 0) throw std::bad_alloc();  // of so few packets none has no room
    handshake_->said(sent);
  }
}

void Datagrams::take(const DatagramGreeting& greeting, Nanos now) {
  const bool is_own = greeting.number == number_;
  switch (greeting.kind) {
    case Greeted::asks:
      // Again, as the answer was lost; or another one with the address of one that is gone.
      if (connects_) return;
      if (is_own) return say(Greeted::accepted);
      // Anybody can say that; whoever has come back there takes another port soon.
      if (!handshake_) ended_ = true;
      return;
    case Greeted::cookie:
      if (!is_own || clear_ || secret_ || !connects_ || cookie_ == greeting.cookie) return;
      cookie_ = greeting.cookie;
      pause_ = kFirstPause;
      return ask(now);
    case Greeted::accepted:
      if (is_own && !clear_ && !secret_ && connects_) begin(now);
      return;
    case Greeted::unknown:
      if (!(clear_ || secret_) || !connects_) return;
      doubts_ = true;
      return say(Greeted::still);
    case Greeted::still:
      return;  // it has
    case Greeted::gone:
      // Of one that was accepted it may be the answer to asks that came twice, too.
      if (is_own && connects_ && (doubts_ || !(clear_ || secret_))) ended_ = true;
      return;
  }
}

}  // namespace penstock::net
