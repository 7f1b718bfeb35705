#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/base/error.hpp"
#include "penstock/base/thread_rule.hpp"
#include "penstock/base/time.hpp"
#include "penstock/net/link/handover.hpp"
#include "penstock/net/link/outgoing.hpp"
#include "penstock/net/link/pieces.hpp"
#include "penstock/net/link/received_calls.hpp"
#include "penstock/net/link/sent_calls.hpp"
#include "penstock/net/link/sent_rows.hpp"
#include "penstock/net/wire/definitions.hpp"
#include "penstock/net/wire/frame.hpp"
#include "penstock/net/wire/hello.hpp"
#include "penstock/net/wire/together.hpp"

namespace penstock::net {

class Link;

/// A call that has come in.
struct Incoming {
  std::uint64_t number = 0;   ///< for Link::refuse(), and as a CallNumber
  std::uint16_t service = 0;  ///< its place in the own hello's services
  const wire::CallEnvelope& envelope;
  const std::string_view& message;  ///< as long as the function is called
  /// The large buffers of the message, likewise, to be taken; null: it has none.
  std::vector<Buffer>* buffers = nullptr;
};

/// Calls of one service that have come in together: they carry nothing but their requests.
struct IncomingRow {
  CallNumber first;         ///< the others have the numbers behind it
  std::uint32_t count = 0;  ///< one at least
  wire::Messages requests;  ///< as many, as long as the function is called
};

/// What a link tells whoever it belongs to, within receive(), look() and close(). It may call back,
/// all but those three.
class LinkUser {
 public:
  LinkUser() = default;
  LinkUser(const LinkUser&) = delete;
  LinkUser& operator=(const LinkUser&) = delete;

  /// The peer has said who it is: outlet() tells what it offers. May close() the link.
  virtual void opened(Link& link) = 0;
  /// An outlet that had no credit has some.
  virtual void has_credit(Link& link, std::size_t outlet) = 0;
  /// An outlet that may have been offered when opened() was called is not.
  virtual void not_offered(Link& /*link*/, std::size_t /*outlet*/) {}
  /// Asked before memory is taken for the buffers of a call: false where called() refuses it.
  [[nodiscard]] virtual bool may_call(std::uint16_t /*service*/) const noexcept { return true; }
  /// Keeps the call until answer() or fail(). Null: refuse() or keep_number() has been called.
  virtual ReceivedCall* called(Link& link, const Incoming& call) = 0;
  /// How many of them, from the first on, are kept by their numbers; the others are called() then,
  /// one by one.
  [[nodiscard]] virtual std::uint32_t called_together(Link& /*link*/, const IncomingRow& /*row*/) {
    return 0;
  }
  /// Nobody waits for the answer any more. It is to be answered nevertheless.
  virtual void cancelled(Link& link, ReceivedCall& call) noexcept = 0;
  /// The peer takes no new calls.
  virtual void drains(Link& link) = 0;
  /// Once, at the end, before the calls end. Those received are no longer the link's, and not to be
  /// answered; each of them has been cancelled().
  virtual void closed(Link& link) noexcept = 0;

 protected:
  ~LinkUser() = default;
};

/// A service that this end calls.
struct Wanted {
  std::string name;  ///< `Bundle/Service`
  std::uint64_t request_schema = 0;
  std::uint64_t answer_schema = 0;
  wire::Definitions definitions = {};  ///< none: of other schemas nothing is understood
  bool answer_is_kept = false;         ///< it has what replaces what the caller has
};

/// What is known of a wanted service at the other end.
struct Outlet {
  bool offered = false;  ///< so far: while its definitions are asked for it has no credits
  std::string why;       ///< it is not
  std::uint16_t number = 0;
  std::uint32_t credits = 0;  ///< calls that the other end takes
};

/// One connection to another binary, without its socket and without a clock: it is given bytes and
/// the time, and gives bytes and the time at which it wants to be asked again. One thread. What
/// throws (std::bad_alloc) has changed nothing but what it says.
class Link {
 public:
  struct Limits {
    Nanos greet = 2'000'000'000;    ///< for the peer's hello
    Nanos silence = 1'000'000'000;  ///< then a ping, and one where calls go
    Nanos lost = 3'000'000'000;     ///< of silence, where no call is under way
    /// What was sent to another host and not acknowledged for so long: it was lost. Over TCP a
    /// host acknowledges while its process computes, as long as it has room; over UDP the process
    /// does so itself, between two handlers.
    Nanos host_lost = 20'000'000'000;
    /// Of the buffers of one message that goes out, and of those in pieces of all calls that came
    /// in and are not answered: at most as many as the wire allows for one.
    std::uint64_t buffer_bytes = wire::kMostBufferBytes;
  };
  enum class State : std::uint8_t { greeting, open, closed };
  enum class Sent : std::uint8_t {
    yes,
    not_now,    ///< no credit, no hello yet, drained or closed
    too_large,  ///< for the peer, for ever
    not_offered,
  };

