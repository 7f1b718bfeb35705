#pragma once

#include <mysql.h>

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "penstock/base/context.hpp"
#include "penstock/mariadb.hpp"

namespace penstock::mariadb {

class Prepared;

/// A connection with what was prepared on it. One thread at a time.
class Connection {
 public:
  /// Connects, until the deadline (0: none). Throws Error.
  Connection(const Settings& settings, Nanos deadline_ns);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  [[nodiscard]] MYSQL* get() const noexcept { return handle_.get(); }
  /// Runs statements one after another, whose rows nobody wants. Throws Error.
  void run_script(const std::string& script);
  /// What is run from now on ends at the deadline of a request (0: none) where that comes before
  /// the timeout; in whole seconds, rounded up, so that statements in a row rarely need to say it
  /// anew. A MySQL server does not know of that. Throws Error.
  void end_by(Nanos deadline_ns);
  /// Prepares it, the first time.
  [[nodiscard]] Prepared& prepared(const sql::Text& text);

  /// The server has closed it, or said something that nobody asked for.
  [[nodiscard]] bool stale() const noexcept;

  bool lost = false;
  const Nanos timeout_ns;

 private:
  struct Close {
    void operator()(MYSQL* handle) const noexcept { mysql_close(handle); }
  };

  std::unique_ptr<MYSQL, Close> handle_;
  bool knows_limits_ = true;
  Nanos limit_s_ = 0;  // that the server knows; 0: none
  std::map<std::pair<std::string, std::vector<std::string>>, std::unique_ptr<Prepared>> prepared_;
};

/// Connections to one server, made when they are needed. Any thread.
class Pool {
 public:
  explicit Pool(Settings settings) : settings_(std::move(settings)) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() = default;

  /// The pool that all statements with these settings share.
  [[nodiscard]] static std::shared_ptr<Pool> of(const Settings& settings);

  /// A connection for one statement; give_back() it. The one used last comes first, so that few
  /// are in use when few are needed. Blocks while all are busy: throws Error(deadline_exceeded) at
  /// the deadline (0: none), Error(resource_exhausted) after the timeout. To connect, and to wait
  /// for the setup of another request, ends at the deadline, too.
  [[nodiscard]] std::unique_ptr<Connection> borrow(Nanos deadline_ns);
  void give_back(std::unique_ptr<Connection> connection) noexcept;

  [[nodiscard]] const Settings& settings() const noexcept { return settings_; }

 private:
  enum class Setup : std::uint8_t { due, runs, done };

  [[nodiscard]] std::unique_ptr<Connection> connect(Nanos deadline_ns);
  void end_setup(Setup as) noexcept;

  const Settings settings_;
  std::mutex mutex_;
  std::condition_variable freed_;
  std::vector<std::unique_ptr<Connection>> idle_;
  std::uint32_t open_ = 0;  // idle and borrowed
  std::condition_variable setup_ended_;
  Setup setup_ = Setup::due;
};

}  // namespace penstock::mariadb
