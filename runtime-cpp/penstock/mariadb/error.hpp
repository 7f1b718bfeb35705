#pragma once

#include <string_view>

#include "penstock/error.hpp"

namespace penstock::mariadb {

/// What an error number of the server or the client library is in the words of Error.
[[nodiscard]] ErrorCode error_code(unsigned number) noexcept;
/// The connection is of no use any more.
[[nodiscard]] bool is_lost(unsigned number) noexcept;

[[noreturn]] void throw_error(unsigned number, std::string_view doing, const char* said);

}  // namespace penstock::mariadb