  /// What both ends of all links of a binary say: its services are numbered by their places. Lives
  /// longer than its links.
  struct Self {
    wire::Hello hello;
    std::string hello_bytes;  ///< write_hello() of it
    std::vector<Wanted> wanted;
    /// Of the hello's services, by their places; of those behind its end there are none.
    std::vector<wire::Definitions> definitions = {};
  };

  /// Its hello is to be sent at once.
  Link(const Self& self, LinkUser& user, const Limits& limits, Nanos now);
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  ~Link();

  // --- the transport ---

  /// Takes what has come in, and returns how much of it that was: the rest comes again, with more
  /// behind it.
  [[nodiscard]] std::size_t receive(std::string_view bytes, Nanos now);
  /// Bytes from which on receive() can go on.
  [[nodiscard]] std::size_t needs() const noexcept { return needs_; }
  /// What was written so far; of what goes in pieces, nothing that next_bytes() has not put there.
  [[nodiscard]] Outgoing& outgoing() noexcept { return outgoing_; }
  /// The bytes of outgoing(), after the next pieces, and credit that is owed, were put there.
  /// Throws std::bad_alloc.
  [[nodiscard]] std::string_view next_bytes();
  [[nodiscard]] bool sends_pieces() const noexcept { return !pieces_out_.empty(); }
  [[nodiscard]] bool has_bytes() const noexcept {
    return !pieces_out_.empty() || !outgoing_.bytes().empty() || !owed_.empty();
  }
  /// From now on buffers change hands through it. It outlives the link.
  void hand_over_through(Handover& handover) noexcept { handover_ = &handover; }
  /// When to call look(); 0: never.
  [[nodiscard]] Nanos next_look() const noexcept;
  void look(Nanos now);
  /// The connection is gone, or to be closed. Calls that were sent end as lost. On its thread, or
  /// once that has ended.
  void close(std::string why) noexcept;

  // --- whoever it belongs to ---

  [[nodiscard]] State state() const noexcept { return state_; }
  /// Of a closed one.
  [[nodiscard]] const std::string& why() const noexcept { return why_; }
  /// The peer broke the rules of the wire.
  [[nodiscard]] bool was_malformed() const noexcept { return malformed_; }
  /// Of an open one.
  [[nodiscard]] const wire::Hello& peer() const noexcept { return peer_; }
  [[nodiscard]] const Outlet& outlet(std::size_t wanted) const noexcept { return outlets_[wanted]; }

  /// Sends it off, if the other end takes it now. Then it ends once, by its type's function. `now`
  /// counts for one with a deadline only.
  [[nodiscard]] Sent send(SentCall& call, std::size_t wanted, Nanos now);
  /// Those of a row: takes out of `places`, one a bit, what was sent, from the lowest on.
  /// `too_large`: the lowest that is left is. Throws std::bad_alloc, with what was sent by then
  /// taken out.
  [[nodiscard]] Sent send(SentRow& row, std::uint64_t& places, std::size_t wanted);
  /// Of a call that was sent and has not ended: it does not end any more. `late`: whoever waited
  /// for it does not do so for longer.
  void cancel(SentCall& call, bool late = false);

