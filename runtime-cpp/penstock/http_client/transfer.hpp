#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>
#include <string_view>

#include "penstock/exec/timer_wheel.hpp"
#include "penstock/http_client/client.hpp"
#include "penstock/http_client/exchange.hpp"

namespace penstock::http_client {

/// What libcurl frees: its handles are pointers to void.
template <auto release>
struct CurlFree {
  template <class T>
  void operator()(T* made) const noexcept {
    release(made);
  }
};
using Easy = std::unique_ptr<CURL, CurlFree<curl_easy_cleanup>>;
using Multi = std::unique_ptr<CURLM, CurlFree<curl_multi_cleanup>>;
using HeaderList = std::unique_ptr<curl_slist, CurlFree<curl_slist_free_all>>;

/// One exchange while libcurl carries it out. The I/O thread's.
class Transfer {
 public:
  /// A handle for any number of transfers, one after the other. Throws std::bad_alloc.
  [[nodiscard]] static Easy new_easy(const ClientSettings& settings);

  /// Throws Error(invalid_argument) for a head that is too long, std::bad_alloc.
  Transfer(Easy easy, std::shared_ptr<Exchange> exchange, const ClientSettings& settings);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer() = default;

  [[nodiscard]] static Transfer& of(CURL* easy) noexcept;

  [[nodiscard]] CURL* easy() const noexcept { return easy_.get(); }
  [[nodiscard]] const std::shared_ptr<Exchange>& exchange() const noexcept { return exchange_; }
  /// It has got a connection.
  [[nodiscard]] bool begun() const noexcept { return attempts_ != 0; }
  /// A kept connection was found dead, and the request made over another one.
  [[nodiscard]] bool tried_again() const noexcept { return attempts_ > 1; }

  /// Puts the answer into the exchange, or why there is none; without memory to say why it says
  /// that.
  void conclude(CURLcode result) noexcept;
  void fail(ErrorCode code, std::string_view message) noexcept;
  /// Its handle, for another transfer; this one has no use any more.
  [[nodiscard]] Easy take_easy() noexcept { return std::move(easy_); }

  /// When the exchange has to be over.
  struct Deadline : exec::Timer {
    Transfer* transfer = nullptr;
    Carrier* carrier = nullptr;
  };
  [[nodiscard]] Deadline& deadline() noexcept { return deadline_; }

 private:
  /// fail() with the text that `message` gives.
  template <class Message>
  void fail_with(ErrorCode code, const Message& message) noexcept;
  void set_method();
  void set_headers();
  [[nodiscard]] std::string reason(CURLcode result) const;

  static std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* self);
  static std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* self);
  static int before_request(void* self, char* peer, char* own, int peer_port, int own_port);

  Easy easy_;
  HeaderList headers_;
  std::shared_ptr<Exchange> exchange_;
  const std::size_t max_body_;
  std::size_t head_bytes_ = 0;
  unsigned attempts_ = 0;
  bool too_much_ = false;
  char said_[CURL_ERROR_SIZE] = {};  // why it failed, in libcurl's words
  Deadline deadline_;
};

}  // namespace penstock::http_client
