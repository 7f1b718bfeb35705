#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace penstock::control {

/// The thread `ps-command`: runs commands one after the other, so that one which takes a second to
/// be in force holds up neither samples nor health checks.
class CommandThread final {
 public:
  using Task = std::function<void()>;

  /// Starts the thread; `most_waiting` tasks may wait behind the one that runs.
  explicit CommandThread(std::size_t most_waiting);
  CommandThread(const CommandThread&) = delete;
  CommandThread& operator=(const CommandThread&) = delete;
  ~CommandThread();

  /// False when too many wait already, or it is stopping. Any thread.
  [[nodiscard]] bool submit(Task task);

  /// Waits for the task that runs, drops the others, joins. Any thread but its own.
  void stop();

 private:
  void run();

  const std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> waiting_;  // guarded by mutex_
  bool stopping_ = false;     // guarded by mutex_
  std::thread thread_;
};

}  // namespace penstock::control
