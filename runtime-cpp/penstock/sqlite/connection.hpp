#pragma once

#include <sqlite3.h>

#include <memory>

#include "penstock/base/context.hpp"
#include "penstock/sqlite.hpp"

namespace penstock::sqlite {

/// An open file, in WAL mode. One thread at a time.
class Connection {
 public:
  /// Opens it and, the first time in this process, runs the setup. Throws Error.
  Connection(const Settings& settings, Nanos deadline_ns);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() = default;

  [[nodiscard]] sqlite3* get() const noexcept { return handle_.get(); }
  /// Statements that run or wait from now on end at this point in time; 0: never.
  void set_deadline(Nanos deadline_ns) noexcept { deadline_ns_ = deadline_ns; }

 private:
  struct Close {
    void operator()(sqlite3* handle) const noexcept { sqlite3_close_v2(handle); }
  };

  static int on_busy(void* self, int waits) noexcept;
  static int on_progress(void* self) noexcept;
  void run(const char* sql, const char* doing);
  void enter_wal_mode();
  void set_up(const Settings& settings);

  std::unique_ptr<sqlite3, Close> handle_;
  const Nanos busy_ns_;
  Nanos deadline_ns_;
  Nanos busy_since_ = 0;
};

}  // namespace penstock::sqlite
