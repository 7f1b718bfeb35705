#include "penstock/mariadb/pool.hpp"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "penstock/mariadb/error.hpp"
#include "penstock/mariadb/prepared.hpp"

namespace penstock::mariadb {
namespace {

constexpr Nanos kSecond = 1'000'000'000;

// As the client library wants it: whole ones, and 0 is none.
Nanos whole_seconds(Nanos time) noexcept { return time <= kSecond ? 1 : (time - 1) / kSecond + 1; }

std::chrono::steady_clock::time_point time_point(Nanos at) {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(at));
}

}  // namespace

std::shared_ptr<Pool> Pool::of(const Settings& settings) {
  static std::mutex mutex;
  static std::vector<std::weak_ptr<Pool>> pools;
  const std::scoped_lock lock(mutex);
  std::erase_if(pools, [](const std::weak_ptr<Pool>& pool) { return pool.expired(); });
  for (const std::weak_ptr<Pool>& weak : pools) {
    if (auto pool = weak.lock(); pool && pool->settings() == settings) return pool;
  }
  auto pool = std::make_shared<Pool>(settings);
  pools.push_back(pool);
  return pool;
}

std::unique_ptr<Connection> Pool::borrow(Nanos deadline_ns) {
  const Nanos until =
      earlier(deadline_ns, after(now_ns(), std::chrono::nanoseconds(settings_.timeout).count()));
  {
    std::unique_lock lock(mutex_);
    const auto free = [this] { return !idle_.empty() || open_ < settings_.connections; };
    if (!freed_.wait_until(lock, time_point(until), free)) {
      throw Error(
          until == deadline_ns ? ErrorCode::deadline_exceeded : ErrorCode::resource_exhausted,
          "MariaDB: all " + std::to_string(settings_.connections) +
              " connections were busy: give the node more of them");
    }
    while (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      if (!connection->stale()) return connection;
      --open_;
    }
    ++open_;
  }
  try {
    return connect(deadline_ns);
  } catch (...) {
    give_back(nullptr);
    throw;
  }
}

std::unique_ptr<Connection> Pool::connect(Nanos deadline_ns) {
  auto connection = std::make_unique<Connection>(settings_, deadline_ns);
  {
    // The others need its tables.
    std::unique_lock lock(mutex_);
    const auto ended = [this] { return setup_ != Setup::runs; };
    if (deadline_ns == 0) {
      setup_ended_.wait(lock, ended);
    } else if (!setup_ended_.wait_until(lock, time_point(deadline_ns), ended)) {
      throw Error(ErrorCode::deadline_exceeded, "MariaDB: another request was still at the setup");
    }
    if (setup_ == Setup::done) return connection;
    setup_ = Setup::runs;
  }
  try {
    if (!settings_.setup.empty()) connection->run_script(settings_.setup);
  } catch (...) {
    end_setup(Setup::due);
    throw;
  }
  end_setup(Setup::done);
  return connection;
}

void Pool::end_setup(Setup as) noexcept {
  {
    const std::scoped_lock lock(mutex_);
    setup_ = as;
  }
  setup_ended_.notify_all();
}

void Pool::give_back(std::unique_ptr<Connection> connection) noexcept {
  {
    const std::scoped_lock lock(mutex_);
    if (connection == nullptr || connection->lost) {
      --open_;
    } else {
      // Never more than settings_.connections: the memory is there after as many.
      idle_.push_back(std::move(connection));
    }
  }
  freed_.notify_one();
}

