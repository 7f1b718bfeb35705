#pragma once

/// Public: statements of a MariaDB or MySQL server. Link the part `mariadb`.

#include <chrono>
#include <cstdint>
#include <string>

#include "penstock/sql/statement.hpp"

namespace penstock::mariadb {

struct Settings {
  /// A name, an address, or the path of a Unix socket.
  std::string host = "127.0.0.1";
  std::uint16_t port = 3306;
  std::string user{};
  /// Name of the environment variable that holds the password; empty: none.
  std::string password_variable{};
  std::string database{};
  /// Statements that are run once in each process before the first use, one after another.
  std::string setup{};
  /// At most so many connections, shared by all statements with the same settings.
  std::uint32_t connections = 8;
  /// For connecting and for each answer of the server; whole seconds, rounded up.
  std::chrono::milliseconds timeout{10'000};

  friend bool operator==(const Settings&, const Settings&) = default;
};

/// A statement on the connections of a pool. When all are busy it waits for one, at most until the
/// request's deadline (else the timeout). To connect, and on a MariaDB server a statement, ends at
/// the deadline, too, in whole seconds from where it begins, rounded up. A connection that broke is
/// replaced.
[[nodiscard]] sql::Statement statement(Settings settings, sql::Text text);

}  // namespace penstock::mariadb
