#include "penstock/net/socket/connection.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>
#include <utility>

#include "penstock/net/socket/place.hpp"

namespace penstock::net {

Connection::Connection(Descriptor socket, const Link::Self& self, User& user,
                       const Link::Limits& limits, std::unique_ptr<Carrier> carrier)
    : poller_(SocketPoller::here()),
      user_(user),
      socket_(std::move(socket)),
      carrier_(std::move(carrier)),
      link_(self, user, limits, now_ns()),
      has_times_(carrier_ && carrier_->has_times()) {
  look_.connection = due_.connection = this;
  if (Handover* const handover = carrier_ ? carrier_->handover() : nullptr)
    link_.hand_over_through(*handover);
  poller_.watch(socket_, *this);
  settle();
  poller_.soon(*this);  // its hello goes, once its user is made
}

Connection::~Connection() {
  link_.close("it was taken down");
  settle();
}

std::string Connection::is_not(const Identity& expected) const {
  if (is_secured()) {
    const std::string name = carrier_->peer();
    if (name != expected.uri()) return "it has the key of " + name + ", not of " + expected.uri();
  } else if (is_strangers(socket_)) {
    return "it is not known to be this user's";
  }
  const wire::Hello& hello = link_.peer();
  if (hello.project == expected.project && hello.binary == expected.binary) return {};
  return "it is " + Identity{hello.project, hello.binary}.uri() + ", not " + expected.uri();
}

void Connection::attend() noexcept {
  if (!socket_.is_open()) return;
  poller_.soon(*this);
  if (link_.outgoing().bytes().size() >= early_) write_early();
}

// In the midst of what somebody does: an error is left to the next flush(), which finds it, too.
void Connection::write_early() noexcept {
  early_ *= 2;
  const std::string_view bytes = link_.outgoing().bytes();
  if (!writable_ || bytes.empty()) return;
  const ssize_t count = send(bytes);
  if (count <= 0) return;
  link_.outgoing().take(static_cast<std::size_t>(count));
  user_.moved(static_cast<std::size_t>(count), 0);
}

void Connection::drain() noexcept {
  drains_ = true;
  try {
    link_.drain();
  } catch (const std::bad_alloc&) {
    link_.close("out of memory");
  }
  attend();
}

void Connection::ready(Events events) noexcept {
  writable_ = true;
  if (events.ends) ends_ = true;
  if (events.readable) {
    is_readable();
    read();
  } else if (!link_.has_bytes()) {
    return;
  }
  // What the link has to say about it goes when what came has run: answers go along.
  attend();
}

bool Connection::look() noexcept {
  if (looked_at_) {
    if (!carrier_->sees()) return false;
    readable_ = writable_ = true;
    read();
    attend();
    return true;
  }
  is_readable();
  const bool came = read();
  if (came) {
    attend();
  } else if (has_times_ && link_.state() != Link::State::closed) {
    settle();  // of what brought nothing for the link, which may have waited for it to end
  }
  return came;
}

void Connection::make_room() {
  if (begin_ == end_) begin_ = end_ = 0;
  const std::size_t needs = std::max(link_.needs(), kFirstBuffer);
  if (capacity_ - begin_ >= needs) return;
  if (capacity_ < needs) {
    const std::size_t more = std::max(needs, capacity_ * 2);
    auto larger = std::make_unique_for_overwrite<char[]>(more);
    std::copy(buffer_.get() + begin_, buffer_.get() + end_, larger.get());
    buffer_ = std::move(larger);
    capacity_ = more;
  } else {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
  }
  end_ -= begin_;
  begin_ = 0;
}

void Connection::is_readable() noexcept {
  readable_ = true;
  if (carrier_) carrier_->came(ends_);
}

// Of one that is readable; EAGAIN: it is no more.
ssize_t Connection::receive(char* to, std::size_t room) noexcept {
  if (carrier_) return carrier_->receive(to, room);
  const ssize_t count = recv(socket_.number(), to, room, 0);
  // There was no more, and what comes is said. Its end has been said, if it was there already.
  if (count > 0 && static_cast<std::size_t>(count) < room && !ends_) readable_ = false;
  return count;
}

// Bytes of the link's outgoing(), from the first on.
ssize_t Connection::send(std::string_view bytes) noexcept {
  link_.outgoing().are_shown();
  if (carrier_) return carrier_->send(bytes.data(), bytes.size());
  return ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

// False: nothing was there.
bool Connection::read() noexcept {
  bool came = true;
  try {
    came = read_some();
  } catch (const std::bad_alloc&) {
    link_.close("out of memory");
  }
  if (!looked_at_ && is_in_memory() && link_.state() != Link::State::closed) {
    looked_at_ = true;
    poller_.look_at(*this);
  }
  return came;
}

bool Connection::read_some() {
  std::size_t total = 0;
  while (readable_ && total < kMostAtOnce && link_.state() != Link::State::closed) {
    make_room();
    const std::size_t room = capacity_ - end_;
    const ssize_t count = receive(buffer_.get() + end_, room);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOTCONN)) {
      readable_ = false;
      return total != 0;
    }
    if (count <= 0) {
      broke(count == 0 ? "it was closed by the other end" : "it broke", count == 0 ? 0 : errno);
      return true;
    }
    end_ += static_cast<std::size_t>(count);
    total += static_cast<std::size_t>(count);
    begin_ += link_.receive({buffer_.get() + begin_, end_ - begin_}, now_ns());
    user_.moved(0, static_cast<std::size_t>(count));
  }
  return total != 0;
}

