#include "penstock/http_client/io_thread.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

#include "penstock/base/quiet_thread.hpp"
#include "penstock/base/time.hpp"

namespace penstock::http_client {
namespace {

/// Jobs that run one after the other, while sockets wait.
constexpr int kMostAtOnce = 64;

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

}  // namespace

IoThread::Descriptor::Descriptor(int number, const char* what) : number_(checked(number, what)) {}

IoThread::Descriptor::~Descriptor() { close(number_); }

IoThread::IoThread()
    : epoll_(epoll_create1(EPOLL_CLOEXEC), "epoll_create1"),
      woken_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd"),
      timers_(now_ns()) {
  epoll_event event{.events = EPOLLIN, .data = {.fd = woken_.number()}};
  checked(epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, woken_.number(), &event), "epoll_ctl");
  start_quiet_thread("ps-http", [this] { run(); }).detach();
}

IoThread& IoThread::of_process() {
  static auto& thread = *new IoThread;
  return thread;
}

void IoThread::post(exec::Job& job) noexcept {
  jobs_.push(job);
  wake();
}

void IoThread::wake() noexcept {
  // Acquire and release: it sees what was posted by whoever finds it told.
  if (told_.exchange(true, std::memory_order_acq_rel)) return;
  const std::uint64_t one = 1;
  static_cast<void>(write(woken_.number(), &one, sizeof one));
}

void IoThread::watch(int socket, std::uint32_t events, User& user) {
  expect_here();
  const auto [watched, is_new] = users_.insert_or_assign(socket, &user);
  epoll_event event{.events = events, .data = {.fd = socket}};
  const int how = is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  const int result = epoll_ctl(epoll_.number(), how, socket, &event);
  // Or the next try would change what is not there.
  if (result < 0 && is_new) users_.erase(watched);
  checked(result, "epoll_ctl");
}

void IoThread::forget(int socket) noexcept {
  expect_here();
  if (users_.erase(socket) != 0) epoll_ctl(epoll_.number(), EPOLL_CTL_DEL, socket, nullptr);
}

void IoThread::hurry(User& user) noexcept {
  expect_here();
  if (std::exchange(user.hurries_, true)) return;
  user.next_hurried_ = std::exchange(hurried_, &user);
}

void IoThread::leave(const User& user) noexcept {
  expect_here();
  std::erase_if(users_, [&](const auto& watched) {
    if (watched.second != &user) return false;
    epoll_ctl(epoll_.number(), EPOLL_CTL_DEL, watched.first, nullptr);
    return true;
  });
  for (User** at = &hurried_; *at != nullptr; at = &(*at)->next_hurried_) {
    if (*at != &user) continue;
    *at = user.next_hurried_;
    return;
  }
}

int IoThread::sleep_ms() noexcept {
  if (hurried_ != nullptr) return 0;
  const Nanos look = timers_.next_look();
  if (look == 0) return -1;
  const Nanos left = std::max<Nanos>(look - now_ns(), 0);
  // Rounded up: it would look in vain before.
  return static_cast<int>(
      std::min<Nanos>((left + 999'999) / 1'000'000, std::numeric_limits<int>::max()));
}

void IoThread::run_jobs() noexcept {
  std::uint64_t count = 0;
  static_cast<void>(read(woken_.number(), &count, sizeof count));
  // Before the look: who posts from here on tells again.
  told_.exchange(false, std::memory_order_acq_rel);
  for (int run = 0; run < kMostAtOnce; ++run) {
    mailbox::Node* const node = jobs_.pop();
    if (node == nullptr) return;
    auto& job = static_cast<exec::Job&>(*node);
    job.run(job);
  }
  wake();  // the others after the sockets
}

void IoThread::run() noexcept {
  thread_.note();
  std::array<epoll_event, 64> events{};
  for (;;) {
    const int count =
        epoll_wait(epoll_.number(), events.data(), static_cast<int>(events.size()), sleep_ms());
    for (int at = 0; at < count; ++at) {
      const epoll_event& event = events.at(static_cast<std::size_t>(at));
      if (event.data.fd == woken_.number()) {
        run_jobs();
      } else if (const auto found = users_.find(event.data.fd); found != users_.end()) {
        found->second->ready(event.data.fd, event.events);
      }
    }
    timers_.advance(now_ns());
    // Whoever hurries again meanwhile has its turn after the sockets.
    for (User* user = std::exchange(hurried_, nullptr); user != nullptr;) {
      User& hurrying = *std::exchange(user, user->next_hurried_);
      hurrying.hurries_ = false;
      hurrying.go_on();
    }
  }
}

}  // namespace penstock::http_client
