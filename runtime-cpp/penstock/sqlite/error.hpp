#pragma once

#include <sqlite3.h>

#include <string_view>

#include "penstock/error.hpp"

namespace penstock::sqlite {

/// What an SQLite result code (plain or extended) is in the words of Error.
[[nodiscard]] ErrorCode error_code(int result) noexcept;

/// Throws the connection's last error. `doing`: "cannot open the database".
[[noreturn]] void throw_last(sqlite3* connection, int result, std::string_view doing);

}  // namespace penstock::sqlite
