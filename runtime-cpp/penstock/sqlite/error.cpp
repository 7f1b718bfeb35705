#include "penstock/sqlite/error.hpp"

#include <string>

namespace penstock::sqlite {

ErrorCode error_code(int result) noexcept {
  switch (result) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID:
      return ErrorCode::already_exists;
    default:
      break;
  }
  switch (result & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
      return ErrorCode::unavailable;
    case SQLITE_INTERRUPT:
      return ErrorCode::deadline_exceeded;
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_READONLY:
      return ErrorCode::permission_denied;
    case SQLITE_FULL:
    case SQLITE_NOMEM:
      return ErrorCode::resource_exhausted;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return ErrorCode::data_loss;
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH:
      return ErrorCode::invalid_argument;
    case SQLITE_ERROR:
    case SQLITE_CONSTRAINT:
    case SQLITE_SCHEMA:
    case SQLITE_RANGE:
      return ErrorCode::failed_precondition;
    default:
      return ErrorCode::internal;
  }
}

void throw_last(sqlite3* connection, int result, std::string_view doing) {
  const char* const said =
      connection != nullptr ? sqlite3_errmsg(connection) : sqlite3_errstr(result);
  throw Error(error_code(result), "SQLite: " + std::string(doing) + ": " + said);
}

}  // namespace penstock::sqlite
