#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace penstock::net::nats {

/// A message of a subject, as long as the function is called.
struct Message {
  std::uint64_t subscription = 0;
  std::string_view reply;  ///< the subject that an answer goes to; empty: none is wanted
  std::string_view payload;
};

/// Takes the protocol of NATS apart, as its clients hear it
/// (docs.nats.io/reference/reference-protocols/nats-protocol). Keeps one line or payload at most;
/// longer payloads are passed over. One thread.
class Reader {
 public:
  static constexpr std::size_t kLongestLine = std::size_t{64} << 10U;
  static constexpr std::size_t kLargestPayload = std::size_t{16} << 10U;

  /// What is heard. May throw std::bad_alloc, after which the reader is of no use.
  class Listener {
   public:
    Listener() = default;
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    virtual ~Listener() = default;

    virtual void info(std::string_view json) = 0;
    virtual void message(const Message& message) = 0;
    virtual void ping() = 0;
    virtual void pong() = 0;
    virtual void error(std::string_view text) = 0;
  };

  explicit Reader(Listener& listener) : listener_(listener) {}

  /// False: no server says that. Throws std::bad_alloc.
  [[nodiscard]] bool take(std::string_view bytes);

 private:
  enum class Expects : std::uint8_t { line, payload, passed_over };

  [[nodiscard]] bool take_line(std::string_view line);
  [[nodiscard]] bool begin_message(std::string_view words);
  [[nodiscard]] bool end_payload();

  Listener& listener_;
  Expects expects_ = Expects::line;
  std::string kept_;         // of a line or a payload
  std::string line_;         // of a message, as long as its payload comes
  Message message_;          // likewise; its reply is in line_
  std::size_t to_come_ = 0;  // of a payload and the end of its line
};

}  // namespace penstock::net::nats
