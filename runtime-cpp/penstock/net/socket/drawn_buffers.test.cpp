// Two processes that hand each other buffers in an order that a seed draws, and die: none is ever
// seen with the bytes of another one, and whatever happens, nothing is missing in the end.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "penstock/net/socket/shared_buffers.hpp"
#include "world/random.hpp"

namespace penstock::net::drawn_buffers_test {
namespace {

/// What an end has sent and the other one has not read yet, in order.
struct Sent {
  wire::BufferPart part;
  char value = 0;
};
struct Held {
  Buffer buffer;
  char value = 0;
};

struct End final : FileWay {
  [[nodiscard]] bool send_file(const Descriptor& file) noexcept override {
    if (random->once_in(8)) return false;
    other->files.emplace_back(dup(file.number()));
    return true;
  }
  [[nodiscard]] Descriptor take_file() noexcept override {
    if (files.empty()) return {};
    Descriptor file = std::move(files.front());
    files.pop_front();
    return file;
  }

  world::Random* random = nullptr;
  End* other = nullptr;
  std::deque<Descriptor> files;
  std::deque<Sent> came;
  std::vector<Held> held;
  BufferPool pool{
      {.most = std::size_t{1} << 20U, .most_free = std::size_t{1} << 19U, .segments = 12}};
  std::optional<SharedBuffers> link;
};

class Drawn {
 public:
  explicit Drawn(std::uint64_t seed) : random_(seed) {
    ends_[0].other = &ends_[1];
    ends_[1].other = &ends_[0];
    for (End& end : ends_) end.random = &random_;
    connect();
  }

  void step() {
    End& end = ends_[random_.below(2)];
    switch (random_.below(12)) {
      case 0:
      case 1:
        return make(end);
      case 2:
      case 3:
      case 4:
        return hand(end);
      case 5:
      case 6:
      case 7:
        return take(end);
      case 8:
        return drop(end);
      case 9:
        return look(end);
      case 10:
        if (random_.once_in(20)) connect();
        return;
      default:
        if (random_.once_in(20)) die(end);
    }
  }
  void finish() {
    for (End& end : ends_) {
      for (const Held& held : end.held) check(held);
      end.held.clear();
      end.link.reset();
      const BufferPool::Counts counts = end.pool.counts();
      EXPECT_EQ(counts.free, counts.all) << "somebody has some still";
    }
  }

 private:
  // All that was under way is lost.
  void connect() {
    for (End& end : ends_) {
      end.link.reset();
      end.files.clear();
      end.came.clear();
    }
    for (End& end : ends_) end.link.emplace(end.pool, end);
  }
  void die(End& end) {
    end.held.clear();
    connect();
  }
  void make(End& end) {
    if (end.held.size() >= 12) return;
    const std::size_t size = 65'536 + random_.below(60'000);
    BufferMemory* const memory = end.pool.make(size);
    Held held{memory == nullptr ? Buffer(size) : Buffer(*memory, size), next_++};
    std::memset(held.buffer.writable().data(), held.value, size);
    end.held.push_back(std::move(held));
  }
  void hand(End& end) {
    if (end.held.empty()) return;
    const std::size_t place = random_.below(end.held.size());
    Held& held = end.held[place];
    const bool keep = random_.once_in(6);
    std::optional<Buffer> seen;
    if (random_.once_in(6)) seen = held.buffer;
    Sent sent{{}, held.value};
    if (!end.link->hand(held.buffer, keep, sent.part)) return check(held);
    end.other->came.push_back(sent);
    if (seen) check({*seen, held.value});
    if (keep) return check(held);
    EXPECT_TRUE(held.buffer.empty());
    end.held.erase(end.held.begin() + static_cast<std::ptrdiff_t>(place));
  }
  void take(End& end) {
    if (end.came.empty()) return;
    const Sent sent = end.came.front();
    end.came.pop_front();
    Held held{{}, sent.value};
    ASSERT_EQ(end.link->take(sent.part, held.buffer), Handover::Taken::yes);
    check(held);
    end.held.push_back(std::move(held));
  }
  // Another value, so that who has it by mistake still is seen.
  void look(End& end) {
    if (end.held.empty()) return;
    Held& held = end.held[random_.below(end.held.size())];
    check(held);
    held.value = next_++;
    const auto bytes = held.buffer.writable();
    std::memset(bytes.data(), held.value, bytes.size());
  }
  void drop(End& end) {
    if (end.held.empty()) return;
    const std::size_t place = random_.below(end.held.size());
    check(end.held[place]);
    end.held.erase(end.held.begin() + static_cast<std::ptrdiff_t>(place));
  }
  // The ends of it and some between tell.
  static void check(const Held& held) {
    const auto bytes = held.buffer.bytes();
    ASSERT_FALSE(bytes.empty());
    for (std::size_t at = 0; at < bytes.size(); at += 4'001)
      ASSERT_EQ(static_cast<char>(bytes[at]), held.value);
    ASSERT_EQ(static_cast<char>(bytes.back()), held.value);
  }

  world::Random random_;
  std::array<End, 2> ends_;
  char next_ = 1;
};

TEST(DrawnBuffers, AreNeverTwoOwners) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Drawn drawn(seed);
    for (int step = 0; step < 400; ++step) {
      drawn.step();
      if (::testing::Test::HasFatalFailure()) return;
    }
    drawn.finish();
  }
}

}  // namespace
}  // namespace penstock::net::drawn_buffers_test
