#include "penstock/mariadb/pool.hpp"

#include <poll.h>

#include <chrono>
#include <cstdlib>

#include "penstock/mariadb/error.hpp"
#include "penstock/mariadb/prepared.hpp"

namespace penstock::mariadb {

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
    if (!freed_.wait_until(
            lock, std::chrono::steady_clock::time_point(std::chrono::nanoseconds(until)), free)) {
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
    return connect();
  } catch (...) {
    give_back(nullptr);
    throw;
  }
}

std::unique_ptr<Connection> Pool::connect() {
  auto connection = std::make_unique<Connection>(settings_);
  // Held while the script runs: the others need its tables.
  const std::scoped_lock lock(setup_mutex_);
  if (!set_up_) {
    if (!settings_.setup.empty()) connection->run_script(settings_.setup);
    set_up_ = true;
  }
  return connection;
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

Connection::Connection(const Settings& settings)
    : timeout_ns(std::chrono::nanoseconds(settings.timeout).count()) {
  static std::once_flag once;
  std::call_once(once, [] { mysql_server_init(0, nullptr, nullptr); });
  handle_.reset(mysql_init(nullptr));
  if (!handle_) throw Error(ErrorCode::resource_exhausted, "MariaDB: no memory");
  const auto seconds =
      static_cast<unsigned>(std::chrono::ceil<std::chrono::seconds>(settings.timeout).count());
  const unsigned no_local_files = 0;
  MYSQL* const handle = handle_.get();
  mysql_optionsv(handle, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  mysql_optionsv(handle, MYSQL_OPT_CONNECT_TIMEOUT, &seconds);
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
    throw_error(
        mysql_errno(handle),
        "cannot connect to " + settings.host + (socket ? "" : ":" + std::to_string(settings.port)),
        mysql_error(handle));
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

Prepared& Connection::prepared(const sql::Text& text) {
  auto& prepared = prepared_[{text.sql, text.fields}];
  if (!prepared) prepared = std::make_unique<Prepared>(*this, text);
  return *prepared;
}

}  // namespace penstock::mariadb
