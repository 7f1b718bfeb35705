#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>

#include "penstock/net/socket/security.hpp"

namespace penstock::tls_part {

template <auto release>
struct Release {
  template <class T>
  void operator()(T* thing) const noexcept {
    release(thing);
  }
};
using Context = std::unique_ptr<SSL_CTX, Release<&SSL_CTX_free>>;
using Certificate = std::unique_ptr<X509, Release<&X509_free>>;

/// What is used of OpenSSL for all connections of one binary, with its keys from `folder`. Throws
/// Error(failed_precondition).
[[nodiscard]] Context load_keys(const net::Identity& self, const std::string& folder);

/// The name `penstock://…` in a certificate; empty: it has none. Throws std::bad_alloc.
[[nodiscard]] std::string name_in(const X509& certificate);
/// Of the other end, which has been checked; empty: it has not said it yet. Throws std::bad_alloc.
[[nodiscard]] std::string name_of_peer(SSL& ssl);

}  // namespace penstock::tls_part
