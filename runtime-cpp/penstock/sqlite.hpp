#pragma once

/// Public: statements of an SQLite file. Link the part `sqlite`.

#include <chrono>
#include <string>

#include "penstock/sql/statement.hpp"

namespace penstock::sqlite {

struct Settings {
  std::string path{};
  /// Statements that are run once in each process before the first use, in one transaction:
  /// CREATE TABLE IF NOT EXISTS ...
  std::string setup{};
  /// How long a statement waits for one that writes; at most until the request's deadline.
  std::chrono::milliseconds busy_timeout{5000};
};

/// A statement with a connection of its own, in WAL mode: readers and a writer do not wait for each
/// other. Queries end at the request's deadline.
[[nodiscard]] sql::Statement statement(Settings settings, sql::Text text);

}  // namespace penstock::sqlite
