#pragma once

#include <cstdint>
#include <string>

namespace sample {

/// A kept connection to one server on this machine. One thread.
class HttpClient {
 public:
  HttpClient() = default;
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();

  /// Posts JSON and gives the status of the answer. Blocks; throws penstock::Error (unavailable)
  /// when there is no answer within two seconds.
  int post(std::uint16_t port, const std::string& path, const std::string& body);

 private:
  void connect(std::uint16_t port);
  void close() noexcept;
  /// False once the other side has closed it, or said what nobody asked for.
  [[nodiscard]] bool is_kept() const noexcept;
  [[nodiscard]] int read_status();

  int socket_ = -1;
};

}  // namespace sample
