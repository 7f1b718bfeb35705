#pragma once

#include <openssl/ssl.h>

#include <string>

namespace penstock::tls_part {

/// What the first error of this thread's says of a connection that failed, in words for who draws
/// binaries. Throws std::bad_alloc.
[[nodiscard]] std::string what_is_wrong(const SSL& ssl);

}  // namespace penstock::tls_part