  /// The peer may call the service up to `window` times at once; 0: not at all. Once, in opened().
  void offer(std::uint16_t service, std::uint32_t window);
  /// In called(): the call is kept by its number alone.
  void keep_number() noexcept { ++numbered_; }
  /// In called_together(): as many.
  void keep_numbers(std::uint32_t count) noexcept { numbered_ += count; }
  /// The end of a call that came in, a ReceivedCall or a CallNumber. `write` fills as many bytes.
  template <class Call, class Write>
  void answer(Call& call, std::size_t bytes, Write write) {
    if (bytes > peer_.largest_body) {
      fail(call, ErrorCode::resource_exhausted, too_large(bytes));
      return;
    }
    if (char* const body =
            begin_end(call, wire::FrameKind::answer, static_cast<std::uint32_t>(bytes)))
      write(body);
  }
  /// The end of calls that came together, from `first` on, one a bit; together they are no larger
  /// than largest_answers().
  void answer(const CallNumber& first, const wire::AnswersBody& answers);
  /// Bytes of their messages.
  [[nodiscard]] std::size_t largest_answers() const noexcept {
    return peer_.largest_body - wire::kAnswersHead;
  }
  /// Likewise, with buffers beside it, where parts_messages().
  void answer_parted(ReceivedCall& call, const PartedMessage& message);
  /// Of an open one: both ends take messages with buffers beside them.
  [[nodiscard]] bool parts_messages() const noexcept {
    return (self_.hello.features & peer_.features & wire::kBuffersBeside) != 0;
  }
  void fail(ReceivedCall& call, ErrorCode code, std::string_view text);
  void fail(const CallNumber& call, ErrorCode code, std::string_view text);
  /// In called(): without running it.
  void refuse(const Incoming& call, ErrorCode code, std::string_view text);

  /// The peer is to send no more calls. One whose hello is not there yet is closed: it has none.
  void drain();
  /// No call is under way, either way.
  [[nodiscard]] bool is_quiet() const noexcept {
    return sent_calls() + received_.size() + numbered_ == 0 && pieces_out_.empty() && !pieces_in_;
  }
  [[nodiscard]] std::size_t sent_calls() const noexcept { return sent_.size() + rows_.calls(); }
  /// The other end has been given credit for calls.
  [[nodiscard]] bool may_be_called() const noexcept {
    return state_ == State::open && !inlets_.empty();
  }
  [[nodiscard]] bool peer_drains() const noexcept { return peer_drains_; }
  /// Of the last ping; 0: none yet.
  [[nodiscard]] Nanos round_trip() const noexcept { return round_trip_; }

 private:
  struct Inlet {
    std::uint32_t window = 0;
    std::uint32_t open = 0;     // calls that the peer may still send
    std::uint32_t to_give = 0;  // ended, and not given again yet
    Unheard unheard;            // of `open`
    bool is_told = false;       // what its definitions are
    bool is_owed = false;       // `to_give` goes with what leaves next
  };

  /// An outlet whose definitions are asked for.
  struct Compared {
    std::size_t wanted = 0;
    std::uint32_t credits = 0;  // that were given meanwhile
  };
  [[nodiscard]] Compared* compared(std::size_t wanted) noexcept;

