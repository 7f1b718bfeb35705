#include "penstock/control/command_thread.hpp"

#include <utility>

#include "penstock/base/quiet_thread.hpp"

namespace penstock::control {

CommandThread::CommandThread(std::size_t most_waiting)
    : most_waiting_(most_waiting), thread_(start_quiet_thread("ps-command", [this] { run(); })) {}

CommandThread::~CommandThread() { stop(); }

bool CommandThread::submit(Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || waiting_.size() >= most_waiting_) return false;
    waiting_.push_back(std::move(task));
  }
  changed_.notify_one();
  return true;
}

void CommandThread::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    waiting_.clear();
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void CommandThread::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    const Task task = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace penstock::control
