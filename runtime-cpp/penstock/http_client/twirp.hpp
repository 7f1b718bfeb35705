#pragma once

#include <string>
#include <string_view>

#include "penstock/http_client/client.hpp"

namespace penstock::http_client {

struct TwirpSettings {
  std::string url;     ///< with the prefix: `http://prices:8080/twirp`
  std::string method;  ///< in full: `shop.Prices/GetPrice`
  bool json = false;   ///< how messages travel; else in protobuf
  ClientSettings client;
  /// An environment variable with a token to be sent; empty: none is.
  std::string token_variable{};
};

/// A method of a service of somebody else's, asked by Twirp's version 7 over connections that are
/// kept open. Any thread.
class TwirpMethod {
 public:
  /// Reads the environment: before threads change it.
  explicit TwirpMethod(TwirpSettings settings);

  /// `co_await method.send(std::move(body))` as Client::send(), with a message in the
  /// method's form. The other side is told how long the answer is waited for. Throws
  /// Error(unauthenticated) where the token that is to be sent is missing.
  [[nodiscard]] ExchangeAwait send(std::string&& body) const;

  /// Throws Error unless `answer` has a message in its body: the error that the service answered,
  /// or, of what stands between us and it, one by the status as Twirp's clients have it.
  void check(const Response& answer) const;
  /// What check() let pass is no message of the wanted type: throws Error(internal).
  [[noreturn]] void refuse(std::string_view reason) const;

 private:
  const std::string url_;
  const bool json_;
  const Client client_;
  const std::string token_variable_;
  const std::string token_;
};

}  // namespace penstock::http_client
