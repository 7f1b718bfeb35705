#pragma once

/// Public: connections to binaries of other hosts, secured by keys. A part of the runtime, as it
/// needs OpenSSL.

#include <memory>
#include <string>

namespace penstock {

namespace net {
struct Identity;
class Security;
}  // namespace net

/// TLS 1.3 with the keys of `self` in `folder`, as `penstock keys` makes them: `ca.crt`,
/// `BINARY.crt` and `BINARY.key`. Throws Error(failed_precondition), whose text names the file.
[[nodiscard]] std::unique_ptr<net::Security> tls(const net::Identity& self,
                                                 const std::string& folder);

}  // namespace penstock
