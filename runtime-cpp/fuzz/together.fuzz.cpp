// The other end of a link says what it likes about calls that go together, and answers what it
// likes of those that it is sent: each of them ends once at most, no more come than there is credit
// for, and a link that is closed has ended them all.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "penstock/net/link/link.hpp"

namespace {

using namespace penstock;
using namespace penstock::net;
using wire::FrameHead;
using wire::FrameKind;

constexpr std::uint32_t kWindow = 100;

void require(bool holds) {
  if (!holds) std::abort();
}

wire::Hello hello_of(const char* binary) {
  wire::Hello hello;
  hello.project = "test";
  hello.binary = binary;
  hello.instance = "0123456789abcdef";
  hello.topology = "sha256:0";
  hello.runtime = "0.1.0";
  hello.features = wire::kBuffersBeside | wire::kCallsTogether;
  hello.largest_body = 8192;
  hello.services = {{0, "Ads/Get", 1, 2}};
  return hello;
}
Link::Self self_of(const char* binary) {
  Link::Self self;
  self.hello = hello_of(binary);
  self.hello_bytes = wire::write_hello(self.hello);
  self.wanted = {{"Ads/Get", 1, 2, {}, false}};
  return self;
}

/// What is sent, and how often each of it has ended.
struct Row final : SentRow {
  Row() : SentRow(kType) {}
  std::array<int, wire::kMostTogether> ends{};
  std::uint64_t unsent = ~std::uint64_t{0};

  static std::size_t size(const SentRow& /*row*/, std::uint32_t place) { return place % 7; }
  static void write(const SentRow& /*row*/, std::uint32_t /*place*/, char* at, std::size_t bytes) {
    std::string(bytes, 'x').copy(at, bytes);
  }
  static void answered(SentRow& row, std::uint64_t places, LinkUser& /*link*/) noexcept {
    for (std::uint32_t at = 0; at < wire::kMostTogether; ++at) {
      if ((places >> at & 1U) != 0) ++static_cast<Row&>(row).ends.at(at);
    }
  }
  static void ended(SentRow& row, std::uint32_t place, const CallEnd& /*end*/,
                    LinkUser& /*link*/) noexcept {
    ++static_cast<Row&>(row).ends.at(place);
  }
  static constexpr SentRowType kType{&size, &write, &answered, &ended};
  /// No call ended that was not sent, and none twice; `all`: each that was.
  void check(bool all) const {
    for (std::uint32_t at = 0; at < wire::kMostTogether; ++at) {
      const int most = (unsent >> at & 1U) == 0 ? 1 : 0;
      require(all ? ends.at(at) == most : ends.at(at) <= most);
    }
  }
};

class Run final : public LinkUser {
 public:
  Run() {
    came_ = self_of("front").hello_bytes;
    say({0, FrameKind::credit, 0, 0, 0}, std::string("\x40\0\0\0", 4));
  }

  /// Steps of four bytes.
  void step(const std::uint8_t* what) {
    const std::uint64_t number =
        what[1] % 8U == 7 ? ~std::uint64_t{0} - what[2] : (what[1] % 2U == 0 ? last_ : 0) + what[2];
    const auto bits = (std::uint64_t{what[3]} << (what[1] % 56U)) | (what[1] % 16U);
    std::string body(wire::kAnswersHead, '\0');
    switch (what[0] % 8) {
      case 0:
        return send();
      case 1:
        wire::write_answers(body.data(), bits, 0);
        return say({0, FrameKind::answers, 0, 0, number}, body);
      case 2:
        wire::write_answers(body.data(), bits, bits & -bits);
        return say({0, FrameKind::answers, 0, 0, number}, body + std::string("\x01\0x", 3));
      case 3:
        return say({0, FrameKind::answer, 0, 0, number}, "x");
      case 4:
        return say({0, FrameKind::error, 0, 0, number}, std::string("\x05\0\0\0no", 6));
      case 5:
        return say({0, FrameKind::calls, 0, 0, number}, std::string(what[3] % 150U, '\0'));
      case 6:
        return answer(what[1], bits);
      default:
        return say({0, FrameKind::credit, 0, 0, 0}, std::string("\x10\0\0\0", 4));
    }
  }
  [[nodiscard]] bool is_open() const { return link_.state() != Link::State::closed; }
  void finish() {
    for (const auto& row : rows_) row->check(false);
    link_.close("the run is over");
    for (const auto& row : rows_) row->check(true);
    require(link_.is_quiet() || !received_.empty());
  }

  void opened(Link& link) override { link.offer(0, kWindow); }
  void has_credit(Link& /*link*/, std::size_t /*outlet*/) override {}
  std::uint32_t called_together(Link& link, const IncomingRow& row) override {
    const std::uint32_t keeps = row.count / 2;
    if (keeps != 0) kept_.push_back({row.first, ~std::uint64_t{0} >> (64 - keeps)});
    link.keep_numbers(keeps);
    under_way_ += keeps;
    require(under_way_ <= kWindow);
    return keeps;
  }
  ReceivedCall* called(Link& /*link*/, const Incoming& /*call*/) override {
    require(++under_way_ <= kWindow);
    return received_.emplace_back(std::make_unique<Received>()).get();
  }
  void cancelled(Link& /*link*/, ReceivedCall& /*call*/) noexcept override {}
  void drains(Link& /*link*/) override {}
  void closed(Link& /*link*/) noexcept override {}

 private:
  struct Received final : ReceivedCall {};
  struct Kept {
    CallNumber first;
    std::uint64_t left = 0;
  };

  void send() {
    if (rows_.empty() || rows_.back()->unsent == 0) rows_.push_back(std::make_unique<Row>());
    static_cast<void>(link_.send(*rows_.back(), rows_.back()->unsent, 0));
    std::string_view bytes = link_.outgoing().bytes();
    for (wire::FrameRead frame; !bytes.empty(); bytes.remove_prefix(frame.bytes)) {
      frame = wire::read_frame(bytes, 8192);
      require(frame.found == wire::FrameRead::Found::frame);
      if (frame.head.kind == FrameKind::calls) last_ = frame.head.call;
    }
    link_.outgoing().clear();
  }
  void answer(std::size_t which, std::uint64_t places) {
    if (!is_open()) return;
    if (!kept_.empty()) {
      Kept& kept = kept_[which % kept_.size()];
      places &= kept.left;
      kept.left &= ~places;
      if (places != 0) link_.answer(kept.first, {places, 0, {}});
      for (; places != 0; places &= places - 1) --under_way_;
    }
    if (!received_.empty()) {
      link_.answer(*received_.back(), 0, [](char*) {});
      received_.pop_back();
      --under_way_;
    }
    link_.outgoing().clear();
  }
  void say(FrameHead head, const std::string& body) {
    head.body = static_cast<std::uint32_t>(body.size());
    const std::size_t at = came_.size();
    came_.resize(at + wire::kHeadBytes);
    wire::write_head(came_.data() + at, head);
    came_ += body;
    came_.erase(0, link_.receive(came_, 1));
    link_.outgoing().clear();
  }

  const Link::Self self_ = self_of("ads");
  std::vector<std::unique_ptr<Row>> rows_;
  std::vector<std::unique_ptr<Received>> received_;
  std::vector<Kept> kept_;
  std::uint32_t under_way_ = 0;
  std::uint64_t last_ = 0;
  Link link_{self_, *this, {}, 0};
  std::string came_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Run run;
  for (std::size_t at = 0; at + 3 < size && run.is_open(); at += 4) run.step(data + at);
  run.finish();
  return 0;
}
