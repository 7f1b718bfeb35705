#include "penstock/net/wire/frame.hpp"

#include <algorithm>
#include <limits>

#include "penstock/base/error.hpp"
#include "penstock/base/utf8.hpp"
#include "penstock/net/wire/bytes.hpp"

namespace penstock::net::wire {
namespace {

constexpr std::size_t kTraceBytes = 24;
constexpr std::size_t kLengthBytes = 2;
constexpr std::uint8_t kSampledFlag = 1;  // of a traceparent
constexpr Nanos kMicrosecond = 1'000;

/// Empty: the head is that of a frame.
std::string_view wrong_with(const FrameHead& head, std::uint32_t largest_body) noexcept {
  if (head.body > largest_body) return "it is larger than was agreed";
  switch (head.kind) {
    case FrameKind::call:
      if ((head.flags & ~(kTraced | kSampled | kBaggage | kBuffers)) != 0)
        return "a flag is not known";
      if ((head.flags & kSampled) != 0 && (head.flags & kTraced) == 0)
        return "what is sampled is not traced";
      return {};
    case FrameKind::answer:
      if ((head.flags & ~kBuffers) != 0) return "its kind has no flags";
      return {};
    case FrameKind::piece:
      if (head.body == 0) return "a piece is empty";
      break;
    case FrameKind::error:
    case FrameKind::definitions:
    case FrameKind::calls:
    case FrameKind::answers:
      break;
    case FrameKind::credit:
      if (head.body != kCreditBytes) return "a credit is one number";
      break;
    case FrameKind::cancel:
      if (head.body != 0) return "its kind has no body";
      return (head.flags & ~kLate) != 0 ? "a flag is not known" : std::string_view();
    case FrameKind::ping:
    case FrameKind::pong:
    case FrameKind::drain:
      if (head.body != 0) return "its kind has no body";
      break;
    default:
      return "its kind is not known";
  }
  return head.flags != 0 ? "its kind has no flags" : std::string_view();
}

/// What an entry of the baggage takes.
std::size_t entry_size(const Baggage::value_type& entry) noexcept {
  return 2 * kLengthBytes + entry.first.size() + entry.second.size();
}

/// Calls `each` with the entries that go along, and returns their bytes.
template <class Each>
std::size_t for_fitting(const Baggage& baggage, Each each) noexcept {
  std::size_t bytes = 0;
  std::size_t entries = 0;
  for (const auto& entry : baggage) {
    const std::size_t more = entry_size(entry);
    if (entry.first.empty() || bytes + more > kMostBaggageBytes) continue;
    if (++entries > kMostBaggage) break;
    bytes += more;
    each(entry);
  }
  return bytes;
}
std::size_t baggage_size(const Baggage& baggage) noexcept {
  return for_fitting(baggage, [](const auto&) {});
}

char* put_short_text(char* at, std::string_view text) noexcept {
  return put_text(put(at, static_cast<std::uint16_t>(text.size())), text);
}
bool take_short_text(Taker& in, std::string_view& text) noexcept {
  std::uint16_t size = 0;
  return in.take(size) && in.take(size, text);
}

bool take_trace(Taker& in, std::uint8_t flags, TraceIds& trace) noexcept {
  trace.flags = (flags & kSampled) != 0 ? kSampledFlag : 0;
  return in.take(trace.trace_high) && in.take(trace.trace_low) && in.take(trace.parent) &&
         trace.present();
}

bool take_baggage(Taker& in, std::shared_ptr<const Baggage>& baggage) {
  std::string_view bytes;
  if (!take_short_text(in, bytes) || bytes.empty() || bytes.size() > kMostBaggageBytes)
    return false;
  auto taken = std::make_shared<Baggage>();
  for (Taker entries(bytes); !entries.left().empty();) {
    std::string_view key;
    std::string_view value;
    if (!take_short_text(entries, key) || !take_short_text(entries, value) || key.empty() ||
        taken->size() == kMostBaggage)
      return false;
    taken->emplace_back(key, value);
  }
  baggage = std::move(taken);
  return true;
}

/// As much of `text` as goes along, in pieces: what is no UTF-8, as in what others have answered,
/// becomes U+FFFD.
template <class Take>
void each_sound_piece(std::string_view text, Take take) {
  constexpr std::string_view kUnsound = "\xEF\xBF\xBD";
  std::size_t left = kLongestErrorText;
  while (!text.empty()) {
    std::size_t sound = 0;  // what is as it should be, up to here
    std::size_t next = 0;
    while (sound < text.size() && (next = utf8_length(text.substr(sound))) != 0 &&
           sound + next <= left) {
      sound += next;
    }
    take(text.substr(0, sound));
    text.remove_prefix(sound);
    left -= sound;
    if (text.empty() || next != 0 || left < kUnsound.size()) return;
    take(kUnsound);
    text.remove_prefix(1);
    left -= kUnsound.size();
  }
}

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace

char* write_head(char* at, const FrameHead& head) noexcept {
  at = put(at, head.body);
  at = put(at, static_cast<std::uint8_t>(head.kind));
  at = put(at, head.flags);
  at = put(at, head.service);
  return put(at, head.call);
}

FrameRead read_frame(std::string_view bytes, std::uint32_t largest_body) noexcept {
  FrameRead read;
  Taker in(bytes);
  std::uint8_t kind = 0;
  if (!in.take(read.head.body) || !in.take(kind) || !in.take(read.head.flags) ||
      !in.take(read.head.service) || !in.take(read.head.call))
    return read;
  read.head.kind = static_cast<FrameKind>(kind);
  read.why = wrong_with(read.head, largest_body);
  if (!read.why.empty()) {
    read.found = FrameRead::Found::malformed;
    return read;
  }
  read.bytes = kHeadBytes + read.head.body;
  if (in.take(read.head.body, read.body)) read.found = FrameRead::Found::frame;
  return read;
}

CallEnvelope CallEnvelope::of(const Context& context, Nanos now) noexcept {
  CallEnvelope envelope{0, context.trace, context.baggage};
  if (context.deadline_ns != 0) {
    const Nanos left = (context.deadline_ns - now) / kMicrosecond;
    envelope.left_us = static_cast<std::uint32_t>(
        std::clamp<Nanos>(left, 1, std::numeric_limits<std::uint32_t>::max()));
  }
  return envelope;
}

// What is not there is not copied: a trace that was just written in parts is waited for.
void CallEnvelope::give_to(Context& context, Nanos now) const noexcept {
  context.deadline_ns = left_us == 0 ? 0 : now + Nanos{left_us} * kMicrosecond;
  if (trace.present() || context.trace.present()) context.trace = trace;
  if (context.baggage != baggage) context.baggage = baggage;
}

std::uint8_t CallEnvelope::flags() const noexcept {
  std::uint8_t flags = 0;
  if (trace.present()) flags |= kTraced;
  if (trace.present() && (trace.flags & kSampledFlag) != 0) flags |= kSampled;
  if (baggage != nullptr && baggage_size(*baggage) != 0) flags |= kBaggage;
  return flags;
}

std::size_t CallEnvelope::size() const noexcept {
  const std::size_t carried = baggage == nullptr ? 0 : baggage_size(*baggage);
  return sizeof left_us + (trace.present() ? kTraceBytes : 0) +
         (carried == 0 ? 0 : kLengthBytes + carried);
}

char* CallEnvelope::write(char* at) const noexcept {
  at = put(at, left_us);
  if (trace.present()) at = put(put(put(at, trace.trace_high), trace.trace_low), trace.parent);
  const std::size_t carried = baggage == nullptr ? 0 : baggage_size(*baggage);
  if (carried == 0) return at;
  at = put(at, static_cast<std::uint16_t>(carried));
  for_fitting(*baggage, [&at](const Baggage::value_type& entry) {
    at = put_short_text(put_short_text(at, entry.first), entry.second);
  });
  return at;
}

bool read_call(const FrameHead& head, std::string_view body, CallBody& out) {
  Taker in(body);
  CallEnvelope& envelope = out.envelope;
  if (!in.take(envelope.left_us)) return false;
  if ((head.flags & kTraced) != 0) {
    if (!take_trace(in, head.flags, envelope.trace)) return false;
  } else if (envelope.trace.present()) {
    envelope.trace = {};
  }
  envelope.baggage.reset();
  if ((head.flags & kBaggage) != 0 && !take_baggage(in, envelope.baggage)) return false;
  out.message = in.left();
  return true;
}

std::size_t size(const ErrorBody& error) noexcept {
  std::size_t bytes = sizeof error.code;
  each_sound_piece(error.text, [&bytes](std::string_view piece) { bytes += piece.size(); });
  return bytes;
}

char* write(char* at, const ErrorBody& error) noexcept {
  const bool known = error.code > 0 && error.code < static_cast<std::int32_t>(kErrorCodes);
  at = put(at, known ? error.code : static_cast<std::int32_t>(ErrorCode::unknown));
  each_sound_piece(error.text, [&at](std::string_view piece) { at = put_text(at, piece); });
  return at;
}

bool read_error(std::string_view body, ErrorBody& out) noexcept {
  Taker in(body);
  if (!in.take(out.code)) return false;
  out.text = in.left();
  return out.code > 0 && out.code < static_cast<std::int32_t>(kErrorCodes) &&
         out.text.size() <= kLongestErrorText && is_utf8(out.text);
}

char* write_credit(char* at, std::uint32_t more) noexcept { return put(at, more); }

bool read_credit(std::string_view body, std::uint32_t& more) noexcept {
  Taker in(body);
  return in.take(more) && in.left().empty() && more != 0;
}

}  // namespace penstock::net::wire
