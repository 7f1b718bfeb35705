#include "penstock/sqlite/connection.hpp"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "penstock/sqlite/error.hpp"

namespace penstock::sqlite {
namespace {

/// Steps of SQLite's machine between two looks at the clock: some tens of microseconds.
constexpr int kStepsPerLook = 2000;

/// What was set up in this process: file and script.
class SetUpOnce {
 public:
  template <class Run>
  void operator()(const Settings& settings, Run run) {
    // Held while the script runs: the others need its tables.
    const std::scoped_lock lock(mutex_);
    const auto key = std::pair(std::filesystem::absolute(settings.path).string(), settings.setup);
    if (done_.contains(key)) return;
    run();
    done_.insert(key);
  }

 private:
  std::mutex mutex_;
  std::set<std::pair<std::string, std::string>> done_;
};

SetUpOnce& set_up_once() {
  static SetUpOnce once;
  return once;
}

}  // namespace

Connection::Connection(const Settings& settings, Nanos deadline_ns)
    : busy_ns_(std::chrono::nanoseconds(settings.busy_timeout).count()), deadline_ns_(deadline_ns) {
  if (settings.path.empty() || settings.path.starts_with(":memory:")) {
    throw Error(ErrorCode::failed_precondition,
                "SQLite: a database needs a file: in memory each thread would have its own");
  }
  sqlite3* opened = nullptr;
  const int result = sqlite3_open_v2(
      settings.path.c_str(), &opened,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
      nullptr);
  handle_.reset(opened);
  if (result != SQLITE_OK) throw_last(opened, result, "cannot open " + settings.path);
  sqlite3_busy_handler(opened, &on_busy, this);
  sqlite3_progress_handler(opened, kStepsPerLook, &on_progress, this);
  enter_wal_mode();
  run("PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;", "cannot open the database");
  set_up(settings);
}

// SQLite asks no busy handler where several threads change a new file to this mode at once.
void Connection::enter_wal_mode() {
  int result = SQLITE_OK;
  for (int waits = 0;; ++waits) {
    result = sqlite3_exec(handle_.get(), "PRAGMA journal_mode=WAL", nullptr, nullptr, nullptr);
    if ((result & 0xff) != SQLITE_BUSY || on_busy(this, waits) == 0) break;
  }
  if (result != SQLITE_OK) throw_last(handle_.get(), result, "cannot open the database");
}

void Connection::set_up(const Settings& settings) {
  if (settings.setup.empty()) return;
  set_up_once()(settings, [&] {
    run("BEGIN IMMEDIATE", "cannot begin the setup");
    try {
      run(settings.setup.c_str(), "the setup failed");
      run("COMMIT", "cannot end the setup");
    } catch (...) {
      static_cast<void>(sqlite3_exec(handle_.get(), "ROLLBACK", nullptr, nullptr, nullptr));
      throw;
    }
  });
}

void Connection::run(const char* sql, const char* doing) {
  const int result = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) throw_last(handle_.get(), result, doing);
}

int Connection::on_busy(void* self, int waits) noexcept {
  auto& connection = *static_cast<Connection*>(self);
  const Nanos now = now_ns();
  if (waits == 0) connection.busy_since_ = now;
  const Nanos until =
      earlier(after(connection.busy_since_, connection.busy_ns_), connection.deadline_ns_);
  if (now >= until) return 0;
  // A writer is done in tens of microseconds: short naps first.
  const Nanos nap = std::min<Nanos>(Nanos{50'000} << std::min(waits, 8), until - now);
  std::this_thread::sleep_for(std::chrono::nanoseconds(nap));
  return 1;
}

int Connection::on_progress(void* self) noexcept {
  const auto& connection = *static_cast<const Connection*>(self);
  return connection.deadline_ns_ != 0 && now_ns() >= connection.deadline_ns_ ? 1 : 0;
}

}  // namespace penstock::sqlite
