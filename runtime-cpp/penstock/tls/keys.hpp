#pragma once

#include <openssl/ssl.h>

#include <string>

#include "penstock/net/socket/security.hpp"
#include "penstock/tls/key_files.hpp"

namespace penstock::tls_part {

/// The keys of a binary as `penstock keys` makes them.
struct OwnKeys {
  std::string file;  ///< of its certificate
  Certificate authority;
  Certificate own;
  PrivateKey key;
};
/// Those in `folder`, which belong together and are good today. Throws Error(failed_precondition).
[[nodiscard]] OwnKeys read_own_keys(const net::Identity& self, const std::string& folder);

/// What is used of OpenSSL for all connections of one binary, with its keys from `folder`. Throws
/// Error(failed_precondition).
[[nodiscard]] Context load_keys(const net::Identity& self, const std::string& folder);

/// The name `penstock://…` in a certificate; empty: it has none. Throws std::bad_alloc.
[[nodiscard]] std::string name_in(const X509& certificate);
/// Of the other end, which has been checked; empty: it has not said it yet. Throws std::bad_alloc.
[[nodiscard]] std::string name_of_peer(SSL& ssl);

}  // namespace penstock::tls_part
