#include "penstock/net/socket/poller.hpp"

#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <memory>
#include <system_error>
#include <utility>

#include "penstock/exec/pool.hpp"

namespace penstock::net {
namespace {

constexpr Nanos kMs = 1'000'000;
constexpr Nanos kSecond = 1'000 * kMs;
constexpr std::uint32_t kReadable = EPOLLIN | EPOLLRDHUP | EPOLLET;
constexpr std::uint32_t kBreaks = EPOLLHUP | EPOLLERR;
constexpr std::uint32_t kEnds = EPOLLRDHUP | kBreaks;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::size_t some(int count) noexcept { return count > 0 ? static_cast<std::size_t>(count) : 0; }

}  // namespace

SocketPoller& SocketPoller::here() {
  exec::Worker& worker = *exec::Worker::current();
  if (worker.poller() == nullptr) worker.set_poller(std::make_unique<SocketPoller>(worker));
  return static_cast<SocketPoller&>(*worker.poller());
}

SocketPoller::SocketPoller(exec::Worker& worker)
    : worker_(worker),
      // Each read at the other end of a Unix socket makes room. One that parks at once is told of
      // that: it wakes while its request is served over there, and sleeps less deeply when the
      // answer comes. It is what a thread in a blocking recv() gets, too.
      always_(worker.pool().settings().idle == exec::Idle::park ? kReadable | EPOLLOUT : kReadable),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      event_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!epoll_.is_open() || !event_.is_open()) fail("a worker cannot wait for sockets");
  epoll_event event{};
  event.events = EPOLLIN | EPOLLET;
  if (epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, event_.number(), &event) != 0)
    fail("a worker cannot wait for sockets");
  flush_job_.poller = this;
  flush_job_.run = [](exec::Job& job) noexcept { static_cast<Flush&>(job).poller->flush(); };
  look_.poller = this;
}

void SocketPoller::watch(const Descriptor& socket, Watcher& watcher) {
  expect_here();
  // First: what throws has changed nothing.
  watched_.reserve(watched_.size() + 1);
  looked_at_.reserve(watched_.size() + 1);
  to_flush_.reserve(watched_.size() + 1);
  flushing_.reserve(watched_.size() + 1);
  epoll_event event{};
  event.events = always_;
  event.data.ptr = &watcher;
  if (epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, socket.number(), &event) != 0)
    fail("a worker cannot wait for a socket");
  watched_.push_back(&watcher);
  worker_.hold();
  tell_again_ = 0;
  works();
}

void SocketPoller::look_at(Watcher& watcher) noexcept {
  expect_here();
  looked_at_.push_back(&watcher);  // there is room: watch()
}

void SocketPoller::forget(const Descriptor& socket, Watcher& watcher) noexcept {
  expect_here();
  const auto at = std::find(watched_.begin(), watched_.end(), &watcher);
  if (at == watched_.end()) return;
  epoll_ctl(epoll_.number(), EPOLL_CTL_DEL, socket.number(), nullptr);
  watched_.erase(at);
  // Another worker may watch it next.
  watcher.soon_ = watcher.wants_room_ = false;
  if (last_ == &watcher) {
    last_ = nullptr;
    streak_ = 0;
  }
  std::erase(looked_at_, &watcher);
  std::erase(to_flush_, &watcher);
  std::replace(flushing_.begin(), flushing_.end(), &watcher, static_cast<Watcher*>(nullptr));
  for (std::size_t event = 0; event < count_; ++event) {
    if (events_[event].data.ptr == &watcher) events_[event].data.ptr = nullptr;
  }
  if (watched_.empty()) look_.cancel();
  worker_.let_go();
}

void SocketPoller::want_room(const Descriptor& socket, Watcher& watcher, bool wants) noexcept {
  expect_here();
  if (watcher.wants_room_ == wants) return;
  watcher.wants_room_ = wants;
  epoll_event event{};
  event.events = wants ? always_ | EPOLLOUT : always_;
  event.data.ptr = &watcher;
  epoll_ctl(epoll_.number(), EPOLL_CTL_MOD, socket.number(), &event);
}

void SocketPoller::soon(Watcher& watcher) noexcept {
  expect_here();
  if (std::exchange(watcher.soon_, true)) return;
  to_flush_.push_back(&watcher);  // there is room: watch()
  if (!std::exchange(flush_posted_, true)) worker_.post_here(flush_job_);
}

