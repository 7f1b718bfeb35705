// What two threads get from memory by themselves: a ring each way, whose messages are copied in and
// out, and the number of those written.
#include <array>
#include <cstdint>
#include <cstring>

#include "harness/contender.hpp"
#include "harness/wait.hpp"
#include "remote/to_and_fro.hpp"

namespace compare {
namespace {

template <Wait wait>
struct Way {
  static constexpr std::size_t kPlaces = 2 * kMost;
  /// Of the last message that was written; the end is told by one that is not.
  static constexpr std::uint32_t kEnd = ~std::uint32_t{0};
  alignas(64) std::array<std::array<char, kMessage>, kPlaces> messages{};
  Signal<wait> written;
};

/// One of two ends, by its number.
template <Wait wait>
class Memory {
 public:
  Memory(int end, bool /*connected*/) : out_(ways()[end]), in_(ways()[1 - end]) {}

  void send(std::size_t messages) {
    for (std::size_t each = 0; each < messages; ++each)
      out_.messages[sent_++ % Way<wait>::kPlaces] = one_;
    out_.written.set(sent_);
  }
  void end() { out_.written.set(Way<wait>::kEnd); }

  [[nodiscard]] std::ptrdiff_t receive() {
    const std::uint32_t written = in_.written.past(read_);
    if (written == Way<wait>::kEnd) return 0;
    const std::uint32_t from = read_;
    while (read_ != written) one_ = in_.messages[read_++ % Way<wait>::kPlaces];
    return static_cast<std::ptrdiff_t>((written - from) * kMessage);
  }

  /// Before each run.
  static std::array<Way<wait>, 2>& ways() {
    static std::array<Way<wait>, 2> both;
    return both;
  }

 private:
  Way<wait>& out_;
  Way<wait>& in_;
  std::uint32_t sent_ = 0;
  std::uint32_t read_ = 0;
  std::array<char, kMessage> one_{};
};

template <Wait wait, std::size_t window>
double rate() {
  for (Way<wait>& way : Memory<wait>::ways()) way.written.set(0);
  return to_and_fro<Memory<wait>, window>({0, 1});
}

const Enter kSpin({"remote-call/shm/spin", "limit-memory", "two threads that look at a number",
                   &rate<Wait::spin, 1>});
const Enter kAdaptive({"remote-call/shm/adaptive", "limit-memory",
                       "two threads that look for a while, then sleep on a futex",
                       &rate<Wait::adaptive, 1>});
const Enter kPark({"remote-call/shm/park", "limit-memory", "two threads that sleep on a futex",
                   &rate<Wait::park, 1>});
const Enter kOutstanding({"remote-call/shm-64", "limit-memory",
                          "all that came answered with one number", &rate<Wait::spin, kMost>});

// Of a buffer there goes no more through memory than where it lies.
struct EnterHandover {
  explicit EnterHandover(std::string_view workload) {
    const Enter one({workload, "limit-handover",
                     "two threads that look at a number, and a message that says where it lies",
                     &rate<Wait::spin, 1>});
  }
};
const EnterHandover k8("buffer/8MB/handled");
const EnterHandover k64("buffer/64MB/handled");
const EnterHandover k256("buffer/256MB/handled");

}  // namespace
}  // namespace compare
