#include "penstock/net/link/pieces.hpp"

#include <algorithm>
#include <cstring>

namespace penstock::net {

bool PiecesOut::hands_later() const noexcept {
  return std::any_of(waiting_.begin() + (begun_ ? 1 : 0), waiting_.end(),
                     [](const Message& message) { return message.handed; });
}

bool PiecesOut::forget_call(std::uint64_t number, std::uint16_t& service) noexcept {
  const auto first = waiting_.begin() + (begun_ ? 1 : 0);
  const auto found = std::find_if(first, waiting_.end(), [number](const Message& message) {
    return message.is_call && message.number == number;
  });
  if (found == waiting_.end()) return false;
  if (found->handed) {
    found->cancelled = true;
    return false;
  }
  service = found->service;
  waiting_.erase(found);
  return true;
}

std::optional<std::uint16_t> PiecesOut::write_next(Outgoing& to, std::size_t most) {
  Message& message = waiting_.front();
  if (!begun_) {
    const std::size_t size = message.frame.size();
    char* const at = to.append(size + (message.cancelled ? wire::kHeadBytes : 0));
    message.frame.copy(at, size);
    if (message.cancelled)
      wire::write_head(at + size, {0, wire::FrameKind::cancel, 0, 0, message.number});
    std::string().swap(message.frame);
    begun_ = true;
    buffer_ = done_ = 0;
    return std::nullopt;
  }
  const Buffer& buffer = message.buffers[buffer_];
  const std::size_t count = std::min(most, buffer.size() - done_);
  char* const at =
      wire::write_head(to.append(wire::kHeadBytes + count),
                       {static_cast<std::uint32_t>(count), wire::FrameKind::piece, 0, 0, 0});
  std::memcpy(at, buffer.data() + done_, count);
  done_ += count;
  if (done_ != buffer.size()) return std::nullopt;
  message.buffers[buffer_] = {};
  done_ = 0;
  if (++buffer_ != message.buffers.size()) return std::nullopt;
  const auto answered = message.is_call ? std::nullopt : std::optional(message.service);
  waiting_.pop_front();
  begun_ = false;
  return answered;
}

void PiecesIn::make_room(const std::vector<std::uint64_t>& lengths) {
  for (std::size_t at = 0; at < places.size(); ++at)
    buffers[places[at]] = Buffer(BufferMemory::on_heap(lengths[at]), lengths[at]);
}

void PiecesIn::add(std::string_view piece) noexcept {
  left -= piece.size();
  while (!dropped && !piece.empty()) {
    const Buffer& buffer = buffers[places[at_]];
    const std::size_t count = std::min(piece.size(), buffer.size() - done_);
    std::memcpy(buffer.memory()->bytes() + done_, piece.data(), count);
    piece.remove_prefix(count);
    done_ += count;
    if (done_ != buffer.size()) continue;
    done_ = 0;
    ++at_;
  }
}

void PiecesIn::adjust_time(Nanos now) noexcept {
  if (envelope.left_us == 0) return;
  const Nanos passed = std::max<Nanos>(now - since, 0) / 1'000;
  envelope.left_us =
      passed < Nanos{envelope.left_us} ? envelope.left_us - static_cast<std::uint32_t>(passed) : 1;
}

}  // namespace penstock::net
