#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "penstock/http_client/exchange.hpp"

namespace penstock::http_client {

class Transfers;

struct ClientSettings {
  /// At most so many connections to one host and port; requests beyond wait for one. Over HTTP/2
  /// they share one.
  std::uint32_t connections = 64;
  /// From start to end of an exchange; the request's deadline counts where it is earlier.
  std::chrono::milliseconds timeout{10'000};
  /// Bytes of an answer's body.
  std::size_t max_body = std::size_t{8} << 20U;
  /// https: a PEM file with the certificates that are trusted; empty: the one that the
  /// environment variable SSL_CERT_FILE names, else those of the system.
  std::string ca_file{};
};

/// Makes requests over connections that it keeps open. All clients of a process share one I/O
/// thread (`ps-http`). Any thread.
///
/// `http://` speaks HTTP/1.1; `https://` HTTP/2 where the other side does, and the other side's
/// certificate is checked. Not followed: redirects. Not asked: proxies that the environment names.
class Client {
 public:
  explicit Client(ClientSettings settings = {});
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  /// Ends what is under way with Error(cancelled) and waits until it has. Before the workers of
  /// those who wait are gone.
  ~Client();

  /// `co_await client.send(std::move(request))`, with a named request: GCC 12 destroys what is made
  /// in braces within a co_await twice. The trace ids of the request being served go with it.
  /// Throws Error(invalid_argument) at once for a URL or header that is none.
  [[nodiscard]] ExchangeAwait send(Request&& request) const;
  /// When an exchange that is sent now has to be over.
  [[nodiscard]] Nanos deadline() const;

 private:
  const std::chrono::milliseconds timeout_;
  std::shared_ptr<Transfers> transfers_;
};

}  // namespace penstock::http_client
