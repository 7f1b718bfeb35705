#include "penstock/net/link/link.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include "penstock/base/limits.hpp"

namespace penstock::net {

using wire::FrameHead;
using wire::FrameKind;
using wire::FrameRead;
using wire::HelloRead;

namespace {

constexpr std::uint32_t kMostCredits = limits::kLongestQueue;
/// Who asks on and does not read what it asked for is given up: 1 MiB of it.
constexpr std::uint32_t kMostPongs = (std::uint32_t{1} << 20U) / wire::kHeadBytes;

}  // namespace

Link::Link(const Self& self, LinkUser& user, const Limits& limits, Nanos now)
    : self_(self),
      user_(user),
      limits_(limits),
      outlets_(self.wanted.size()),
      inlets_(self.hello.services.size()),
      heard_(now) {
  owed_.reserve(inlets_.size());
  for (std::size_t at = 0; at < inlets_.size(); ++at) assert(self.hello.services[at].number == at);
  thread_.note();
  self.hello_bytes.copy(outgoing_.append(self.hello_bytes.size()), self.hello_bytes.size());
}

Link::~Link() { close("it was taken down"); }

// --- what comes in ---

std::size_t Link::receive(std::string_view bytes, Nanos now) {
  expect_here();
  std::size_t taken = 0;
  if (state_ == State::greeting) taken = greet(bytes, now);
  if (!bytes.empty() && state_ == State::open) {
    heard_ = now;
    pinged_ = 0;
  }
  while (state_ == State::open) {
    const FrameRead frame = wire::read_frame(bytes.substr(taken), self_.hello.largest_body);
    if (frame.found == FrameRead::Found::malformed) malformed(std::string(frame.why));
    needs_ = frame.bytes;
    if (frame.found != FrameRead::Found::frame) break;
    taken += frame.bytes;
    take(frame, now);
  }
  return state_ == State::closed ? bytes.size() : taken;
}

std::size_t Link::greet(std::string_view bytes, Nanos now) {
  HelloRead read = wire::read_hello(bytes);
  needs_ = read.bytes;
  switch (read.found) {
    case HelloRead::Found::part:
      return 0;
    case HelloRead::Found::malformed:
      malformed("its hello is malformed: " + read.why);
      return 0;
    case HelloRead::Found::other_version:
      close(std::move(read.why));
      return 0;
    case HelloRead::Found::hello:
      break;
  }
  peer_ = std::move(read.hello);
  settle_outlets();
  state_ = State::open;
  needs_ = wire::kHeadBytes;
  ping(now);
  user_.opened(*this);
  return read.bytes;
}

// What the peer offers of what is wanted of it.
void Link::settle_outlets() {
  std::map<std::string_view, const wire::OfferedService*> offered;
  std::uint32_t numbers = 0;
  for (const wire::OfferedService& service : peer_.services) {
    offered.emplace(service.name, &service);
    numbers = std::max(numbers, service.number + 1);
  }
  wanted_of_.assign(numbers, 0);
  for (std::size_t at = 0; at < outlets_.size(); ++at) {
    const auto found = offered.find(self_.wanted[at].name);
    if (found == offered.end()) {
      outlets_[at].why = "it has no service " + self_.wanted[at].name;
    } else {
      settle(at, *found->second);
    }
  }
}

void Link::take(const FrameRead& frame, Nanos now) {
  switch (frame.head.kind) {
    case FrameKind::call:
      take_call(frame, now);
      break;
    case FrameKind::calls:
      take_calls(frame);
      break;
    case FrameKind::answer:
      take_answer(frame);
      break;
    case FrameKind::answers:
      take_answers(frame);
      break;
    case FrameKind::error:
      take_error(frame);
      break;
    case FrameKind::cancel:
      take_cancel(frame.head);
      break;
    case FrameKind::credit:
      take_credit(frame);
      break;
    case FrameKind::ping:
      pong(frame.head.call);
      break;
    case FrameKind::pong:
      take_pong(frame.head, now);
      break;
    case FrameKind::drain:
      peer_drains_ = true;
      user_.drains(*this);
      break;
    case FrameKind::piece:
      take_piece(frame, now);
      break;
    case FrameKind::definitions:
      take_definitions(frame);
      break;
  }
}

void Link::take_call(const FrameRead& frame, Nanos now) {
  wire::CallBody body;
  if (frame.head.service >= inlets_.size()) return malformed("it calls a service that is not here");
  Inlet& inlet = inlets_[frame.head.service];
  // Nor with credit that has not left: what it is answered, and does not read, would have no end.
  if (inlet.open <= inlet.unheard.in(outgoing_))
    return malformed("it sends more calls than it was given credit for");
  if (received_.find(frame.head.call) != nullptr || comes(frame.head.call))
    return malformed("it gives two calls the same number");
  if (!wire::read_call(frame.head, frame.body, body)) return malformed("a call is broken");
  sends_fewer(frame.head.service, 1);
  if ((frame.head.flags & wire::kBuffers) != 0) return take_parted_call(frame.head, body, now);
  received_.reserve_one();  // who serves it is not to have one that nobody knows of
  ReceivedCall* const call =
      user_.called(*this, {frame.head.call, frame.head.service, body.envelope, body.message});
  if (call != nullptr) keep(*call, {frame.head.call, frame.head.service});
}

void Link::take_answer(const FrameRead& frame) {
  if ((frame.head.flags & wire::kBuffers) != 0) return take_parted_answer(frame);
  end_call(frame.head.call, {CallEnd::Kind::answer, ErrorCode::ok, frame.body});
}

void Link::take_error(const FrameRead& frame) {
  wire::ErrorBody error;
  if (!wire::read_error(frame.body, error)) return malformed("an error is broken");
  end_call(frame.head.call, {CallEnd::Kind::error, static_cast<ErrorCode>(error.code), error.text});
}

// Nobody's: it was cancelled, or has ended.
void Link::end_call(std::uint64_t number, const CallEnd& end) noexcept {
  if (!SentRows::has_number(number)) {
    if (SentCall* const call = sent_.take(number)) call->type.ended(*call, end);
    return;
  }
  std::uint64_t place = 1;
  if (SentRow* const row = rows_.take(number, place))
    row->type.ended(*row, SentRows::place_of(number), end, user_);
}

void Link::take_cancel(const FrameHead& head) {
  if (drop_coming(head.call)) return;
  // None: it has been answered meanwhile.
  ReceivedCall* const call = received_.find(head.call);
  if (call == nullptr) return;
  call->late_ = (head.flags & wire::kLate) != 0;
  user_.cancelled(*this, *call);
}

void Link::take_credit(const FrameRead& frame) {
  std::uint32_t more = 0;
  if (!wire::read_credit(frame.body, more)) return malformed("a credit is broken");
  const std::uint16_t number = frame.head.service;
  // Of a service that nobody here wants: a binary gives credit for all that it offers.
  if (number >= wanted_of_.size() || wanted_of_[number] == 0) return;
  const std::size_t wanted = wanted_of_[number] - 1;
  Compared* const asked = compared(wanted);
  std::uint32_t& credits = asked != nullptr ? asked->credits : outlets_[wanted].credits;
  // No service has as long a queue. What it does not read would have no end otherwise.
  if (more > kMostCredits || credits > kMostCredits - more)
    return malformed("it gives credit beyond all bounds");
  const bool had_none = credits == 0;
  credits += more;
  if (had_none && asked == nullptr && !peer_drains_) user_.has_credit(*this, wanted);
}

void Link::take_pong(const FrameHead& head, Nanos now) {
  // The number says when it was asked, on our clock.
  const auto asked = static_cast<Nanos>(head.call);
  if (asked > 0 && asked <= now) round_trip_ = std::max<Nanos>(now - asked, 1);
}

// --- time ---

Nanos Link::next_look() const noexcept {
  if (state_ == State::closed) return 0;
  if (state_ == State::greeting) return heard_ + limits_.greet;
  if (pinged_ == 0) return std::min(heard_, asked_) + limits_.silence;
  // From the ping on, as it may have left late. While a call is under way the peer may be
  // computing: it is asked again, and not given up.
  return pinged_ + (is_quiet() ? limits_.lost - limits_.silence : limits_.silence);
}

void Link::look(Nanos now) {
  expect_here();
  if (state_ == State::closed || now < next_look()) return;
  if (state_ == State::greeting) return close("it did not say hello in time");
  if (pinged_ != 0 && is_quiet()) return close("nothing was heard of it");
  if (now >= heard_ + limits_.silence) pinged_ = now;
  ping(now);
}

// Also where it is heard of all the time: how far it is away.
void Link::ping(Nanos now) {
  asked_ = now;
  static_cast<void>(begin_frame({0, FrameKind::ping, 0, 0, static_cast<std::uint64_t>(now)}));
}

void Link::pong(std::uint64_t number) {
  if (pongs_.in(outgoing_) >= kMostPongs) return malformed("it does not read what it asks for");
  static_cast<void>(begin_frame({0, FrameKind::pong, 0, 0, number}));
  pongs_.add(outgoing_, 1);
}

void Link::close(std::string why) noexcept {
  if (state_ == State::closed) return;
  state_ = State::closed;
  why_ = std::move(why);
  outgoing_.clear();
  pieces_out_.clear();
  pieces_in_.reset();
  numbered_ = 0;
  while (ReceivedCall* const call = received_.take_any()) user_.cancelled(*this, *call);
  user_.closed(*this);
  while (SentCall* const call = sent_.take_any()) call->type.ended(*call, {});
  std::uint64_t places = 0;
  while (SentRow* const row = rows_.take_any(places)) {
    for (; places != 0; places &= places - 1)
      row->type.ended(*row, wire::first_of(places), {}, user_);
  }
}

void Link::malformed(std::string why) noexcept {
  malformed_ = true;
  close(std::move(why));
}

// --- what goes out ---

char* Link::begin_frame(const FrameHead& head) {
  expect_here();
  return wire::write_head(outgoing_.append(wire::kHeadBytes + head.body), head);
}

Link::Sent Link::send(SentCall& call, std::size_t wanted, Nanos now) {
  expect_here();
  Outlet& outlet = outlets_[wanted];
  if (state_ != State::open) return Sent::not_now;
  if (!outlet.offered) return Sent::not_offered;
  if (outlet.credits == 0 || peer_drains_) return Sent::not_now;
  const wire::CallEnvelope envelope = call.type.envelope(call, now);
  if (call.has_buffers && parts_messages()) return send_parted(call, outlet, envelope);
  const std::size_t bytes = envelope.size() + call.type.size(call);
  if (bytes > peer_.largest_body) return Sent::too_large;
  const std::uint64_t number = sent_.add(call);
  try {
    char* const at = begin_frame({static_cast<std::uint32_t>(bytes), FrameKind::call,
                                  envelope.flags(), outlet.number, number});
    call.type.write(call, envelope.write(at));
  } catch (...) {
    sent_.take(number);
    throw;
  }
  --outlet.credits;
  return Sent::yes;
}

void Link::cancel(SentCall& call, bool late) {
  expect_here();
  const std::uint64_t number = SentCalls::number_of(call);
  if (sent_.take(number) == nullptr || state_ != State::open) return;
  // Behind others whose buffers go in pieces: the other end does not hear of it.
  if (std::uint16_t service = 0; pieces_out_.forget_call(number, service)) {
    ++outlets_[wanted_of_[service] - 1].credits;
    return;
  }
  const bool is_told = (self_.hello.features & peer_.features & wire::kSaysLate) != 0;
  const std::uint8_t flags = late && is_told ? wire::kLate : 0;
  static_cast<void>(begin_frame({0, FrameKind::cancel, flags, 0, number}));
}

void Link::offer(std::uint16_t service, std::uint32_t window) {
  Inlet& inlet = inlets_[service];
  assert(inlet.window == 0);
  if (window == 0) return;
  inlet.window = inlet.open = window;
  wire::write_credit(begin_frame({wire::kCreditBytes, FrameKind::credit, 0, service, 0}), window);
}

// Calls have ended, so that the peer may send others: told in halves of what it may, and, where it
// may send none, with what leaves next, as those that are under way may be so for ever.
void Link::give_back(std::uint16_t service, std::uint32_t calls) {
  Inlet& inlet = inlets_[service];
  inlet.to_give += calls;
  if (inlet.to_give * 2 >= inlet.window) return give(service);
  if (inlet.open == 0) owe(service);
}

void Link::sends_fewer(std::uint16_t service, std::uint32_t calls) noexcept {
  Inlet& inlet = inlets_[service];
  inlet.open -= calls;
  if (inlet.open == 0 && inlet.to_give != 0) owe(service);
}

void Link::owe(std::uint16_t service) noexcept {
  if (!std::exchange(inlets_[service].is_owed, true)) owed_.push_back(service);
}

void Link::give_owed() {
  for (; !owed_.empty(); owed_.pop_back()) {
    Inlet& inlet = inlets_[owed_.back()];
    if (inlet.open == 0 && inlet.to_give != 0) give(owed_.back());
    inlet.is_owed = false;
  }
}

void Link::give(std::uint16_t service) {
  Inlet& inlet = inlets_[service];
  wire::write_credit(begin_frame({wire::kCreditBytes, FrameKind::credit, 0, service, 0}),
                     inlet.to_give);
  inlet.unheard.add(outgoing_, inlet.to_give);
  inlet.open += std::exchange(inlet.to_give, 0);
}

// Or the call would be gone, and its caller would wait for ever.
void Link::reserve_end(std::uint32_t bytes) {
  outgoing_.reserve(wire::kHeadBytes + wire::kCreditBytes + wire::kHeadBytes + bytes);
}

char* Link::write_end(const CallNumber& call, FrameKind kind, std::uint32_t bytes) {
  give_back(call.service);
  return begin_frame({bytes, kind, 0, call.service, call.number});
}

char* Link::begin_end(ReceivedCall& call, FrameKind kind, std::uint32_t bytes) {
  if (state_ != State::open) return nullptr;
  reserve_end(bytes);
  const CallNumber number{call.number_, call.service_};
  forget(call);
  return write_end(number, kind, bytes);
}

char* Link::begin_end(const CallNumber& call, FrameKind kind, std::uint32_t bytes) {
  if (state_ != State::open) return nullptr;
  reserve_end(bytes);
  --numbered_;
  return write_end(call, kind, bytes);
}

template <class Call>
void Link::write_failure(Call& call, ErrorCode code, std::string_view text) {
  const wire::ErrorBody error{static_cast<std::int32_t>(code), text};
  if (char* const body =
          begin_end(call, FrameKind::error, static_cast<std::uint32_t>(wire::size(error))))
    wire::write(body, error);
}

void Link::fail(ReceivedCall& call, ErrorCode code, std::string_view text) {
  write_failure(call, code, text);
}

void Link::fail(const CallNumber& call, ErrorCode code, std::string_view text) {
  write_failure(call, code, text);
}

void Link::refuse(const Incoming& call, ErrorCode code, std::string_view text) {
  give_back(call.service);
  write_error({0, FrameKind::error, 0, call.service, call.number},
              {static_cast<std::int32_t>(code), text});
}

void Link::write_error(const FrameHead& head, const wire::ErrorBody& error) {
  FrameHead sized = head;
  sized.body = static_cast<std::uint32_t>(wire::size(error));
  wire::write(begin_frame(sized), error);
}

void Link::drain() {
  if (state_ == State::greeting) return close("this end drains");
  if (state_ == State::closed || std::exchange(drains_, true)) return;
  static_cast<void>(begin_frame({0, FrameKind::drain, 0, 0, 0}));
}

std::string Link::too_large(std::size_t bytes) {
  return "the answer of " + std::to_string(bytes) + " bytes is larger than its caller takes";
}

}  // namespace penstock::net
