#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "penstock/net/ring/ring.hpp"
#include "penstock/net/socket/carrier.hpp"
#include "penstock/net/socket/descriptor.hpp"
#include "penstock/net/socket/shared_buffers.hpp"

namespace penstock::net {

/// Two rings in memory of their own, one each way, for the two ends of a Unix socket: the end that
/// connects makes them and hands them over through it, and the other one takes them or says that
/// both go on without. Then the socket is how an end that rests is told, how buffers get there
/// whose memory the other end does not have yet, and the sign of life.
class Rings final : public Carrier, Handover, FileWay {
 public:
  static constexpr std::size_t kCapacity = std::size_t{128} << 10U;

  /// Of the end that connected. Null: there is no memory, and it goes on without. Throws
  /// std::bad_alloc.
  [[nodiscard]] static std::unique_ptr<Carrier> offer(const Descriptor& socket);
  /// Of the end that accepted. Throws std::bad_alloc.
  [[nodiscard]] static std::unique_ptr<Carrier> expect(const Descriptor& socket);

  /// The file that is offered. None open: there is no memory.
  [[nodiscard]] static Descriptor make_file() noexcept;
  static constexpr std::size_t kOfferBytes = 16;
  [[nodiscard]] static std::array<char, kOfferBytes> offer_bytes() noexcept;

  void came(bool ends) noexcept override {
    if (ends) ended_ = true;
  }
  [[nodiscard]] ssize_t receive(char* to, std::size_t room) noexcept override;
  [[nodiscard]] ssize_t send(const char* from, std::size_t count) noexcept override;
  [[nodiscard]] std::string_view why() const noexcept override { return why_; }
  [[nodiscard]] bool is_memory() const noexcept override { return state_ == State::rings; }
  [[nodiscard]] bool sees() noexcept override;
  [[nodiscard]] bool rests() noexcept override;
  void wakes() noexcept override { reader_.rest_no_more(); }
  [[nodiscard]] Handover* handover() noexcept override { return this; }

 private:
  enum class State : std::uint8_t {
    offered,   ///< the other end has not said yet whether it takes them
    expected,  ///< it has not said yet whether it offers some
    rings,
    socket,  ///< without
  };
  /// Memory that both ends have; of this end: where it writes and where it reads.
  class Mapping {
   public:
    Mapping() noexcept = default;
    Mapping(const Descriptor& file, bool connected) noexcept;
    Mapping(Mapping&& other) noexcept;
    Mapping& operator=(Mapping&& other) noexcept;
    ~Mapping();
    [[nodiscard]] bool is_there() const noexcept { return at_ != nullptr; }
    [[nodiscard]] RingMemory outgoing() const noexcept { return ring(connected_ ? 0 : 1); }
    [[nodiscard]] RingMemory incoming() const noexcept { return ring(connected_ ? 1 : 0); }

   private:
    [[nodiscard]] RingMemory ring(std::size_t way) const noexcept;
    char* at_ = nullptr;
    bool connected_ = false;
  };

  Rings(const Descriptor& socket, State state, Mapping mapping) noexcept;
  void begin() noexcept;
  [[nodiscard]] ssize_t hear_whether_taken() noexcept;
  [[nodiscard]] ssize_t hear_offer() noexcept;
  void take_offer(const Descriptor& file) noexcept;
  [[nodiscard]] ssize_t read(char* to, std::size_t room) noexcept;
  void tell() noexcept;
  void forget_told() noexcept;
  [[nodiscard]] bool hand(Buffer& buffer, bool keep, wire::BufferPart& part) override;
  [[nodiscard]] Taken take(const wire::BufferPart& part, Buffer& to) override;
  [[nodiscard]] SharedBuffers& buffers();
  [[nodiscard]] bool send_file(const Descriptor& file) noexcept override;
  [[nodiscard]] Descriptor take_file() noexcept override;
  [[nodiscard]] bool lost_files() const noexcept override { return lost_files_; }
  /// What it was told, as far as it is one with a file, which `file` is then. 0 or -1: nothing.
  [[nodiscard]] ssize_t hear_told(Descriptor& file) noexcept;
  [[nodiscard]] ssize_t broken(std::string_view why) noexcept;

  const int socket_;
  State state_;
  bool ended_ = false;
  unsigned rested_ = 0;  // times, since the socket was emptied
  std::string_view why_;
  std::array<char, kOfferBytes> heard_{};  // of the offer, or of the hello of one without
  std::size_t heard_bytes_ = 0;
  Descriptor offered_;  // that came with it
  Mapping mapping_;
  RingWriter writer_;
  RingReader reader_;
  std::vector<Descriptor> files_;  // that came, and no message has told of yet
  bool lost_files_ = false;
  std::unique_ptr<SharedBuffers> buffers_;  // once some have changed hands
};

}  // namespace penstock::net
