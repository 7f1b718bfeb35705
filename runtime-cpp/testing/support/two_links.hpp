// Two ends of a link, and the bytes between them.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "penstock/net/link/link.hpp"

namespace penstock::testing::two_links {

using namespace penstock::net;

inline constexpr Nanos kMs = 1'000'000;
inline constexpr Nanos kSecond = 1'000 * kMs;

inline wire::Hello hello_of(const std::string& binary, std::vector<wire::OfferedService> services) {
  wire::Hello hello;
  hello.project = "test";
  hello.binary = binary;
  hello.instance = "0123456789abcdef";
  hello.topology = "sha256:0";
  hello.runtime = "0.1.0";
  hello.features =
      wire::kBuffersBeside | wire::kTellsDefinitions | wire::kCallsTogether | wire::kSaysLate;
  hello.largest_body = 8192;
  hello.services = std::move(services);
  return hello;
}

inline Link::Self self_of(wire::Hello hello, std::vector<Wanted> wanted) {
  Link::Self self{std::move(hello), {}, std::move(wanted)};
  self.hello_bytes = wire::write_hello(self.hello);
  return self;
}

/// A call of a test, which says how it ended.
struct TestCall final : SentCall {
  explicit TestCall(std::string text) : SentCall(kType), request(std::move(text)) {}
  TestCall(std::string text, std::vector<Buffer> beside)
      : SentCall(kType, true), request(std::move(text)), buffers(std::move(beside)) {}

  std::string request;
  std::vector<Buffer> buffers;  ///< those of the answer, once it has come
  wire::CallEnvelope sent_with;
  std::string end;  ///< `answer: …`, `error 5: …`, `lost`; empty: it has not ended
  int ends = 0;

  static const TestCall& of(const SentCall& call) { return static_cast<const TestCall&>(call); }
  static std::size_t size_of(const SentCall& call) { return of(call).request.size(); }
  static void write_to(const SentCall& call, char* at) {
    of(call).request.copy(at, std::string::npos);
  }
  static wire::CallEnvelope envelope_of(const SentCall& call, Nanos /*now*/) noexcept {
    return of(call).sent_with;
  }
  static void note_end(SentCall& call, const CallEnd& end) noexcept {
    auto& self = static_cast<TestCall&>(call);
    ++self.ends;
    if (end.buffers != nullptr) self.buffers = std::move(*end.buffers);
    self.end =
        end.kind == CallEnd::Kind::lost ? "lost"
        : end.kind == CallEnd::Kind::answer
            ? "answer: " + std::string(end.bytes)
            : "error " + std::to_string(static_cast<int>(end.code)) + ": " + std::string(end.bytes);
  }
  static void part(const SentCall& call, PartedMessage& to) {
    to.bytes = of(call).request;
    for (const Buffer& buffer : of(call).buffers) to.buffers.push_back(&buffer);
  }
  static constexpr SentCallType kType{&size_of, &write_to, &envelope_of, &note_end, &part};
};

/// Calls of a test that go together, each of which says how it ended.
struct TestRow final : SentRow {
  explicit TestRow(std::vector<std::string> texts)
      : SentRow(kType), requests(std::move(texts)), ends(requests.size()), unsent(from(0)) {}

  std::vector<std::string> requests;
  std::vector<std::string> ends;  ///< as of a TestCall, one behind the other
  std::uint64_t unsent;           ///< for the test to note

  /// Those from the place on.
  [[nodiscard]] std::uint64_t from(std::uint32_t place) const {
    const std::uint64_t all =
        requests.size() == wire::kMostTogether ? 0 : std::uint64_t{1} << requests.size();
    return (all - 1) & (~std::uint64_t{0} << place);
  }
  static std::size_t size_of(const SentRow& row, std::uint32_t place) {
    return static_cast<const TestRow&>(row).requests.at(place).size();
  }
  static void write_to(const SentRow& row, std::uint32_t place, char* at, std::size_t bytes) {
    static_cast<const TestRow&>(row).requests.at(place).copy(at, bytes);
  }
  static void note_answers(SentRow& row, std::uint64_t places, LinkUser& /*link*/) noexcept {
    std::vector<std::string>& ends = static_cast<TestRow&>(row).ends;
    for (std::size_t place = 0; place < ends.size(); ++place) {
      if ((places >> place & 1U) != 0) ends[place] += "answer: ";
    }
  }
  static void note_end(SentRow& row, std::uint32_t place, const CallEnd& end,
                       LinkUser& /*link*/) noexcept {
    TestCall call("");
    TestCall::note_end(call, end);
    static_cast<TestRow&>(row).ends.at(place) += call.end;
  }
  static constexpr SentRowType kType{&size_of, &write_to, &note_answers, &note_end};
};

struct TestReceived final : ReceivedCall {
  std::string request;
  std::vector<Buffer> buffers;
  std::uint16_t service = 0;
  std::uint32_t left_us = 0;
  bool cancelled = false;
  bool late = false;
};

/// One end, and what its link told it.
class End final : public LinkUser {
 public:
  /// Calls that came together and are kept by their numbers.
  struct Row {
    CallNumber first;
    std::uint32_t count = 0;
    std::uint64_t left = 0;  ///< that are not answered, one a bit
  };

