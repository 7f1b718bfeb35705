#pragma once

/// Public: connections to binaries of other hosts, and those of an HTTP address, secured by keys. A
/// part of the runtime, as it needs OpenSSL.

#include <memory>
#include <string>

namespace penstock {

namespace http {
struct KeyFiles;
class Security;
}  // namespace http
namespace net {
struct Identity;
class Security;
}  // namespace net

/// TLS 1.3 with the keys of `self` in `folder`, as `penstock keys` makes them: `ca.crt`,
/// `BINARY.crt` and `BINARY.key`. Throws Error(failed_precondition), whose text names the file.
[[nodiscard]] std::unique_ptr<net::Security> tls(const net::Identity& self,
                                                 const std::string& folder);

/// TLS 1.2 or 1.3 for HTTP/1.1, with one of the `files` in `folder`, or with the keys of `self`
/// there. Clients show none. Throws as above.
[[nodiscard]] std::unique_ptr<http::Security> http_tls(const net::Identity& self,
                                                       const std::string& folder,
                                                       const http::KeyFiles& files);

}  // namespace penstock
