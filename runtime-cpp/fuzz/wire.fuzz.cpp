// Any bytes are a hello or frames, or are refused with a reason; what is accepted is written in a
// way that reads the same.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/net/wire/buffers.hpp"
#include "penstock/net/wire/frame.hpp"
#include "penstock/net/wire/hello.hpp"
#include "penstock/net/wire/together.hpp"

namespace {

using namespace penstock::net::wire;

constexpr std::uint32_t kLargest = 2048;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_hello(std::string_view bytes) {
  const HelloRead read = read_hello(bytes);
  switch (read.found) {
    case HelloRead::Found::hello:
      require(read.bytes <= bytes.size());
      require(read_hello(write_hello(read.hello)).hello == read.hello);
      break;
    case HelloRead::Found::part:
      require(read.bytes > bytes.size());
      break;
    case HelloRead::Found::other_version:
    case HelloRead::Found::malformed:
      require(!read.why.empty());
  }
}

void check_parts(std::string_view message) {
  std::string_view left = message;
  std::vector<BufferPart> parts;
  if (!read_parts(left, parts)) return;
  std::string again(parts_size(parts.size()), '\0');
  require(write_parts(again.data(), parts) == again.data() + again.size());
  require(again + std::string(left) == message);
}

void check_call(const FrameRead& frame) {
  CallBody call;
  if (!read_call(frame.head, frame.body, call)) return;
  const CallEnvelope& envelope = call.envelope;
  require(envelope.flags() == (frame.head.flags & ~kBuffers));
  std::string again(envelope.size(), '\0');
  require(envelope.write(again.data()) == again.data() + again.size());
  again += call.message;
  require(again == frame.body);
  if ((frame.head.flags & kBuffers) != 0) check_parts(call.message);
}

void check_error(const FrameRead& frame) {
  ErrorBody error;
  if (!read_error(frame.body, error)) return;
  std::string again(size(error), '\0');
  write(again.data(), error);
  require(again == frame.body);
}

void check_messages(std::string_view body, std::size_t count) {
  Messages messages(body);
  std::string again;
  for (std::string_view message; messages.next(message); --count) {
    std::string head(kTogetherHead, '\0');
    begin_message(head.data(), message.size());
    again += head;
    again += message;
  }
  require(count == 0 && again == body);
}

void check_answers(std::string_view body) {
  AnswersBody answers;
  if (!read_answers(body, answers)) return;
  std::string head(kAnswersHead, '\0');
  write_answers(head.data(), answers.answered, answers.filled);
  require(head + std::string(answers.messages) == body);
  check_messages(answers.messages, static_cast<std::size_t>(std::popcount(answers.filled)));
}

/// Bytes of the first frame; 0: there is none.
std::size_t check_frame(std::string_view bytes) {
  const FrameRead read = read_frame(bytes, kLargest);
  if (read.found == FrameRead::Found::malformed) require(!read.why.empty());
  if (read.found == FrameRead::Found::part) require(read.bytes > bytes.size());
  if (read.found != FrameRead::Found::frame) return 0;
  require(read.bytes == kHeadBytes + read.body.size() && read.bytes <= bytes.size());
  std::uint32_t more = 0;
  if (read.head.kind == FrameKind::call) check_call(read);
  if (read.head.kind == FrameKind::error) check_error(read);
  if (read.head.kind == FrameKind::answers) check_answers(read.body);
  if (read.head.kind == FrameKind::calls) {
    if (const std::uint32_t count = count_calls(read.body)) check_messages(read.body, count);
  }
  if (read.head.kind == FrameKind::credit && read_credit(read.body, more)) require(more != 0);
  return read.bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_hello(bytes);
  while (const std::size_t taken = check_frame(bytes)) bytes.remove_prefix(taken);
  return 0;
}
