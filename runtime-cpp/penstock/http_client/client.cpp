#include "penstock/http_client/client.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "penstock/http_client/transfers.hpp"

namespace penstock::http_client {
namespace {

// A line's end within a header would begin another header, or another request.
void check_words(const Request& request) {
  const auto is_token = [](char letter) {
    constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
           kMarks.find(letter) != std::string_view::npos;
  };
  const auto is_control = [](char letter) {
    return (static_cast<unsigned char>(letter) < ' ' && letter != '\t') || letter == '\x7f';
  };
  const auto are_tokens = [&](const std::string& word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), is_token);
  };
  bool legal = are_tokens(request.method);
  for (const auto& [name, value] : request.headers) {
    legal = legal && are_tokens(name) && std::none_of(value.begin(), value.end(), is_control);
  }
  if (!legal) {
    throw Error(ErrorCode::invalid_argument,
                "a method or header has characters in it that end a header's line");
  }
}

// As other programs that use OpenSSL do.
ClientSettings with_environment(ClientSettings settings) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody here changes the environment
  const char* const file = settings.ca_file.empty() ? std::getenv("SSL_CERT_FILE") : nullptr;
  if (file != nullptr) settings.ca_file = file;
  return settings;
}

}  // namespace

Client::Client(ClientSettings settings)
    : timeout_(settings.timeout),
      transfers_(std::make_shared<Transfers>(with_environment(std::move(settings)))) {}

Client::~Client() { transfers_->close(); }

ExchangeAwait Client::send(Request&& request) const {
  check_words(request);
  const Context& serving = context();
  if (serving.trace.present()) {
    request.headers.emplace_back("traceparent", serving.trace.traceparent());
  }
  auto exchange = std::make_shared<Exchange>(std::move(request));
  exchange->deadline_ns = deadline();
  return {transfers_, std::move(exchange)};
}

Nanos Client::deadline() const {
  return earlier(context().deadline_ns,
                 after(now_ns(), std::chrono::nanoseconds(timeout_).count()));
}

}  // namespace penstock::http_client
