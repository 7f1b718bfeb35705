#include "penstock/http_client/transfer.hpp"

#include <algorithm>
#include <cctype>
#include <new>
#include <system_error>
#include <utility>

namespace penstock::http_client {
namespace {

constexpr std::size_t kMaxHead = std::size_t{64} * 1024;

bool is_idempotent(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "PUT" || method == "DELETE" ||
         method == "OPTIONS";
}

bool same_name(std::string_view one, std::string_view other) {
  return std::equal(
      one.begin(), one.end(), other.begin(), other.end(),
      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t from = text.find_first_not_of(kBlanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

template <class T>
void set(CURL* easy, CURLoption option, T value) {
  const CURLcode result = curl_easy_setopt(easy, option, value);
  if (result == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
  if (result != CURLE_OK) {
    throw Error(ErrorCode::internal, std::string("libcurl: ") + curl_easy_strerror(result));
  }
}

}  // namespace

Easy Transfer::new_easy(const ClientSettings& settings) {
  Easy easy(curl_easy_init());
  if (easy == nullptr) throw std::bad_alloc();
  CURL* const handle = easy.get();
  set(handle, CURLOPT_PATH_AS_IS, 1L);
  set(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  set(handle, CURLOPT_NOSIGNAL, 1L);
  set(handle, CURLOPT_QUICK_EXIT, 1L);  // who gives up does not wait for a name's address
  set(handle, CURLOPT_PROXY, "");       // none from the environment either
  set(handle, CURLOPT_PIPEWAIT, 1L);
  set(handle, CURLOPT_USERAGENT, "penstock");
  set(handle, CURLOPT_HEADERFUNCTION, &on_header);
  set(handle, CURLOPT_WRITEFUNCTION, &on_body);
  set(handle, CURLOPT_PREREQFUNCTION, &before_request);
  if (!settings.ca_file.empty()) set(handle, CURLOPT_CAINFO, settings.ca_file.c_str());
  return easy;
}

Transfer::Transfer(Easy easy, std::shared_ptr<Exchange> exchange, const ClientSettings& settings)
    : easy_(std::move(easy)), exchange_(std::move(exchange)), max_body_(settings.max_body) {
  CURL* const handle = easy_.get();
  set(handle, CURLOPT_PRIVATE, this);
  set(handle, CURLOPT_HEADERDATA, this);
  set(handle, CURLOPT_WRITEDATA, this);
  set(handle, CURLOPT_PREREQDATA, this);
  set(handle, CURLOPT_ERRORBUFFER, said_);
  set(handle, CURLOPT_CURLU, exchange_->url.handle());
  // Where the other side speaks HTTP/2, requests share one connection.
  set(handle, CURLOPT_HTTP_VERSION,
      static_cast<long>(exchange_->url.secure() ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
  set_method();
  set_headers();
}

void Transfer::set_method() {
  CURL* const handle = easy_.get();
  const Request& request = exchange_->request;
  const std::string& method = request.method;
  const bool bare = request.body.empty() && is_idempotent(method) && method != "PUT";
  if (method == "TRACE" && !request.body.empty()) {
    throw Error(ErrorCode::invalid_argument, "the request cannot be sent: TRACE has no body");
  }
  // Which undoes what the transfer before set.
  set(handle, CURLOPT_HTTPGET, 1L);
  if (!bare) {
    set(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set(handle, CURLOPT_POSTFIELDS, request.body.c_str());
  } else if (method == "HEAD") {
    set(handle, CURLOPT_NOBODY, 1L);
  }
  set(handle, CURLOPT_CUSTOMREQUEST, method.c_str());
}

void Transfer::set_headers() {
  std::size_t bytes = exchange_->request.url.size();
  const auto add = [this](const std::string& line) {
    curl_slist* const longer = curl_slist_append(headers_.get(), line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    static_cast<void>(headers_.release());
    headers_.reset(longer);
  };
  // What libcurl would say of itself; those that are asked for come behind and count.
  bool accept = false;
  bool type = false;
  for (const auto& [name, value] : exchange_->request.headers) {
    bytes += name.size() + value.size() + 4;
    // Its body says how long it is.
    if (same_name(name, "Content-Length") || same_name(name, "Transfer-Encoding")) continue;
    accept = accept || same_name(name, "Accept");
    type = type || same_name(name, "Content-Type");
    std::string line = name;
    // libcurl's way to say that there is no value.
    line += value.empty() ? ";" : ": ";
    line += value;
    add(line);
  }
  if (bytes > kMaxHead) {
    throw Error(ErrorCode::invalid_argument, "the request cannot be sent: its head has more than " +
                                                 std::to_string(kMaxHead) + " bytes");
  }
  if (!accept) add("Accept:");
  if (!type) add("Content-Type:");
  add("Expect:");
  set(easy_.get(), CURLOPT_HTTPHEADER, headers_.get());
}

Transfer& Transfer::of(CURL* easy) noexcept {
  char* self = nullptr;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &self);
  return *reinterpret_cast<Transfer*>(self);
}

// A line of the answer's head: its first one, a header, or the empty one at the end.
std::size_t Transfer::on_header(char* bytes, std::size_t size, std::size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  const std::string_view line(bytes, size * count);
  auto& headers = transfer.exchange_->response.headers;
  try {
    if (line.starts_with("HTTP/")) {
      // After a 100 the answer is still to come.
      headers.clear();
      transfer.head_bytes_ = 0;
    }
    transfer.head_bytes_ += line.size();
    if (transfer.head_bytes_ > kMaxHead) {
      transfer.too_much_ = true;
      return 0;
    }
    const std::size_t colon = line.find(':');
    if (!line.starts_with("HTTP/") && colon != std::string_view::npos) {
      headers.emplace_back(std::string(trimmed(line.substr(0, colon))),
                           std::string(trimmed(line.substr(colon + 1))));
    }
  } catch (const std::bad_alloc&) {
    return 0;
  }
  return line.size();
}

std::size_t Transfer::on_body(char* bytes, std::size_t size, std::size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  const std::string_view piece(bytes, size * count);
  std::string& body = transfer.exchange_->response.body;
  transfer.too_much_ = piece.size() > transfer.max_body_ - body.size();
  if (transfer.too_much_) return 0;
  try {
    body += piece;
  } catch (const std::bad_alloc&) {
    return 0;
  }
  return piece.size();
}

// The other side may close a kept connection at any time. If it did before it said anything,
// libcurl makes the request again over another one: only what may be made twice.
int Transfer::before_request(void* self, char* /*peer*/, char* /*own*/, int /*peer_port*/,
                             int /*own_port*/) {
  auto& transfer = *static_cast<Transfer*>(self);
  const bool again = transfer.attempts_++ != 0;
  return again && !is_idempotent(transfer.exchange_->request.method) ? CURL_PREREQFUNC_ABORT
                                                                     : CURL_PREREQFUNC_OK;
}

std::string Transfer::reason(CURLcode result) const {
  const char* const said = said_[0] != '\0' ? said_ : curl_easy_strerror(result);
  switch (result) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return std::string("its address was not found (") + said + ")";
    case CURLE_COULDNT_CONNECT: {
      long code = 0;
      curl_easy_getinfo(easy_.get(), CURLINFO_OS_ERRNO, &code);
      return std::string("no connection (") +
             (code != 0 ? std::generic_category().message(static_cast<int>(code)) : said) + ")";
    }
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
      return std::string("no connection that can be trusted (") + said + ")";
    case CURLE_ABORTED_BY_CALLBACK:
      return "the connection broke before an answer came";
    default:
      return std::string("the connection broke (") + said + ")";
  }
}

void Transfer::conclude(CURLcode result) noexcept {
  if (too_much_) {
    fail_with(ErrorCode::resource_exhausted,
              [&] { return "answered with more than " + std::to_string(max_body_) + " bytes"; });
  } else if (result != CURLE_OK) {
    fail_with(ErrorCode::unavailable, [&] { return reason(result); });
  } else {
    long status = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    exchange_->response.status = static_cast<unsigned>(status);
  }
}

void Transfer::fail(ErrorCode code, std::string_view message) noexcept {
  fail_with(code, [&] { return std::string(message); });
}

template <class Message>
void Transfer::fail_with(ErrorCode code, const Message& message) noexcept {
  try {
    exchange_->error.emplace(code, exchange_->url.origin() + ": " + message());
  } catch (const std::bad_alloc&) {
    exchange_->error.emplace(code, Error::NoMemory());
  }
}

}  // namespace penstock::http_client
