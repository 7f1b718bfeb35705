#include "penstock/edge/worker_line.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <utility>

namespace penstock::edge {

WorkerLine::WorkerLine(net::Descriptor socket, exec::Pool& pool, const http::Security* security)
    : socket_(std::move(socket)), pool_(pool), security_(security) {
  arrival_.line = wake_.line = this;
  arrival_.run = [](exec::Job& job) noexcept { static_cast<Arrival&>(job).line->arrive(); };
}

WorkerLine::~WorkerLine() = default;

void WorkerLine::start(unsigned number) {
  self_ = user().keep();
  place_ = number_ = number;
  move_on();
}

// --- from worker to worker ---

// Not here any more, or not yet.
void WorkerLine::move_on() noexcept {
  const unsigned size = pool_.size();
  if (size == 0) return user().drop();
  exec::Worker& next = pool_.worker(place_++ % size);
  arriving_ = true;
  // seq_cst: who sends it away says so and then looks where it is (poke()); we see that once we are
  // there, or are told.
  worker_.store(&next, std::memory_order_seq_cst);
  next.post(arrival_);
}

void WorkerLine::arrive() noexcept {
  const std::shared_ptr<User> kept = self_;
  arriving_ = false;
  if (!socket_.is_open()) return self_.reset();  // it was sent away meanwhile
  // Another thread: the worker had left its pool, and who noticed runs its jobs.
  if (!is_here()) return move_on();
  busy_ = true;  // what is begun here is done below
  try {
    settle_in();
  } catch (const std::exception&) {
    user().drop();  // no memory, or no more sockets can be watched: its peer may try again
  }
  busy_ = false;
  go_on();
}

void WorkerLine::settle_in() {
  net::SocketPoller& poller = net::SocketPoller::here();
  poller.watch(socket_, *this);
  poller_ = &poller;
  size_ = pool_.size();
  user().poked();  // as may have been missed on the way
  if (!socket_.is_open()) return;
  if (wakes_at_ != Time::max()) wake_at(wakes_at_);
  if (std::exchange(begun_, true)) return is_readable();
  // Not before the poller says so: what it says then, that the peer has ended for one, is of what
  // is read after that.
  readable_ = false;
  if (security_ != nullptr) secured_ = security_->accept(socket_.number());
  user().begin();
}

void WorkerLine::detach() noexcept {
  if (poller_ == nullptr) return;
  wake_.cancel();
  poller_->forget(socket_, *this);
  poller_ = nullptr;
}

// Its worker is to leave its pool.
void WorkerLine::leave() noexcept {
  if (!user().may_move()) return;  // when that is over
  if (pool_.size() == 0) return user().left_alone();
  detach();
  writable_ = true;
  move_on();
}

// There are more workers than when it came, of whom one may be its own.
void WorkerLine::spread() noexcept {
  if (!user().may_move()) return;  // when that is over
  size_ = pool_.size();
  if (size_ == 0 || &pool_.worker(number_ % size_) == &worker()) return;
  place_ = number_;
  leave();
}

bool WorkerLine::lasts() const noexcept { return !worker().retiring() || pool_.size() != 0; }

struct WorkerLine::Poke : exec::Job {
  Poke(WorkerLine& its_line, std::weak_ptr<User> its_user)
      : line(its_line), user(std::move(its_user)) {
    run = [](exec::Job& job) noexcept {
      const std::unique_ptr<Poke> self(&static_cast<Poke&>(job));
      // Where it has gone on, it looks by itself.
      if (const auto kept = self->user.lock(); kept != nullptr && self->line.is_here())
        kept->poked();
    };
  }
  WorkerLine& line;
  std::weak_ptr<User> user;
};

void WorkerLine::poke() {
  auto poke = std::make_unique<Poke>(*this, user().keep());
  worker().post(*poke.release());
}

// --- on its worker ---

void WorkerLine::read(std::span<char> room) {
  room_ = room;
  reads_ = true;
  go_on();
}

void WorkerLine::write(Pieces pieces) {
  pieces_ = pieces;
  writes_ = true;
  go_on();
}

void WorkerLine::cancel() {
  if (!reads_ && !writes_) return;
  cancelled_ = true;
  go_on();
}

void WorkerLine::wake_at(Time time) {
  wakes_at_ = time;
  if (poller_ == nullptr) return;
  poller_->worker().arm(wake_, to_ns(time.time_since_epoch()), [](exec::Timer& timer) noexcept {
    static_cast<Wake&>(timer).line->on_time();
  });
}

void WorkerLine::on_time() noexcept {
  const std::shared_ptr<User> kept = self_;
  busy_ = true;
  try {
    // What came while the worker was busy is not late.
    is_readable();
    do_what_goes();
    if (poller_ != nullptr) {
      wakes_at_ = Time::max();
      user().woken();
    }
  } catch (const std::exception&) {
    user().drop();  // no memory
  }
  busy_ = false;
  go_on();
}

void WorkerLine::end() {
  secured_.reset();
  ::shutdown(socket_.number(), SHUT_WR);
}

void WorkerLine::close() {
  if (!socket_.is_open()) return;
  detach();
  secured_.reset();
  socket_.close();
  reads_ = writes_ = false;
  if (!arriving_) self_.reset();
}

void WorkerLine::ready(Events events) noexcept {
  const bool tells = events.breaks || (events.ends && !ends_);
  ends_ = ends_ || events.ends;
  if (tells && !reads_ && !writes_) user().peer_ended();
  if (events.readable) {
    is_readable();
  } else if (secured_ != nullptr) {
    readable_ = true;  // a read may have waited for room
  }
  writable_ = true;
  go_on();
}

bool WorkerLine::look() noexcept {
  if (!reads_) return false;
  is_readable();
  return go_on();
}

void WorkerLine::is_readable() noexcept {
  readable_ = true;
  if (secured_ != nullptr) secured_->came(ends_);
}

// The last thing that one of its functions does: another thread may have it then. True: something
// was read.
bool WorkerLine::go_on() noexcept {
  if (busy_ || poller_ == nullptr) return false;
  const std::shared_ptr<User> kept = self_;
  const std::uint64_t before = reads_done_;
  busy_ = true;
  try {
    do_what_goes();
  } catch (const std::exception&) {
    user().drop();  // no memory
  }
  busy_ = false;
  const bool has_read = reads_done_ != before;
  if (poller_ == nullptr) return has_read;
  poller_->want_room(socket_, *this, waits_for_room());
  if (poller_->worker().retiring()) {
    leave();
  } else if (pool_.size() > size_) {
    spread();
  }
  return has_read;
}

void WorkerLine::do_what_goes() {
  for (int turn = 0; reads_ || writes_; ++turn) {
    if (turn == kMostAtOnce) return poller_->soon(*this);
    if (writes_ ? !write_some() : !read_some()) return;
  }
}

bool WorkerLine::waits_for_room() const noexcept {
  if (secured_ == nullptr) return writes_ && !writable_;
  return ((writes_ && !writable_) || (reads_ && !readable_)) && secured_->waits_for_room();
}

// False: it has to wait.
bool WorkerLine::read_some() {
  ssize_t count = -1;
  if (!std::exchange(cancelled_, false)) {
    if (!readable_) return false;
    count = receive();
    if (count < 0 && errno == EINTR) return true;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return readable_ = false;
  }
  reads_ = false;
  ++reads_done_;
  const std::size_t bytes = count > 0 ? static_cast<std::size_t>(count) : 0;
  heard_ = heard_ || bytes != 0;
  user().received(bytes != 0, bytes);
  return true;
}

ssize_t WorkerLine::receive() noexcept {
  if (secured_ != nullptr) return secured_->receive(room_.data(), room_.size());
  const ssize_t count = ::recv(socket_.number(), room_.data(), room_.size(), 0);
  // There was no more, and what comes is told. Its end has been, if it was there already.
  if (count > 0 && static_cast<std::size_t>(count) < room_.size() && !ends_) readable_ = false;
  return count;
}

// False: it has to wait.
bool WorkerLine::write_some() {
  if (!std::exchange(cancelled_, false)) {
    if (!writable_) return false;
    const ssize_t count = send();
    if (count < 0 && errno == EINTR) return true;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return writable_ = false;
    if (count >= 0) {
      auto left = static_cast<std::size_t>(count);
      for (std::string_view& piece : pieces_) {
        const std::size_t gone = std::min(left, piece.size());
        piece.remove_prefix(gone);
        left -= gone;
      }
      if (!pieces_[0].empty() || !pieces_[1].empty()) return true;
      writes_ = false;
      user().sent(true);
      return true;
    }
  }
  writes_ = false;
  user().sent(false);
  return true;
}

ssize_t WorkerLine::send() noexcept {
  const std::size_t first = pieces_[0].empty() ? 1 : 0;
  if (secured_ != nullptr) {
    if (first == 1 || pieces_[0].size() >= kTogether || pieces_[1].empty())
      return secured_->send(pieces_[first].data(), pieces_[first].size());
    std::array<char, kTogether> together;  // NOLINT: filled as far as it is sent
    char* end = std::copy(pieces_[0].begin(), pieces_[0].end(), together.data());
    const std::size_t more = std::min(pieces_[1].size(), kTogether - pieces_[0].size());
    end = std::copy_n(pieces_[1].begin(), more, end);
    return secured_->send(together.data(), static_cast<std::size_t>(end - together.data()));
  }
  std::array<iovec, 2> parts{};
  std::size_t count = 0;
  for (const std::string_view piece : pieces_) {
    if (!piece.empty()) parts[count++] = {const_cast<char*>(piece.data()), piece.size()};
  }
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = count;
  return ::sendmsg(socket_.number(), &message, MSG_NOSIGNAL);
}

}  // namespace penstock::edge
