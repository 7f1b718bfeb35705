// Of a link: messages whose large buffers go beside them.
#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "penstock/net/link/link.hpp"

namespace penstock::net {

using wire::BufferPart;
using wire::FrameHead;
using wire::FrameKind;
using wire::FrameRead;

namespace {

/// Other frames go in between such pieces.
constexpr std::size_t kLargestPiece = std::size_t{64} << 10U;

std::string no_memory_for(const char* what, std::uint64_t bytes) {
  return std::string("there is no memory for its ") + what + " of " + std::to_string(bytes) +
         " bytes";
}

}  // namespace

// --- what goes out ---

std::string_view Link::next_bytes() {
  expect_here();
  const std::size_t most = std::min<std::size_t>(kLargestPiece, peer_.largest_body);
  // One at a time also where other frames always wait.
  const auto may_write = [&] {
    return outgoing_.bytes().size() < most || outgoing_.left() >= last_piece_;
  };
  while (!pieces_out_.empty() && may_write()) {
    // Credit would overtake the answer, and answers would heap up where they leave too slowly.
    const auto answered = pieces_out_.write_next(outgoing_, most);
    last_piece_ = outgoing_.end();
    if (answered) give_back(*answered);
  }
  give_owed();
  return outgoing_.bytes();
}

bool Link::fits(std::size_t envelope, const PartedMessage& message) const noexcept {
  std::uint64_t left = limits_.buffer_bytes;
  for (const Buffer* const buffer : message.buffers) {
    if (buffer->size() > left) return false;
    left -= buffer->size();
  }
  const std::size_t count = message.buffers.size();
  const std::size_t parts = count == 0 ? 0 : wire::parts_size(count);
  return count <= wire::kMostBuffers &&
         envelope + parts + message.bytes.size() <= peer_.largest_body;
}

Link::Sent Link::send_parted(SentCall& call, Outlet& outlet, const wire::CallEnvelope& envelope) {
  PartedMessage message;
  call.type.part(call, message);
  if (!fits(envelope.size(), message)) return Sent::too_large;
  const std::uint64_t number = sent_.add(call);
  try {
    write_parted({0, FrameKind::call, envelope.flags(), outlet.number, number}, &envelope, message);
  } catch (...) {
    sent_.take(number);
    throw;
  }
  --outlet.credits;
  return Sent::yes;
}

void Link::answer_parted(ReceivedCall& call, const PartedMessage& message) {
  if (!fits(0, message)) {
    std::size_t bytes = message.bytes.size();
    for (const Buffer* const buffer : message.buffers) bytes += buffer->size();
    return fail(call, ErrorCode::resource_exhausted, too_large(bytes));
  }
  if (state_ != State::open) return;
  const FrameHead head{0, FrameKind::answer, 0, call.service_, call.number_};
  outgoing_.reserve(wire::kHeadBytes + wire::kCreditBytes);
  const bool waits = write_parted(head, nullptr, message);
  forget(call);
  if (!waits) give_back(head.service);
}

// What throws comes first: a buffer that was handed over is told of. True: it leaves in pieces.
bool Link::write_parted(FrameHead head, const wire::CallEnvelope* envelope,
                        const PartedMessage& message) {
  const std::size_t count = message.buffers.size();
  const std::size_t body = (envelope == nullptr ? 0 : envelope->size()) +
                           (count == 0 ? 0 : wire::parts_size(count)) + message.bytes.size();
  head.body = static_cast<std::uint32_t>(body);
  if (count != 0) head.flags |= wire::kBuffers;
  outgoing_.reserve(2 * wire::kHeadBytes + wire::kCreditBytes + body);
  std::vector<BufferPart> parts(count);
  PiecesOut::Message& queued = pieces_out_.add();
  try {
    queued.frame.resize(wire::kHeadBytes + body);
    queued.buffers.reserve(count);
    for (std::size_t at = 0; at < count; ++at) hand(*message.buffers[at], message.keep, parts[at]);
  } catch (...) {
    pieces_out_.drop_last();
    throw;
  }
  for (std::size_t at = 0; at < count; ++at) {
    if (parts[at].kind == BufferPart::Kind::pieces) queued.buffers.push_back(*message.buffers[at]);
  }
  char* to = wire::write_head(queued.frame.data(), head);
  if (envelope != nullptr) to = envelope->write(to);
  if (count != 0) to = wire::write_parts(to, parts);
  message.bytes.copy(to, message.bytes.size());
  queued.is_call = head.kind == FrameKind::call;
  queued.service = head.service;
  queued.number = head.call;
  queued.handed = queued.buffers.size() != count;
  if (!queued.buffers.empty()) return true;
  queued.frame.copy(outgoing_.append(queued.frame.size()), queued.frame.size());
  pieces_out_.drop_last();
  return false;
}

void Link::hand(const Buffer& buffer, bool keep, BufferPart& part) {
  part.length = buffer.size();
  if (handover_ == nullptr || pieces_out_.hands_later()) return;
  try {
    // It leaves the message, which nobody looks at any more.
    static_cast<void>(handover_->hand(const_cast<Buffer&>(buffer), keep, part));
  } catch (const std::bad_alloc&) {
    part = {};  // in pieces
    part.length = buffer.size();
  }
}

// --- what comes in ---

// What stands before the message; false: the link is closed.
bool Link::take_parts(std::string_view& message, PiecesIn& to,
                      std::vector<std::uint64_t>& lengths) {
  std::vector<BufferPart> parts;
  if (!parts_messages() || !wire::read_parts(message, parts)) {
    malformed("its buffers are broken");
    return false;
  }
  to.message = message;
  to.buffers.resize(parts.size());
  for (std::size_t at = 0; at < parts.size(); ++at) {
    if (parts[at].kind == BufferPart::Kind::pieces) {
      to.places.push_back(at);
      lengths.push_back(parts[at].length);
      to.bytes += parts[at].length;
      continue;
    }
    const auto taken = handover_ == nullptr ? Handover::Taken::malformed
                                            : handover_->take(parts[at], to.buffers[at]);
    if (taken == Handover::Taken::malformed) malformed("it hands over a buffer that it has not");
    if (taken == Handover::Taken::no_memory) close("there is no memory for its buffers");
    if (taken != Handover::Taken::yes) return false;
  }
  to.left = to.bytes;
  if (to.bytes != 0 && pieces_in_) {
    malformed("it begins a message before the one before is whole");
    return false;
  }
  return true;
}

void Link::take_parted_call(const FrameHead& head, wire::CallBody& body, Nanos now) {
  auto coming = std::make_unique<PiecesIn>();
  std::vector<std::uint64_t> lengths;
  if (!take_parts(body.message, *coming, lengths)) return;
  coming->is_call = true;
  coming->service = head.service;
  coming->number = head.call;
  coming->envelope = body.envelope;
  coming->since = now;
  if (coming->bytes == 0) return run(*coming);
  if (!user_.may_call(head.service)) {
    coming->drop();
    pieces_in_ = std::move(coming);
    static_cast<void>(user_.called(*this, {head.call, head.service, body.envelope, body.message}));
    return;
  }
  bool has_room = coming->bytes <= limits_.buffer_bytes - std::min(held_, limits_.buffer_bytes);
  try {
    if (has_room) coming->make_room(lengths);
  } catch (const std::bad_alloc&) {
    has_room = false;
  }
  pieces_in_ = std::move(coming);
  if (has_room) return;
  pieces_in_->drop();
  refuse({head.call, head.service, body.envelope, body.message}, ErrorCode::resource_exhausted,
         no_memory_for("buffers", pieces_in_->bytes));
}

void Link::take_parted_answer(const FrameRead& frame) {
  auto coming = std::make_unique<PiecesIn>();
  std::vector<std::uint64_t> lengths;
  std::string_view message = frame.body;
  if (!take_parts(message, *coming, lengths)) return;
  if (SentRows::has_number(frame.head.call))
    return malformed("calls that go together have no buffers");
  coming->number = frame.head.call;
  if (coming->bytes == 0) return end(*coming);
  pieces_in_ = std::move(coming);
  if (!sent_.has(frame.head.call)) return pieces_in_->drop();  // nobody waits for it any more
  try {
    pieces_in_->make_room(lengths);
  } catch (const std::bad_alloc&) {
    pieces_in_->drop();
    const std::string text = no_memory_for("answer", pieces_in_->bytes);
    SentCall* const call = sent_.take(frame.head.call);
    call->type.ended(*call, {CallEnd::Kind::error, ErrorCode::resource_exhausted, text});
  }
}

void Link::take_piece(const FrameRead& frame, Nanos now) {
  if (!pieces_in_ || frame.body.size() > pieces_in_->left)
    return malformed("it sends a loose piece");
  pieces_in_->add(frame.body);
  if (pieces_in_->left != 0) return;
  const std::unique_ptr<PiecesIn> whole = std::move(pieces_in_);
  if (whole->dropped) return;
  whole->adjust_time(now);
  if (whole->is_call) {
    run(*whole);
  } else {
    end(*whole);
  }
}

void Link::run(PiecesIn& whole) {
  const std::string_view message = whole.message;
  received_.reserve_one();
  ReceivedCall* const call =
      user_.called(*this, {whole.number, whole.service, whole.envelope, message, &whole.buffers});
  if (call == nullptr) return;
  call->number_ = whole.number;
  call->service_ = whole.service;
  call->held_ = whole.bytes;
  held_ += whole.bytes;
  received_.add(*call);
}

void Link::end(PiecesIn& whole) {
  if (SentCall* const call = sent_.take(whole.number)) {
    call->type.ended(*call, {CallEnd::Kind::answer, ErrorCode::ok, whole.message, &whole.buffers});
  }
}

// A call that comes in pieces still: it is not run. True: it was that.
bool Link::drop_coming(std::uint64_t number) {
  if (!comes(number) || pieces_in_->dropped) return false;
  pieces_in_->drop();
  give_back(pieces_in_->service);
  return true;
}

}  // namespace penstock::net