// Others may be there to be read, too; the rest is read in the next turn.
void Connection::flush() noexcept {
  early_ = is_in_memory() ? kEarlyInMemory : kEarly;
  write();
  if (readable_ && link_.state() != Link::State::closed) {
    read();
    if (readable_ || link_.has_bytes()) attend();
  }
  settle();
}

std::string_view Connection::next_bytes() noexcept {
  try {
    return link_.next_bytes();
  } catch (const std::bad_alloc&) {
    link_.close("out of memory");
    return {};
  }
}

void Connection::write() noexcept {
  std::size_t total = 0;
  while (link_.state() != Link::State::closed && writable_) {
    // Others have their turn while a large buffer leaves.
    if (total >= kMostAtOnce && link_.sends_pieces()) return poller_.soon(*this);
    const std::string_view bytes = next_bytes();
    if (bytes.empty()) return poller_.want_room(socket_, *this, false);
    const ssize_t count = send(bytes);
    if (count < 0) {
      if (errno == EINTR) continue;
      writable_ = false;
      if (errno != EAGAIN && errno != EWOULDBLOCK && errno != ENOTCONN) return cannot_write(errno);
      poller_.want_room(socket_, *this, true);
      return;
    }
    link_.outgoing().take(static_cast<std::size_t>(count));
    user_.moved(static_cast<std::size_t>(count), 0);
    total += static_cast<std::size_t>(count);
  }
}

// What the other end said before it closed says more: that it refuses the key of this one.
void Connection::cannot_write(int error) noexcept {
  if (is_secured()) {
    is_readable();
    read();
  }
  if (link_.state() != Link::State::closed) broke("it broke", error);
}

// Whether it is to be closed, and when to look again.
void Connection::settle() noexcept {
  // Until the other end has heard of it, calls of its may be on their way: it is the one to close.
  const bool ends = link_.peer_drains() || (drains_ && !link_.may_be_called());
  const bool is_done = link_.is_quiet() && !link_.has_bytes();
  if (ends && is_done && (!carrier_ || carrier_->is_through())) link_.close("it was drained");
  if (link_.state() == Link::State::closed) {
    look_.cancel();
    due_.cancel();
    if (!socket_.is_open()) return;
    poller_.forget(socket_, *this);
    carrier_.reset();  // its last word
    socket_.close();
    return;
  }
  if (has_times_) settle_times();
  // Mostly it looks too early, as silence only grows longer; sooner once the link has opened, or
  // has less under way.
  const Nanos next = link_.next_look();
  if (look_.armed()) {
    if (look_.at <= next) return;
    look_.cancel();
  }
  look_.at = next;
  poller_.worker().arm(look_, next, [](exec::Timer& timer) noexcept {
    Connection& connection = *static_cast<Look&>(timer).connection;
    try {
      // What came while the worker was busy is not silence.
      connection.is_readable();
      connection.read();
      connection.link_.look(now_ns());
    } catch (const std::bad_alloc&) {
      connection.link_.close("out of memory");
    }
    connection.attend();
  });
}

// What its carrier has to say for itself goes after what the link had: most of it goes along.
void Connection::settle_times() noexcept {
  const Nanos now = now_ns();
  if (const Nanos due = carrier_->next(); due != 0 && due <= now) carrier_->due(now);
  const Nanos next = carrier_->next();
  if (next == 0) return due_.cancel();
  if (due_.armed() && due_.at <= next) return;
  due_.at = next;
  poller_.worker().arm(due_, next, [](exec::Timer& timer) noexcept {
    Connection& connection = *static_cast<Due&>(timer).connection;
    // What came while the worker was busy is not late.
    connection.is_readable();
    connection.read();
    if (connection.link_.state() != Link::State::closed) connection.carrier_->due(now_ns());
    connection.readable_ = connection.writable_ = true;
    connection.attend();
  });
}

void Connection::broke(const char* what, int error) noexcept {
  readable_ = false;
  try {
    if (carrier_ && !carrier_->why().empty()) return link_.close(std::string(carrier_->why()));
    std::string why = error == 0 ? what : std::generic_category().message(error);
    // Of one that never stood that says it all.
    if (error != 0 && link_.state() != Link::State::greeting) why = what + (": " + why);
    link_.close(std::move(why));
  } catch (const std::bad_alloc&) {
    link_.close({});
  }
}

}  // namespace penstock::net