  End(const Link::Self& self, Nanos now, std::uint32_t window = 4, const Link::Limits& limits = {})
      : window_(window), link(self, *this, limits, now) {}

  void opened(Link& of) override {
    ++openings;
    // `link` is being made when the first bytes come: never before.
    for (std::uint16_t service = 0; service < services; ++service) of.offer(service, window_);
  }
  void has_credit(Link&, std::size_t outlet) override { credited.push_back(outlet); }
  void not_offered(Link&, std::size_t outlet) override { refused.push_back(outlet); }
  [[nodiscard]] bool may_call(std::uint16_t /*service*/) const noexcept override {
    return !refuses;
  }
  ReceivedCall* called(Link& of, const Incoming& call) override {
    if (refuses) {
      of.refuse(call, ErrorCode::permission_denied, "not you");
      return nullptr;
    }
    if (keeps_numbers) {
      of.keep_number();
      numbers.push_back({call.number, call.service});
      return nullptr;
    }
    received.push_back(std::make_unique<TestReceived>());
    received.back()->request = call.message;
    if (call.buffers != nullptr) received.back()->buffers = std::move(*call.buffers);
    received.back()->service = call.service;
    received.back()->left_us = call.envelope.left_us;
    most_received = std::max(most_received, received.size());
    return received.back().get();
  }
  std::uint32_t called_together(Link& of, const IncomingRow& row) override {
    const std::uint32_t kept = std::min(row.count, keeps_together);
    if (kept == 0) return 0;
    rows.push_back({row.first, kept, ~std::uint64_t{0} >> (wire::kMostTogether - kept)});
    of.keep_numbers(kept);
    return kept;
  }
  void cancelled(Link&, ReceivedCall& call) noexcept override {
    static_cast<TestReceived&>(call).cancelled = true;
    static_cast<TestReceived&>(call).late = call.is_late();
  }
  void drains(Link&) override { ++drainings; }
  void closed(Link&) noexcept override { ++closings; }

  /// Answers the call at `place` with its request again.
  void echo(std::size_t place) {
    const auto call = std::move(received.at(place));
    received.erase(received.begin() + static_cast<std::ptrdiff_t>(place));
    const std::string text = call->request + "!";
    if (call->buffers.empty()) {
      link.answer(*call, text.size(), [&text](char* at) { text.copy(at, std::string::npos); });
      return;
    }
    PartedMessage message{text, {}};
    for (const Buffer& buffer : call->buffers) message.buffers.push_back(&buffer);
    link.answer_parted(*call, message);
  }

  /// Answers, with nothing, those of `places` that it keeps of a row.
  void answer_row(Row& row, std::uint64_t places) {
    places &= row.left;
    row.left &= ~places;
    if (places != 0) link.answer(row.first, {places, 0, {}});
  }
  /// Answers the oldest call that it keeps by its number.
  void answer_number(const std::string& text) {
    const CallNumber number = numbers.at(0);
    numbers.erase(numbers.begin());
    link.answer(number, text.size(), [&text](char* at) { text.copy(at, std::string::npos); });
  }

  int openings = 0;
  int drainings = 0;
  int closings = 0;
  bool refuses = false;
  bool keeps_numbers = false;        ///< of calls, and nothing else
  std::uint32_t keeps_together = 0;  ///< of calls that come together, so many, by their numbers
  std::uint16_t services = 1;
  std::vector<std::size_t> credited;
  std::vector<std::size_t> refused;  ///< outlets
  std::vector<std::unique_ptr<TestReceived>> received;
  std::size_t most_received = 0;
  std::vector<CallNumber> numbers;
  std::vector<Row> rows;

 private:
  std::uint32_t window_;

 public:
  Link link;
};

/// Bytes on their way to one end.
class Way {
 public:
  explicit Way(Link& to) : to_(to) {}
  /// All that `from` has to say has come.
  void bring(Link& from, Nanos now) {
    while (from.has_bytes()) bring(from, from.next_bytes().size(), now);
  }
  /// The next `count` bytes of it, if there are as many.
  void bring(Link& from, std::size_t count, Nanos now) {
    count = std::min(count, from.next_bytes().size());
    came_ += from.outgoing().bytes().substr(0, count);
    from.outgoing().take(count);
    came_.erase(0, to_.receive(came_, now));
  }

 private:
  Link& to_;
  std::string came_;
};

inline const Link::Self kFront = self_of(hello_of("front", {}), {{"Ads/Get", 1, 2}});
inline const Link::Self kAds = self_of(hello_of("ads", {{0, "Ads/Get", 1, 2}}), {});

}  // namespace penstock::testing::two_links
