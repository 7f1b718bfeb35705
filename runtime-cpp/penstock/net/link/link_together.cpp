// Of a link: calls, and answers, that go together in one frame.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "penstock/net/link/link.hpp"

namespace penstock::net {

using wire::FrameHead;
using wire::FrameKind;
using wire::FrameRead;

namespace {

/// What stands before the request of a call that goes alone.
constexpr std::size_t kAloneHead = sizeof(std::uint32_t);

}  // namespace

// --- what goes out ---

Link::Sent Link::send(SentRow& row, std::uint64_t& places, std::size_t wanted) {
  expect_here();
  Outlet& outlet = outlets_[wanted];
  if (state_ != State::open) return Sent::not_now;
  if (!outlet.offered) return Sent::not_offered;
  if (outlet.credits == 0 || peer_drains_) return Sent::not_now;
  const std::uint64_t number = rows_.number_for(row);
  const std::uint64_t before = places;
  const std::uint32_t credits = outlet.credits;
  const auto settle = [&] { rows_.add(row, before & ~places, credits - outlet.credits); };
  try {
    const Sent became = write_row(row, number, places, outlet);
    settle();
    return became;
  } catch (...) {
    settle();
    throw;
  }
}

// What is written is no longer among the places.
Link::Sent Link::write_row(const SentRow& row, std::uint64_t number, std::uint64_t& places,
                           Outlet& outlet) {
  for (; places != 0; places &= places - 1) {
    if (outlet.credits == 0) return Sent::not_now;
    const std::uint32_t place = wire::first_of(places);
    const std::size_t bytes = row.type.size(row, place);
    if (kAloneHead + bytes > peer_.largest_body) return Sent::too_large;
    char* const at = place_in_row(outlet.number, number + place, bytes);
    row.type.write(row, place, at, bytes);
    --outlet.credits;
  }
  return Sent::yes;
}

// Where the request of one goes: behind the one before it in its row, as long as their frame is the
// last one and nobody has seen it.
char* Link::place_in_row(std::uint16_t service, std::uint64_t number, std::size_t bytes) {
  if (!sends_together() || bytes > wire::kLargestTogether) {
    const auto body = static_cast<std::uint32_t>(kAloneHead + bytes);
    return wire::CallEnvelope().write(begin_frame({body, FrameKind::call, 0, service, number}));
  }
  const std::size_t more = wire::kTogetherHead + bytes;
  char* at = nullptr;
  if (const std::size_t body = together_.end - together_.begin - wire::kHeadBytes + more;
      together_.next == number && SentRows::place_of(number) != 0 &&
      together_.end == outgoing_.end() && together_.begin >= outgoing_.unseen() &&
      together_.count < wire::kMostTogether && body <= peer_.largest_body) {
    at = outgoing_.append(more);
    wire::put(outgoing_.at(together_.begin), static_cast<std::uint32_t>(body));
  } else {
    together_ = {.begin = outgoing_.end()};
    at = begin_frame({static_cast<std::uint32_t>(more), FrameKind::calls, 0, service, number});
  }
  together_.end = outgoing_.end();
  together_.next = number + 1;
  ++together_.count;
  return wire::begin_message(at, bytes);
}

void Link::answer(const CallNumber& first, const wire::AnswersBody& answers) {
  if (state_ != State::open) return;
  const std::size_t bytes = wire::kAnswersHead + answers.messages.size();
  const auto count = static_cast<std::uint32_t>(std::popcount(answers.answered));
  reserve_end(static_cast<std::uint32_t>(bytes));
  numbered_ -= count;
  give_back(first.service, count);
  char* const at = begin_frame(
      {static_cast<std::uint32_t>(bytes), FrameKind::answers, 0, first.service, first.number});
  wire::put_text(wire::write_answers(at, answers.answered, answers.filled), answers.messages);
}

// --- what comes in ---

void Link::take_calls(const FrameRead& frame) {
  const FrameHead& head = frame.head;
  const std::uint32_t count = sends_together() ? wire::count_calls(frame.body) : 0;
  if (count == 0) return malformed("calls that go together are broken");
  if (head.service >= inlets_.size()) return malformed("it calls a service that is not here");
  Inlet& inlet = inlets_[head.service];
  // As of one that goes alone.
  const std::uint32_t unheard = inlet.unheard.in(outgoing_);
  if (inlet.open < unheard || inlet.open - unheard < count)
    return malformed("it sends more calls than it was given credit for");
  if (received_.size() != 0 || pieces_in_) {
    for (std::uint32_t call = 0; call < count; ++call) {
      if (received_.find(head.call + call) != nullptr || comes(head.call + call))
        return malformed("it gives two calls the same number");
    }
  }
  sends_fewer(head.service, count);
  IncomingRow row{{head.call, head.service}, count, wire::Messages(frame.body)};
  std::uint32_t kept = user_.called_together(*this, row);
  row.first.number += kept;
  row.count -= kept;
  std::string_view request;
  for (; kept > 0; --kept) static_cast<void>(row.requests.next(request));
  call_one_by_one(row);
}

void Link::call_one_by_one(const IncomingRow& row) {
  const wire::CallEnvelope nothing;
  wire::Messages requests = row.requests;
  CallNumber number = row.first;
  for (std::string_view request; requests.next(request); ++number.number) {
    if (state_ != State::open) return;
    received_.reserve_one();
    ReceivedCall* const call =
        user_.called(*this, {number.number, number.service, nothing, request});
    if (call != nullptr) keep(*call, number);
  }
}

void Link::take_answers(const FrameRead& frame) {
  wire::AnswersBody answers;
  if (!sends_together() || !wire::read_answers(frame.body, answers))
    return malformed("answers that come together are broken");
  const std::uint64_t number = frame.head.call;
  end_unfilled(number, answers.answered & ~answers.filled);
  wire::Messages messages(answers.messages);
  std::string_view message;
  for (std::uint64_t left = answers.filled; left != 0; left &= left - 1) {
    static_cast<void>(messages.next(message));
    end_call(number + wire::first_of(left), {CallEnd::Kind::answer, ErrorCode::ok, message});
  }
}

// Calls, one a bit from that number on, are answered with nothing.
void Link::end_unfilled(std::uint64_t number, std::uint64_t calls) noexcept {
  if (!SentRows::has_number(number)) {
    for (; calls != 0; calls &= calls - 1)
      end_call(number + wire::first_of(calls), {CallEnd::Kind::answer, ErrorCode::ok, {}});
    return;
  }
  while (calls != 0) {
    std::uint64_t places = calls;
    if (SentRow* const row = rows_.take(number, places)) row->type.answered(*row, places, user_);
    // What is beyond the row's last place is another one's.
    const std::uint32_t left_here = wire::kMostTogether - SentRows::place_of(number);
    calls = left_here == wire::kMostTogether ? 0 : calls >> left_here;
    number += left_here;
  }
}

}  // namespace penstock::net
