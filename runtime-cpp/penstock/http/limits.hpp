#pragma once

#include <chrono>
#include <cstddef>

namespace penstock::http {

/// Bounds of every HTTP connection, with the defaults of the product. Tests shorten the times.
struct Limits {
  using Time = std::chrono::milliseconds;

  Time header_time{10'000};   ///< from the first byte awaited to the end of the headers; then 408
  Time request_time{30'000};  ///< a body must be sent, and an answer be taken, within it
  Time keep_alive_time{60'000};  ///< silence between two requests of one connection

  /// Request line and headers together, however they are cut into pieces; then 431.
  std::size_t header_bytes = std::size_t{16} * 1024;
  std::size_t header_fields = 100;  ///< a field takes many times its bytes in memory; then 431
  std::size_t body_bytes = std::size_t{100} * 1024;  ///< then 413
  /// What a chunked body may send besides its data: sizes, extensions, trailers. So much, and
  /// kFramingOfAByte more for each byte of data, since tiny chunks are no attack; then 413.
  std::size_t framing_bytes = std::size_t{16} * 1024;
  /// A body must come at this rate on the average, once `body_grace` is over; then 408. 0: any.
  std::size_t body_bytes_per_second = std::size_t{4} * 1024;
  Time body_grace{3'000};

  /// Above it the one that keeps us waiting longest, for its headers, its body or to take its
  /// answer, goes; when there is none, or none for so long as `newcomer_time`, who comes waits: for
  /// the first as long as it takes, for the second as long as `patience`.
  std::size_t connections = 256;
  Time newcomer_time{0};  ///< what a thread may need to begin with what has come
  /// What all connections of a listener may hold together: what was read and not used yet, bodies,
  /// answers on their way. Above it those that have kept us waiting for `patience` go, the one that
  /// holds most first; when there are none, the one that wants more is answered 503, and what would
  /// have a long answer 500.
  std::size_t held_bytes = std::size_t{8} << 20;
  Time patience{1'000};

  Time accept_pause{100};  ///< when there are no file descriptors, or no room for who comes
};

/// `5\r\n`, a byte, `\r\n`: a chunk of one byte sends five more, six with a size of two digits.
inline constexpr std::size_t kFramingOfAByte = 8;

}  // namespace penstock::http
