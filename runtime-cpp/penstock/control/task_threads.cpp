#include "penstock/control/task_threads.hpp"

#include <system_error>
#include <utility>

#include "penstock/base/quiet_thread.hpp"

namespace penstock::control {

TaskThreads::TaskThreads(std::string name, unsigned threads, std::size_t most_waiting)
    : name_(std::move(name)), wanted_(threads), most_waiting_(most_waiting) {}

TaskThreads::~TaskThreads() { stop(); }

bool TaskThreads::submit(Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || !start_threads()) return false;
    // What a thread has not come to fetch yet does not wait behind another task.
    if (waiting_.size() + running_ >= most_waiting_ + threads_.size()) return false;
    waiting_.push_back(std::move(task));
  }
  changed_.notify_one();
  return true;
}

bool TaskThreads::start_threads() {
  try {
    while (threads_.size() < wanted_) {
      threads_.push_back(start_quiet_thread(name_.c_str(), [this] { run(); }));
    }
  } catch (const std::system_error&) {
    // The system has none to give just now: those that are there do it, or nobody.
  }
  return !threads_.empty();
}

void TaskThreads::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    waiting_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void TaskThreads::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    const Task task = std::move(waiting_.front());
    waiting_.pop_front();
    ++running_;
    lock.unlock();
    task();
    lock.lock();
    --running_;
  }
}

}  // namespace penstock::control
