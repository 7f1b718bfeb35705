#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace penstock::control {

/// A few threads that run tasks which may take a while, so that those hold up neither samples nor
/// health checks. In the order they came; with one thread also one after the other.
class TaskThreads final {
 public:
  using Task = std::function<void()>;

  /// The threads start with the first task; `most_waiting` tasks may wait behind those that run.
  TaskThreads(std::string name, unsigned threads, std::size_t most_waiting);
  TaskThreads(const TaskThreads&) = delete;
  TaskThreads& operator=(const TaskThreads&) = delete;
  ~TaskThreads();

  /// False when too many wait already, no thread can be had, or it is stopping. Any thread.
  [[nodiscard]] bool submit(Task task);

  /// Waits for the tasks that run, drops the others, joins. Any thread but its own.
  void stop();

 private:
  [[nodiscard]] bool start_threads();
  void run();

  const std::string name_;
  const unsigned wanted_;
  const std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> waiting_;          // guarded by mutex_
  std::size_t running_ = 0;           // guarded by mutex_
  bool stopping_ = false;             // guarded by mutex_
  std::vector<std::thread> threads_;  // guarded by mutex_; what stop() joins, after it said so
};

}  // namespace penstock::control
