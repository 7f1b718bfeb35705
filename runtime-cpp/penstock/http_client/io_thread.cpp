#include "penstock/http_client/io_thread.hpp"

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <limits>
#include <system_error>
#include <thread>
#include <utility>

#include "penstock/base/time.hpp"

namespace penstock::http_client {
namespace {

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

}  // namespace

IoThread::IoThread()
    : epoll_(checked(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      woken_(checked(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")),
      timers_(now_ns()) {
  epoll_event event{.events = EPOLLIN, .data = {.fd = woken_}};
  checked(epoll_ctl(epoll_, EPOLL_CTL_ADD, woken_, &event), "epoll_ctl");
  // Blocked before the thread exists, since it inherits the mask: signals are for the thread that
  // waits for them.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_setname_np(thread.native_handle(), "ps-http");
  thread.detach();
}

IoThread& IoThread::of_process() {
  static auto& thread = *new IoThread;
  return thread;
}

void IoThread::post(std::function<void()> task) {
  {
    const std::scoped_lock lock(mutex_);
    tasks_.push_back(std::move(task));
    if (tasks_.size() > 1) return;  // the thread has been woken for the one before
  }
  const std::uint64_t one = 1;
  static_cast<void>(write(woken_, &one, sizeof one));
}

void IoThread::watch(int socket, std::uint32_t events, User& user) {
  const bool is_new = users_.insert_or_assign(socket, &user).second;
  epoll_event event{.events = events, .data = {.fd = socket}};
  checked(epoll_ctl(epoll_, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event), "epoll_ctl");
}

void IoThread::forget(int socket) noexcept {
  if (users_.erase(socket) != 0) epoll_ctl(epoll_, EPOLL_CTL_DEL, socket, nullptr);
}

void IoThread::leave(const User& user) noexcept {
  std::erase_if(users_, [&](const auto& watched) {
    if (watched.second != &user) return false;
    epoll_ctl(epoll_, EPOLL_CTL_DEL, watched.first, nullptr);
    return true;
  });
  std::erase(hurried_, &user);
}

int IoThread::sleep_ms() noexcept {
  if (!hurried_.empty()) return 0;
  const Nanos look = timers_.next_look();
  if (look == 0) return -1;
  const Nanos left = std::max<Nanos>(look - now_ns(), 0);
  // Rounded up: it would look in vain before.
  return static_cast<int>(
      std::min<Nanos>((left + 999'999) / 1'000'000, std::numeric_limits<int>::max()));
}

void IoThread::run_tasks() {
  std::uint64_t count = 0;
  static_cast<void>(read(woken_, &count, sizeof count));
  std::vector<std::function<void()>> tasks;
  {
    const std::scoped_lock lock(mutex_);
    tasks.swap(tasks_);
  }
  for (const auto& task : tasks) task();
}

void IoThread::run() noexcept {
  std::array<epoll_event, 64> events{};
  std::vector<User*> hurrying;
  for (;;) {
    const int count =
        epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), sleep_ms());
    for (int at = 0; at < count; ++at) {
      const epoll_event& event = events.at(static_cast<std::size_t>(at));
      if (event.data.fd == woken_) {
        run_tasks();
      } else if (const auto found = users_.find(event.data.fd); found != users_.end()) {
        found->second->ready(event.data.fd, event.events);
      }
    }
    timers_.advance(now_ns());
    // Whoever hurries again meanwhile has its turn after the sockets.
    hurrying.swap(hurried_);
    for (User* const user : hurrying) user->go_on();
    hurrying.clear();
  }
}

}  // namespace penstock::http_client
