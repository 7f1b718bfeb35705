#include "penstock/mariadb/error.hpp"

#include <errmsg.h>
#include <mysql.h>
#include <mysqld_error.h>

#include <string>

namespace penstock::mariadb {

ErrorCode error_code(unsigned number) noexcept {
  switch (number) {
    case ER_DUP_ENTRY:
    case ER_DUP_ENTRY_WITH_KEY_NAME:
    case ER_TABLE_EXISTS_ERROR:
      return ErrorCode::already_exists;
    case ER_LOCK_WAIT_TIMEOUT:
    case ER_LOCK_DEADLOCK:
      return ErrorCode::aborted;
    case ER_STATEMENT_TIMEOUT:
      return ErrorCode::deadline_exceeded;
    case ER_ACCESS_DENIED_ERROR:
    case ER_ACCESS_DENIED_NO_PASSWORD_ERROR:
      return ErrorCode::unauthenticated;
    case ER_DBACCESS_DENIED_ERROR:
    case ER_TABLEACCESS_DENIED_ERROR:
    case ER_COLUMNACCESS_DENIED_ERROR:
    case ER_SPECIFIC_ACCESS_DENIED_ERROR:
    case ER_OPTION_PREVENTS_STATEMENT:
      return ErrorCode::permission_denied;
    case ER_CON_COUNT_ERROR:
    case ER_TOO_MANY_USER_CONNECTIONS:
    case ER_USER_LIMIT_REACHED:
    case ER_OUT_OF_RESOURCES:
    case ER_RECORD_FILE_FULL:
      return ErrorCode::resource_exhausted;
    case ER_DATA_TOO_LONG:
    case ER_TRUNCATED_WRONG_VALUE_FOR_FIELD:
    case ER_TRUNCATED_WRONG_VALUE:
      return ErrorCode::invalid_argument;
    case ER_WARN_DATA_OUT_OF_RANGE:
    case ER_DATA_OUT_OF_RANGE:
      return ErrorCode::out_of_range;
    case ER_SERVER_SHUTDOWN:
    case ER_NORMAL_SHUTDOWN:
    case ER_CONNECTION_KILLED:
      return ErrorCode::unavailable;
    default:
      // The client library's own numbers: no server, or none any more.
      return number >= CR_MIN_ERROR && number <= CR_MAX_ERROR ? ErrorCode::unavailable
                                                              : ErrorCode::failed_precondition;
  }
}

bool is_lost(unsigned number) noexcept {
  return number == CR_SERVER_GONE_ERROR || number == CR_SERVER_LOST ||
         number == CR_SERVER_LOST_EXTENDED || number == CR_CONNECTION_ERROR ||
         number == CR_MALFORMED_PACKET || number == CR_COMMANDS_OUT_OF_SYNC ||
         number == CR_NEW_STMT_METADATA ||  // its statements were prepared for another table
         number == ER_SERVER_SHUTDOWN || number == ER_NORMAL_SHUTDOWN ||
         number == ER_CONNECTION_KILLED || number == ER_UNKNOWN_STMT_HANDLER;
}

void throw_error(unsigned number, std::string_view doing, const char* said) {
  throw Error(error_code(number), "MariaDB: " + std::string(doing) + ": " + said);
}

}  // namespace penstock::mariadb