  [[nodiscard]] std::size_t greet(std::string_view bytes, Nanos now);
  void ping(Nanos now);
  void settle_outlets();
  void settle(std::size_t wanted, const wire::OfferedService& offered);
  void take_definitions(const wire::FrameRead& frame);
  void tell_definitions(std::uint16_t service);
  void take(const wire::FrameRead& frame, Nanos now);
  void take_call(const wire::FrameRead& frame, Nanos now);
  void take_calls(const wire::FrameRead& frame);
  void call_one_by_one(const IncomingRow& row);
  void keep(ReceivedCall& call, const CallNumber& number) noexcept {
    call.number_ = number.number;
    call.service_ = number.service;
    received_.add(call);
  }
  void take_answers(const wire::FrameRead& frame);
  void end_call(std::uint64_t number, const CallEnd& end) noexcept;
  void end_unfilled(std::uint64_t number, std::uint64_t calls) noexcept;
  [[nodiscard]] bool sends_together() const noexcept {
    return (self_.hello.features & peer_.features & wire::kCallsTogether) != 0;
  }
  [[nodiscard]] Sent write_row(const SentRow& row, std::uint64_t number, std::uint64_t& places,
                               Outlet& outlet);
  [[nodiscard]] char* place_in_row(std::uint16_t service, std::uint64_t number, std::size_t bytes);
  void take_answer(const wire::FrameRead& frame);
  void take_error(const wire::FrameRead& frame);
  void take_cancel(const wire::FrameHead& head);
  void take_credit(const wire::FrameRead& frame);
  void take_pong(const wire::FrameHead& head, Nanos now);
  [[nodiscard]] bool fits(std::size_t envelope, const PartedMessage& message) const noexcept;
  [[nodiscard]] Sent send_parted(SentCall& call, Outlet& outlet,
                                 const wire::CallEnvelope& envelope);
  bool write_parted(wire::FrameHead head, const wire::CallEnvelope* envelope,
                    const PartedMessage& message);
  void hand(const Buffer& buffer, bool keep, wire::BufferPart& part);
  [[nodiscard]] bool take_parts(std::string_view& message, PiecesIn& to,
                                std::vector<std::uint64_t>& lengths);
  void take_parted_call(const wire::FrameHead& head, wire::CallBody& body, Nanos now);
  void take_parted_answer(const wire::FrameRead& frame);
  void take_piece(const wire::FrameRead& frame, Nanos now);
  void run(PiecesIn& whole);
  void end(PiecesIn& whole);
  [[nodiscard]] bool comes(std::uint64_t number) const noexcept {
    return pieces_in_ && pieces_in_->is_call && pieces_in_->number == number;
  }
  [[nodiscard]] bool drop_coming(std::uint64_t number);
  void forget(ReceivedCall& call) noexcept {
    held_ -= call.held_;
    received_.remove(call);
  }
  [[nodiscard]] char* begin_frame(const wire::FrameHead& head);
  void pong(std::uint64_t number);
  /// Null: nobody hears it any more.
  [[nodiscard]] char* begin_end(ReceivedCall& call, wire::FrameKind kind, std::uint32_t bytes);
  [[nodiscard]] char* begin_end(const CallNumber& call, wire::FrameKind kind, std::uint32_t bytes);
  void reserve_end(std::uint32_t bytes);
  [[nodiscard]] char* write_end(const CallNumber& call, wire::FrameKind kind, std::uint32_t bytes);
  template <class Call>
  void write_failure(Call& call, ErrorCode code, std::string_view text);
  void write_error(const wire::FrameHead& head, const wire::ErrorBody& error);
  void give_back(std::uint16_t service, std::uint32_t calls = 1);
  void give(std::uint16_t service);
  void sends_fewer(std::uint16_t service, std::uint32_t calls) noexcept;
  void owe(std::uint16_t service) noexcept;
  void give_owed();
  void malformed(std::string why) noexcept;
  [[nodiscard]] static std::string too_large(std::size_t bytes);

  void expect_here() const noexcept { thread_.check("a link is used by one thread"); }

  [[no_unique_address]] OwnThread thread_;
  const Self& self_;
  LinkUser& user_;
  const Limits limits_;
  State state_ = State::greeting;
  bool malformed_ = false;
  bool drains_ = false;
  bool peer_drains_ = false;
  std::string why_;
  wire::Hello peer_;
  std::vector<Outlet> outlets_;           // by place in self_.wanted
  std::vector<Compared> compared_;        // outlets whose definitions were asked for
  std::vector<std::uint32_t> wanted_of_;  // by the peer's number: place + 1
  std::vector<Inlet> inlets_;             // by place in self_.hello.services
  std::vector<std::uint16_t> owed_;       // of them, those that are, with room for all
  SentCalls sent_;
  SentRows rows_;
  // The frame that calls of a row were written to last: where it stands among all bytes.
  struct Together {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t next = 0;   // number
    std::uint32_t count = 0;  // calls
  };
  Together together_;
  ReceivedCalls received_;
  std::size_t numbered_ = 0;  // calls that came in and are kept by their numbers
  Outgoing outgoing_;
  Unheard pongs_;
  Handover* handover_ = nullptr;
  PiecesOut pieces_out_;
  std::uint64_t last_piece_ = 0;  // where the last one ends among all bytes
  std::unique_ptr<PiecesIn> pieces_in_;
  std::uint64_t held_ = 0;  // bytes of buffers that came in pieces with calls that are not answered
  std::size_t needs_ = 1;
  Nanos heard_;       // when something came last
  Nanos pinged_ = 0;  // last, since then as there was silence; 0: not
  Nanos asked_ = 0;   // last ping of all
  Nanos round_trip_ = 0;
};

}  // namespace penstock::net
