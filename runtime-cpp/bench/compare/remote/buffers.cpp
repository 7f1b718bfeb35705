// Ours with a large buffer: it goes to another binary of this host and back.
#include <cstring>
#include <utility>

#include "harness/contender.hpp"
#include "penstock/message/buffer.hpp"
#include "remote/large.hpp"
#include "remote/two_binaries.hpp"

namespace compare {
namespace {

struct Load {
  penstock::Buffer data;
  std::uint64_t seen = 0;  ///< the XOR of its words, where it is read
};

}  // namespace
}  // namespace compare

namespace penstock::codec {

template <>
struct Message<compare::Load> {
  using Load = compare::Load;
  static constexpr bool kHasBuffers = true;
  static std::size_t size(const Load& load) {
    return codec::size(1, load.data) + codec::size(2, load.seen);
  }
  static void write(Writer& out, const Load& load) {
    codec::write(out, 1, load.data);
    codec::write(out, 2, load.seen);
  }
  static bool read(Reader in, Load& load) {
    while (in.next()) {
      bool sound = true;
      switch (in.tag()) {
        case 1:
          sound = codec::read(in, load.data);
          break;
        case 2:
          sound = codec::read(in, load.seen);
          break;
        default:
          in.skip();
      }
      if (!sound) return false;
    }
    return true;
  }
};

}  // namespace penstock::codec

namespace compare {
namespace {

enum class What { handled, copied, read };

/// Gives back what it gets.
template <What what>
struct Turns : penstock::Handler {
  using request_type = Load;
  using response_type = Load;
  static Load handle(Load& load) {
    if constexpr (what == What::read) load.seen = combined(load.data.bytes());
    return std::move(load);
  }
};

/// Sends a buffer of so many megabytes there `value` times, one after another.
template <What what, std::size_t megabytes>
struct Sends : penstock::Handler {
  using request_type = penstock::testing::Number;
  using response_type = penstock::testing::Number;
  struct calls_type {
    penstock::Stub<Load, Load> Echo;
  };
  calls_type calls;

  penstock::Task<penstock::testing::Number> handle(const penstock::testing::Number& request) {
    constexpr std::size_t kSize = megabytes * kMegabyte;
    if (load_.data.empty()) load_.data = penstock::Buffer(kSize);
    for (std::int64_t round = 0; round < request.value; ++round) {
      if constexpr (what == What::copied) {
        static const Large own(kSize);
        std::memcpy(load_.data.writable().data(), own.bytes().data(), kSize);
      }
      load_ = co_await calls.Echo(std::move(load_));
      keep(load_.seen);
    }
    if (load_.data.size() != kSize)
      throw penstock::Error(penstock::ErrorCode::data_loss, "another buffer came back");
    co_return request;
  }

 private:
  Load load_;
};

template <What what, std::size_t megabytes>
double rate() {
  return Remote<Sends<what, megabytes>, Turns<what>>(Kind::memory, penstock::exec::Idle::spin)
      .rate(1);
}

template <std::size_t megabytes>
struct EnterAll {
  EnterAll(std::string_view copied, std::string_view handled, std::string_view read) {
    const Enter one({copied, "penstock", "copied into a Buffer, which is handed over and back",
                     &rate<What::copied, megabytes>});
    const Enter two({handled, "penstock", "a Buffer that is handed over and back",
                     &rate<What::handled, megabytes>});
    const Enter three({read, "penstock", "a Buffer that is handed over, read there, and back",
                       &rate<What::read, megabytes>});
  }
};
const EnterAll<8> k8("buffer/8MB/copied", "buffer/8MB/handled", "buffer/8MB/read");
const EnterAll<64> k64("buffer/64MB/copied", "buffer/64MB/handled", "buffer/64MB/read");
const EnterAll<256> k256("buffer/256MB/copied", "buffer/256MB/handled", "buffer/256MB/read");

}  // namespace
}  // namespace compare
