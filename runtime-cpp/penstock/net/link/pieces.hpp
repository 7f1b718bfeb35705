#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/base/time.hpp"
#include "penstock/message/buffer.hpp"
#include "penstock/net/link/outgoing.hpp"
#include "penstock/net/wire/frame.hpp"

namespace penstock::net {

/// A message that was written with its large buffers beside it. They may be taken out of it, but
/// with `keep`.
struct PartedMessage {
  std::string bytes;
  std::vector<const Buffer*> buffers;
  bool keep = false;
};

/// Messages that leave with buffers in pieces: one after the other, so that the other end has one
/// at most that is not whole; all else goes in between.
class PiecesOut {
 public:
  struct Message {
    std::string frame;
    std::vector<Buffer> buffers;
    bool is_call = false;
    std::uint16_t service = 0;
    std::uint64_t number = 0;
    bool handed = false;     ///< others of its buffers are the other end's by it
    bool cancelled = false;  ///< a call, which it has to be told of nevertheless
  };

  [[nodiscard]] bool empty() const noexcept { return waiting_.empty(); }
  /// Behind the others. Throws std::bad_alloc.
  Message& add() { return waiting_.emplace_back(); }
  void drop_last() noexcept { waiting_.pop_back(); }
  /// Buffers were handed over with one that has not begun to leave: what is written now would come
  /// before it, in another order than they.
  [[nodiscard]] bool hands_later() const noexcept;
  /// Of a call that has not begun to leave: it does not, and was to this service. False: there is
  /// none, or buffers were handed over with it; then it leaves, and is cancelled.
  [[nodiscard]] bool forget_call(std::uint64_t number, std::uint16_t& service) noexcept;
  /// The next frame: a message, or a piece of `most` bytes at most. Throws std::bad_alloc, and it
  /// is the next one still. The service of an answer of which it was the last.
  std::optional<std::uint16_t> write_next(Outgoing& to, std::size_t most);
  void clear() noexcept {
    waiting_.clear();
    begun_ = false;
  }

 private:
  std::deque<Message> waiting_;
  bool begun_ = false;      // the first of them
  std::size_t buffer_ = 0;  // of it, that is next
  std::size_t done_ = 0;    // of that buffer
};

/// A message whose buffers come in pieces.
struct PiecesIn {
  bool is_call = false;
  std::uint16_t service = 0;
  std::uint64_t number = 0;
  Nanos since = 0;
  wire::CallEnvelope envelope;  ///< of a call
  std::string message;
  std::vector<Buffer> buffers;      ///< also those that were handed over
  std::vector<std::size_t> places;  ///< of those in pieces
  std::uint64_t bytes = 0;          ///< of all pieces
  std::uint64_t left = 0;
  /// Nobody wants it any more: what comes of it is thrown away.
  bool dropped = false;

  void drop() noexcept {
    dropped = true;
    buffers.clear();
  }
  /// Memory for what is to come. Throws std::bad_alloc.
  void make_room(const std::vector<std::uint64_t>& lengths);
  /// As many bytes as are left, at most.
  void add(std::string_view piece) noexcept;
  /// That of a call, as long after it began to come.
  void adjust_time(Nanos now) noexcept;

 private:
  std::size_t at_ = 0;    // of places
  std::size_t done_ = 0;  // of that buffer
};

}  // namespace penstock::net
