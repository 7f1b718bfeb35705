#pragma once

#include <atomic>
#include <cstdint>

namespace penstock::flow {

struct Event;

/// How an event left its flow. `failed`: its failure is still set, if there was memory for one.
enum class End : std::uint8_t { completed, failed, dropped };

/// Somebody who waits for the end of an event: the answer to an HTTP request, say. All pieces into
/// which a fan-out divides the event share it.
struct Completion {
  /// Told once for each piece, just before it is freed: a value that is still there is the result
  /// of the last stage that gave one. On the thread where the piece ended; must not block. It may
  /// free the completion when pieces is 0.
  using Ended = void (*)(Completion& self, Event& event, End how) noexcept;

  explicit Completion(Ended ended_) noexcept : ended(ended_) {}

  const Ended ended;
  /// Pieces under way. Who divides the event adds before the first part goes on its way; who is
  /// told of an end takes away (acquire and release: the last one sees what all have left).
  std::atomic<std::uint32_t> pieces{1};
};

}  // namespace penstock::flow