void SocketPoller::flush() noexcept {
  flush_posted_ = false;
  if (flushing_.empty()) flushing_.swap(to_flush_);
  const std::size_t end = std::min(flushing_.size(), flushed_ + kMostFlushes);
  while (flushed_ < end) {
    if (Watcher* const watcher = flushing_[flushed_++]) {
      watcher->soon_ = false;
      watcher->flush();
    }
  }
  if (flushed_ == flushing_.size()) {
    flushing_.clear();
    flushed_ = 0;
  }
  const bool more = !flushing_.empty() || !to_flush_.empty();
  if (more && !std::exchange(flush_posted_, true)) worker_.post_here(flush_job_);
}

void SocketPoller::tell_to_retire() noexcept {
  tell_again_ = now_ns() + kTellAgain;
  // Those told may be gone then, and others with them.
  for (std::size_t at = watched_.size(); at > 0; at = std::min(at - 1, watched_.size()))
    watched_[at - 1]->retire();
}

// Who is looked at may be gone then, and others with it.
bool SocketPoller::look() noexcept {
  bool any = false;
  for (std::size_t at = looked_at_.size(); at > 0; at = std::min(at - 1, looked_at_.size()))
    any |= looked_at_[at - 1]->look();
  return any;
}

bool SocketPoller::poll() noexcept {
  if (watched_.empty()) {
    count_ = 0;
    return false;
  }
  if (retires_untold()) tell_to_retire();
  if (count_ == 0) {
    count_ = some(epoll_wait(epoll_.number(), events_.data(), kMostEvents, 0));
  }
  bool any = look();
  for (std::size_t event = 0; event < count_; ++event) {
    if (void* const watcher = events_[event].data.ptr) {
      any = true;
      if (last_ == watcher) {
        ++streak_;
      } else {
        last_ = static_cast<Watcher*>(watcher);
        streak_ = 0;
      }
      const std::uint32_t what = events_[event].events;
      static_cast<Watcher*>(watcher)->ready({.readable = what != EPOLLOUT,
                                             .ends = (what & kEnds) != 0,
                                             .breaks = (what & kBreaks) != 0});
    }
  }
  count_ = 0;
  return any;
}

bool SocketPoller::glance() noexcept {
  const bool retires = retires_untold();
  if (!looked_at_.empty() && !retires)
    return ++glances_ % kGlancesAtMemoryPerPoll == 0 ? poll() : look();
  if (count_ != 0 || streak_ < kStreak || retires || ++glances_ % kGlancesPerPoll == 0)
    return poll();
  return last_->look();
}

void SocketPoller::works() noexcept {
  if (watched_.empty() || look_.armed()) return;
  worker_.arm(look_, now_ns() + kBusyLook, [](exec::Timer& timer) noexcept {
    SocketPoller& poller = *static_cast<Look&>(timer).poller;
    poller.poll();
    poller.works();
  });
}

void SocketPoller::sleep(Nanos until) noexcept {
  if (worker_.retiring() && !watched_.empty()) {
    if (retires_untold()) return;
    until = until == 0 ? tell_again_ : std::min(until, tell_again_);
  }
  bool rests = true;
  for (Watcher* const watcher : looked_at_) rests = watcher->rests() && rests;
  if (rests) wait(until);
  for (Watcher* const watcher : looked_at_) watcher->wakes();
}

void SocketPoller::wait(Nanos until) noexcept {
  const Nanos nanos = until == 0 ? 0 : std::max<Nanos>(until - now_ns(), 0);
  const timespec left{.tv_sec = nanos / kSecond, .tv_nsec = nanos % kSecond};
  const int count = epoll_pwait2(epoll_.number(), events_.data(), kMostEvents,
                                 until == 0 ? nullptr : &left, nullptr);
  count_ = some(count);
  if (count >= 0 || errno != ENOSYS) return;
  // Kernels before 5.11, and some sandboxes: to the millisecond, rounded up.
  constexpr Nanos kFarMs = 3'600'000;
  const Nanos millis = until == 0 ? -1 : std::min(nanos / kMs + 1, kFarMs);
  count_ = some(epoll_wait(epoll_.number(), events_.data(), kMostEvents, static_cast<int>(millis)));
}

void SocketPoller::wake() noexcept {
  const std::uint64_t one = 1;
  // Full: it is awake, or about to be.
  static_cast<void>(::write(event_.number(), &one, sizeof one));
}

}  // namespace penstock::net