Connection::Connection(const Settings& settings, Nanos deadline_ns)
    : timeout_ns(std::chrono::nanoseconds(settings.timeout).count()) {
  static std::once_flag once;
  std::call_once(once, [] { mysql_server_init(0, nullptr, nullptr); });
  handle_.reset(mysql_init(nullptr));
  if (!handle_) throw Error(ErrorCode::resource_exhausted, "MariaDB: no memory");
  const auto seconds = static_cast<unsigned>(whole_seconds(timeout_ns));
  const Nanos left = deadline_ns != 0 ? std::min(timeout_ns, deadline_ns - now_ns()) : timeout_ns;
  // Also for what the server says before it lets us in.
  const auto to_connect = static_cast<unsigned>(whole_seconds(left));
  const unsigned no_local_files = 0;
  MYSQL* const handle = handle_.get();
  mysql_optionsv(handle, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  mysql_optionsv(handle, MYSQL_OPT_CONNECT_TIMEOUT, &to_connect);
  mysql_optionsv(handle, MYSQL_OPT_READ_TIMEOUT, &seconds);
  mysql_optionsv(handle, MYSQL_OPT_WRITE_TIMEOUT, &seconds);
  mysql_optionsv(handle, MYSQL_OPT_LOCAL_INFILE, &no_local_files);
  const char* password = nullptr;
  if (!settings.password_variable.empty()) {
    password = std::getenv(settings.password_variable.c_str());  // NOLINT(concurrency-mt-unsafe)
    if (password == nullptr) {
      throw Error(ErrorCode::unauthenticated, "MariaDB: the environment variable " +
                                                  settings.password_variable +
                                                  ", which holds the password, is not set");
    }
  }
  const bool socket = settings.host.starts_with('/');
  if (mysql_real_connect(handle, socket ? nullptr : settings.host.c_str(), settings.user.c_str(),
                         password, settings.database.empty() ? nullptr : settings.database.c_str(),
                         settings.port, socket ? settings.host.c_str() : nullptr, 0) == nullptr) {
    const std::string place = settings.host + (socket ? "" : ":" + std::to_string(settings.port));
    if (deadline_ns != 0 && now_ns() >= deadline_ns) {
      throw Error(ErrorCode::deadline_exceeded,
                  "MariaDB: " + place + " did not let us in before the request's deadline");
    }
    throw_error(mysql_errno(handle), "cannot connect to " + place, mysql_error(handle));
  }
}

Connection::~Connection() = default;

bool Connection::stale() const noexcept {
  // Between statements the server says nothing: what can be read is its good-bye. Found out before
  // a statement is sent, because afterwards nobody knows whether it has run.
  pollfd look{.fd = mysql_get_socket(handle_.get()), .events = POLLIN, .revents = 0};
  if (look.fd < 0) return true;  // the client library has closed it
  return poll(&look, 1, 0) != 0;
}

void Connection::run_script(const std::string& script) {
  MYSQL* const handle = handle_.get();
  const auto check = [handle](bool failed) {
    if (failed) throw_error(mysql_errno(handle), "the setup failed", mysql_error(handle));
  };
  mysql_set_server_option(handle, MYSQL_OPTION_MULTI_STATEMENTS_ON);
  check(mysql_real_query(handle, script.data(), script.size()) != 0);
  for (int more = 0; more == 0;) {
    if (MYSQL_RES* const rows = mysql_store_result(handle)) mysql_free_result(rows);
    more = mysql_next_result(handle);
    check(more > 0);
  }
  mysql_set_server_option(handle, MYSQL_OPTION_MULTI_STATEMENTS_OFF);
}

void Connection::end_by(Nanos deadline_ns) {
  Nanos limit = 0;
  if (deadline_ns != 0) {
    limit = whole_seconds(deadline_ns - now_ns());
    if (limit >= whole_seconds(timeout_ns)) limit = 0;
  }
  if (limit == limit_s_ || !knows_limits_) return;
  MYSQL* const handle = handle_.get();
  const std::string text =
      "SET max_statement_time = " + (limit != 0 ? std::to_string(limit) : "DEFAULT");
  if (mysql_real_query(handle, text.data(), text.size()) == 0) {
    limit_s_ = limit;
    return;
  }
  const unsigned number = mysql_errno(handle);
  if (!is_lost(number)) {
    // Of MySQL, which has no such variable.
    knows_limits_ = false;
    return;
  }
  lost = true;
  throw_error(number, "the time of the statement could not be limited", mysql_error(handle));
}

Prepared& Connection::prepared(const sql::Text& text) {
  auto& prepared = prepared_[{text.sql, text.fields}];
  if (!prepared) prepared = std::make_unique<Prepared>(*this, text);
  return *prepared;
}

}  // namespace penstock::mariadb
