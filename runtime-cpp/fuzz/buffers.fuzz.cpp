// The other end of a link says what it likes about buffers: that it hands some over, gives some
// back, sends pieces and files. Nothing beyond them is touched, what was taken can be read, and a
// link that goes on has told the truth.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "penstock/net/link/link.hpp"
#include "penstock/net/socket/shared_buffers.hpp"

namespace {

using namespace penstock;
using namespace penstock::net;
using wire::BufferPart;
using wire::FrameHead;
using wire::FrameKind;

constexpr std::size_t kSize = 70'000;

Link::Self self_of(const char* binary) {
  Link::Self self;
  self.hello.project = "test";
  self.hello.binary = binary;
  self.hello.instance = "0123456789abcdef";
  self.hello.topology = "sha256:0";
  self.hello.runtime = "0.1.0";
  self.hello.features = wire::kBuffersBeside;
  self.hello.largest_body = 8192;
  self.hello.services = {{0, "Ads/Get", 1, 2}};
  self.hello_bytes = wire::write_hello(self.hello);
  return self;
}

struct Files final : FileWay {
  [[nodiscard]] bool send_file(const Descriptor& /*file*/) noexcept override { return true; }
  [[nodiscard]] Descriptor take_file() noexcept override {
    if (came.empty()) return {};
    Descriptor file = std::move(came.front());
    came.pop_front();
    return file;
  }
  std::deque<Descriptor> came;
};

struct Received final : ReceivedCall {
  std::vector<Buffer> buffers;
};

class Run final : public LinkUser {
 public:
  Run() {
    link_.hand_over_through(buffers_);
    static const std::string hello = self_of("front").hello_bytes;
    came_ = hello;
  }

  /// Steps of four bytes.
  void step(const std::uint8_t* what) {
    const unsigned number = what[1];
    switch (what[0] % 8) {
      case 0:
      case 1:
        return call(number, {static_cast<BufferPart::Kind>(what[2] % 5), what[2] / 5U % 4,
                             what[3] % 4U, what[3] / 4U * 2'000U});
      case 2:
        return say({0, FrameKind::piece, 0, 0, 0}, std::string(what[2] * 8U + 1U, 'p'));
      case 3:
        return say({0, FrameKind::cancel, 0, 0, number}, {});
      case 4:
        return send_file(what[2] % 4U, what[3]);
      case 5:
        return lend();
      case 6:
        return answer(what[2] % 2 == 0);
      default:
        return say({0, FrameKind::answer, wire::kBuffers, 0, number}, std::string(what[2], 'a'));
    }
  }
  [[nodiscard]] bool is_open() const { return link_.state() != Link::State::closed; }

  void opened(Link& link) override { link.offer(0, 8); }
  void has_credit(Link& /*link*/, std::size_t /*outlet*/) override {}
  ReceivedCall* called(Link& /*link*/, const Incoming& call) override {
    auto& received = *received_.emplace_back(std::make_unique<Received>());
    if (call.buffers != nullptr) received.buffers = std::move(*call.buffers);
    unsigned sum = 0;
    for (const Buffer& buffer : received.buffers) {
      if (buffer.empty()) std::abort();
      for (const std::byte each : buffer.bytes()) sum += std::to_integer<unsigned>(each);
    }
    sum_ += sum;
    return &received;
  }
  void cancelled(Link& /*link*/, ReceivedCall& call) noexcept override {
    static_cast<Received&>(call).buffers.clear();
  }
  void drains(Link& /*link*/) override {}
  void closed(Link& /*link*/) noexcept override {}

 private:
  void say(FrameHead head, const std::string& body) {
    head.body = static_cast<std::uint32_t>(body.size());
    const std::size_t at = came_.size();
    came_.resize(at + wire::kHeadBytes);
    wire::write_head(came_.data() + at, head);
    came_ += body;
    came_.erase(0, link_.receive(came_, 1));
    link_.outgoing().clear();
  }
  void call(unsigned number, const BufferPart& part) {
    std::string body(4 + wire::parts_size(1), '\0');
    wire::write_parts(body.data() + 4, {part});
    say({0, FrameKind::call, wire::kBuffers, 0, number}, body);
  }
  void send_file(std::size_t pages, unsigned seals) {
    Descriptor file(memfd_create("fuzz", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (ftruncate(file.number(), static_cast<off_t>(pages * 20'480)) != 0) return;
    constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    if (fcntl(file.number(), F_ADD_SEALS, seals % 8 != 0 ? kSeals : F_SEAL_GROW) != 0) return;
    files_.came.push_back(std::move(file));
  }
  void lend() {
    BufferMemory* const memory = pool_.make(kSize);
    if (memory == nullptr) return;
    Buffer buffer(*memory, kSize);
    BufferPart part;
    if (is_open() && buffers_.hand(buffer, false, part) != buffer.empty()) std::abort();
  }
  void answer(bool back) {
    if (received_.empty() || !is_open()) return;
    const std::unique_ptr<Received> first = std::move(received_.front());
    received_.pop_front();
    PartedMessage message;
    if (back) {
      for (const Buffer& buffer : first->buffers) message.buffers.push_back(&buffer);
    }
    link_.answer_parted(*first, message);
    while (!link_.next_bytes().empty()) link_.outgoing().clear();
  }

  const Link::Self self_ = self_of("ads");
  std::deque<std::unique_ptr<Received>> received_;
  Files files_;
  BufferPool pool_{{.most = 4 * kSize, .most_free = 2 * kSize, .segments = 4}};
  SharedBuffers buffers_{pool_, files_};
  Link link_{self_, *this, {.buffer_bytes = 200'000}, 0};
  std::string came_;
  unsigned sum_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Run run;
  for (std::size_t at = 0; at + 3 < size && run.is_open(); at += 4) run.step(data + at);
  return 0;
}
