#include "penstock/net/socket/rings.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "support/hex_of_page.hpp"

namespace penstock::net::rings_test {
namespace {

/// A pair of sockets that do not block, and what goes over them.
struct Ends {
  Descriptor front;
  Descriptor ads;
  Ends() {
    std::array<int, 2> pair{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair.data()), 0);
    front = Descriptor(pair[0]);
    ads = Descriptor(pair[1]);
  }
};

/// What has come; "-": nothing yet, "!": it is broken.
std::string heard(Carrier& carrier) {
  std::array<char, 200> text{};
  const ssize_t count = carrier.receive(text.data(), text.size());
  if (count >= 0) return {text.data(), static_cast<std::size_t>(count)};
  return errno == EAGAIN ? "-" : "!";
}

bool say(Carrier& carrier, const std::string& text) {
  return carrier.send(text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// As an end may that was made by others. -1: nothing beside it.
void send_offer(const Descriptor& socket, std::string bytes, const std::vector<int>& beside) {
  iovec part{bytes.data(), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(8 * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!beside.empty()) {
    const std::size_t size = beside.size() * sizeof(int);
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(size);
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(size);
    std::memcpy(CMSG_DATA(head), beside.data(), size);
  }
  ASSERT_EQ(sendmsg(socket.number(), &message, MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
}

std::string offer() {
  const auto bytes = Rings::offer_bytes();
  return {bytes.data(), bytes.size()};
}

int open_descriptors() {
  int count = 0;
  for (int number = 0; number < 256; ++number)
    if (fcntl(number, F_GETFD) >= 0) ++count;
  return count;
}

TEST(RingsOfASocket, AreOfferedAsThePageSays) {
  EXPECT_EQ(offer(), penstock::testing::hex_of_page("wire.md", "rings"));
  const Descriptor file = Rings::make_file();
  struct stat about {};
  ASSERT_EQ(fstat(file.number(), &about), 0);
  EXPECT_EQ(about.st_size, 4096 + 2 * 131'072);
}

// Another program, by the page.
TEST(RingsOfASocket, AreReadAsThePageSays) {
  const Ends ends;
  const Descriptor file = Rings::make_file();
  const auto ads = Rings::expect(ends.ads);
  send_offer(ends.front, offer(), {file.number()});
  EXPECT_EQ(heard(*ads), "-");
  char answer = 0;
  ASSERT_EQ(recv(ends.front.number(), &answer, 1, 0), 1);
  EXPECT_EQ(answer, 'R');
  const auto put = [&](const std::string& bytes, off_t at) {
    ASSERT_EQ(pwrite(file.number(), bytes.data(), bytes.size(), at),
              static_cast<ssize_t>(bytes.size()));
  };
  const auto number_at = [&](off_t at) {
    std::uint64_t number = 0;
    EXPECT_EQ(pread(file.number(), &number, sizeof number, at), ssize_t{sizeof number});
    return number;
  };
  put("hello", 4096 + 4);
  put({"\5\0\0\0", 4}, 4096);
  EXPECT_EQ(heard(*ads), "hello");
  EXPECT_EQ(number_at(128), 16U);
  EXPECT_TRUE(ads->rests());
  EXPECT_EQ(number_at(0), 1U);
  put("!", 4096 + 16 + 4);
  put({"\1\0\0\0", 4}, 4096 + 16);
  EXPECT_EQ(heard(*ads), "!");
  EXPECT_TRUE(say(*ads, "welcome"));
  std::array<char, 11> said{};
  ASSERT_EQ(pread(file.number(), said.data(), said.size(), 4096 + 131'072), 11);
  EXPECT_EQ(std::string(said.data(), said.size()), std::string("\7\0\0\0welcome", 11));
}

TEST(RingsOfASocket, CarryWhatIsSaidOnceBothEndsHaveThem) {
  const Ends ends;
  const auto front = Rings::offer(ends.front);
  const auto ads = Rings::expect(ends.ads);
  ASSERT_NE(front, nullptr);
  EXPECT_FALSE(say(*front, "too early"));
  EXPECT_FALSE(say(*ads, "too early"));
  EXPECT_EQ(heard(*front), "-");
  EXPECT_EQ(heard(*ads), "-");
  EXPECT_TRUE(ads->is_memory());
  EXPECT_TRUE(say(*ads, "welcome"));
  EXPECT_EQ(heard(*front), "welcome");
  EXPECT_TRUE(front->is_memory());
  EXPECT_TRUE(say(*front, "thanks"));
  EXPECT_TRUE(ads->sees());
  EXPECT_EQ(heard(*ads), "thanks");
  EXPECT_FALSE(ads->sees());
  // Nobody rested: the socket has carried none of it.
  std::array<char, 8> rest{};
  EXPECT_EQ(recv(ends.ads.number(), rest.data(), rest.size(), 0), -1);
}

TEST(RingsOfASocket, TellWhoRestsThroughIt) {
  const Ends ends;
  const auto front = Rings::offer(ends.front);
  const auto ads = Rings::expect(ends.ads);
  EXPECT_EQ(heard(*ads), "-");
  EXPECT_EQ(heard(*front), "-");
  for (int time = 0; time < 1'000; ++time) {
    ASSERT_TRUE(ads->rests());
    ASSERT_TRUE(say(*front, "x"));
    char told = 1;
    ASSERT_EQ(recv(ends.ads.number(), &told, 1, MSG_PEEK), 1) << time;
    ads->wakes();
    ads->came(false);
    ASSERT_EQ(heard(*ads), "x");
  }
}

// Bytes that tell gather in the socket of an end that has no use for them: they may not fill it.
TEST(RingsOfASocket, TellWhoRestsAlsoAfterLongStretchesWithoutRoom) {
  const Ends ends;
  const auto front = Rings::offer(ends.front);
  const auto ads = Rings::expect(ends.ads);
  EXPECT_EQ(heard(*ads), "-");
  EXPECT_EQ(heard(*front), "-");
  const std::string much(Rings::kCapacity, 'x');
  for (int time = 0; time < 2'000; ++time) {
    while (front->send(much.data(), much.size()) > 0) {
    }
    ASSERT_GT(heard(*ads).size(), 1U);
    ASSERT_TRUE(front->sees());
  }
  front->came(false);
  ASSERT_TRUE(say(*front, "x"));
  while (heard(*ads) != "-") {
  }
  const auto waiting = [&] {
    int count = 0;
    EXPECT_EQ(ioctl(ends.front.number(), FIONREAD, &count), 0);
    return count;
  };
  const int before = waiting();
  ASSERT_TRUE(front->rests());
  ASSERT_TRUE(say(*ads, "answer"));
  EXPECT_GT(waiting(), before);
  front->wakes();
}

// Who may send as fast as it is read keeps nobody at it.
TEST(RingsOfASocket, TakeNoMoreOfTheSocketAtATimeThanAnEndWrites) {
  const Ends ends;
  const auto front = Rings::offer(ends.front);
  const auto ads = Rings::expect(ends.ads);
  EXPECT_EQ(heard(*ads), "-");
  EXPECT_EQ(heard(*front), "-");
  const std::string flood(100'000, '!');
  ASSERT_EQ(send(ends.front.number(), flood.data(), flood.size(), 0), 100'000);
  for (int time = 0; time < 40; ++time) {
    EXPECT_TRUE(ads->rests());
    ads->wakes();
    ads->came(false);
  }
  int left = 0;
  ASSERT_EQ(ioctl(ends.ads.number(), FIONREAD, &left), 0);
  EXPECT_GT(left, 90'000);
  EXPECT_EQ(heard(*ads), "-");
}

TEST(RingsOfASocket, EndWithItOnceAllIsRead) {
  Ends ends;
  auto front = Rings::offer(ends.front);
  const auto ads = Rings::expect(ends.ads);
  EXPECT_EQ(heard(*ads), "-");
  EXPECT_EQ(heard(*front), "-");
  ASSERT_TRUE(say(*front, "the last word"));
  front.reset();
  ends.front.close();
  ads->came(true);
  EXPECT_EQ(heard(*ads), "the last word");
  EXPECT_EQ(heard(*ads), "");
}

TEST(RingsOfASocket, AreDoneWithoutWhereOneEndKnowsNone) {
  const Ends ends;
  const auto ads = Rings::expect(ends.ads);
  const int before = open_descriptors();
  send_offer(ends.front, "PST", {ends.front.number()});
  EXPECT_EQ(heard(*ads), "-");  // it may become an offer
  ASSERT_EQ(send(ends.front.number(), "K\1\1\0\0", 5, 0), 5);
  EXPECT_EQ(heard(*ads), std::string("PSTK\1\1\0\0", 8));
  EXPECT_FALSE(ads->is_memory());
  EXPECT_EQ(open_descriptors(), before);  // also what came beside
  EXPECT_TRUE(say(*ads, "hello"));
  std::array<char, 8> text{};
  EXPECT_EQ(recv(ends.front.number(), text.data(), text.size(), 0), 5);
  ASSERT_EQ(send(ends.front.number(), "more", 4, 0), 4);
  EXPECT_EQ(heard(*ads), "more");
}

TEST(RingsOfASocket, AreNotTakenWhereTheirMemoryIsNotSound) {
  const int before = open_descriptors();
  {
    const Descriptor sound = Rings::make_file();
    const Descriptor unsealed(memfd_create("x", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    const Descriptor small(memfd_create("x", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    std::array<char, 64> page{};
    ASSERT_EQ(write(small.number(), page.data(), page.size()), 64);
    ASSERT_EQ(ftruncate(unsealed.number(), 1 << 20U), 0);
    ASSERT_EQ(fcntl(small.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL), 0);
    const Descriptor other(open("/dev/null", O_RDWR | O_CLOEXEC));
    std::string newer = offer();
    newer[8] = 2;
    const std::vector<std::pair<std::string, std::vector<int>>> offers{
        {offer(), {}},
        {offer(), {unsealed.number()}},
        {offer(), {small.number()}},
        {offer(), {other.number()}},
        {offer(), {sound.number(), sound.number()}},
        {newer, {sound.number()}},
    };
    for (std::size_t which = 0; which < offers.size(); ++which) {
      SCOPED_TRACE(which);
      const Ends ends;
      const auto ads = Rings::expect(ends.ads);
      send_offer(ends.front, offers[which].first, offers[which].second);
      EXPECT_EQ(heard(*ads), "-");
      EXPECT_FALSE(ads->is_memory());
      char answer = 0;
      ASSERT_EQ(recv(ends.front.number(), &answer, 1, 0), 1);
      EXPECT_EQ(answer, 'S');
      ASSERT_EQ(send(ends.front.number(), "hello", 5, 0), 5);
      EXPECT_EQ(heard(*ads), "hello");
    }
    // And who offered goes on without as well.
    const Ends ends;
    const auto front = Rings::offer(ends.front);
    ASSERT_EQ(send(ends.ads.number(), "Shello", 6, 0), 6);
    EXPECT_EQ(heard(*front), "hello");
    EXPECT_FALSE(front->is_memory());
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST(RingsOfASocket, BreakWhereTheOtherEndDoesWhatNoneDoes) {
  {
    const Ends ends;
    const auto front = Rings::offer(ends.front);
    ASSERT_EQ(send(ends.ads.number(), "?", 1, 0), 1);
    EXPECT_EQ(heard(*front), "!");
    EXPECT_EQ(front->why(), "it does not say whether it takes rings");
  }
  const Ends ends;
  const Descriptor file = Rings::make_file();
  const auto ads = Rings::expect(ends.ads);
  send_offer(ends.front, offer(), {file.number()});
  EXPECT_EQ(heard(*ads), "-");
  ASSERT_TRUE(ads->is_memory());
  const std::uint32_t length = 0xFFFFFFF0;
  ASSERT_EQ(pwrite(file.number(), &length, sizeof length, 4096), ssize_t{sizeof length});
  EXPECT_EQ(heard(*ads), "!");
  EXPECT_EQ(ads->why(), "its ring is broken");
}

/// Both ends have rings.
struct Ringed {
  const Ends ends;
  const std::unique_ptr<Carrier> front = Rings::offer(ends.front);
  const std::unique_ptr<Carrier> ads = Rings::expect(ends.ads);
  Ringed() {
    EXPECT_EQ(heard(*ads), "-");
    EXPECT_EQ(heard(*front), "-");
  }
};

TEST(RingsOfASocket, HandBuffersOver) {
  const Ringed rings;
  Buffer buffer(std::string_view(std::string(100'000, 'a')));
  wire::BufferPart part;
  ASSERT_TRUE(rings.front->handover()->hand(buffer, false, part));
  // It rests often in between, and its file is not lost by that.
  for (int rest = 0; rest < 100; ++rest) {
    EXPECT_TRUE(rings.ads->rests());
    rings.ads->wakes();
  }
  Buffer there;
  ASSERT_EQ(rings.ads->handover()->take(part, there), Handover::Taken::yes);
  EXPECT_EQ(there.view(), std::string(100'000, 'a'));
}

TEST(RingsOfASocket, HandOverNoOtherBufferInPlaceOfOneThatThereWasNoRoomFor) {
  const Ringed rings;
  wire::BufferPart lost;
  wire::BufferPart next;
  Buffer buffer(std::string_view(std::string(100'000, 'a')));
  ASSERT_TRUE(rings.front->handover()->hand(buffer, false, lost));
  buffer = Buffer(std::string_view(std::string(100'000, 'b')));
  ASSERT_TRUE(rings.front->handover()->hand(buffer, false, next));
  rlimit all{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &all), 0);
  const Descriptor first_free(dup(0));
  const rlimit none{static_cast<rlim_t>(first_free.number()), all.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  // Once in so many rests it hears what it was told.
  for (int rest = 0; rest < 32; ++rest) {
    EXPECT_TRUE(rings.ads->rests());
    rings.ads->wakes();
  }
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &all), 0);
  Buffer there;
  EXPECT_EQ(rings.ads->handover()->take(lost, there), Handover::Taken::no_memory);
}

TEST(RingsOfASocket, HandNothingOverWithoutThem) {
  const Ends ends;
  const auto ads = Rings::expect(ends.ads);
  Buffer buffer(std::string_view(std::string(100'000, 'a')));
  wire::BufferPart part;
  EXPECT_FALSE(ads->handover()->hand(buffer, false, part));
  part = {wire::BufferPart::Kind::segment, 0, 1, 5};
  EXPECT_EQ(ads->handover()->take(part, buffer), Handover::Taken::malformed);
}

TEST(RingsOfASocket, CloseFilesThatNobodyTellsOf) {
  const int before = open_descriptors();
  {
    const Ringed rings;
    const Descriptor file = Rings::make_file();
    for (int at = 0; at < 100; ++at) {
      send_offer(rings.ends.front, "x", {file.number()});
      EXPECT_TRUE(rings.ads->rests());
    }
    EXPECT_LT(open_descriptors(), before + 80);
  }
  EXPECT_EQ(open_descriptors(), before);
}

/// Another process at the end that connects, which does what it is told to and then waits to be
/// killed; it ends by itself when this one does.
class Other {
 public:
  template <class Do>
  Other(const Ends& ends, const Do& what) {
    EXPECT_EQ(pipe(to_.data()), 0);
    EXPECT_EQ(pipe(from_.data()), 0);
    pid_ = fork();
    if (pid_ != 0) {
      close(to_[0]);
      close(from_[1]);
      EXPECT_TRUE(hears());  // it has made its offer
      return;
    }
    close(to_[1]);
    const auto front = Rings::offer(ends.front);
    char byte = 'x';
    // Once the other end has said that it takes them.
    if (front && write(from_[1], &byte, 1) == 1 && read(to_[0], &byte, 1) == 1 &&
        heard(*front) == "-" && what(*front) && write(from_[1], &byte, 1) == 1)
      static_cast<void>(read(to_[0], &byte, 1));
    _exit(0);
  }
  Other(const Other&) = delete;
  Other& operator=(const Other&) = delete;
  ~Other() {
    kill();
    close(to_[1]);
    close(from_[0]);
  }

  /// Returns when it has done that. False: it could not.
  [[nodiscard]] bool does() const {
    const char byte = 'x';
    return write(to_[1], &byte, 1) == 1 && hears();
  }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    EXPECT_EQ(waitpid(pid_, nullptr, 0), pid_);
    pid_ = -1;
  }

 private:
  /// False: it has ended.
  [[nodiscard]] bool hears() const {
    char byte = 0;
    return read(from_[0], &byte, 1) == 1;
  }

  std::array<int, 2> to_{};
  std::array<int, 2> from_{};
  pid_t pid_ = -1;
};

constexpr std::size_t kLarge = 3'000'000;

/// What each end knows of the first buffer that it is handed.
wire::BufferPart first_of(std::size_t size) {
  return {wire::BufferPart::Kind::new_segment, 0, 1, size};
}

TEST(RingsOfAProcess, Fault35WhoOwnedABufferIsKilledAndItsBytesAreThere) {
  const Ends ends;
  Other owner(ends, [](Carrier& front) {
    Buffer buffer(std::string_view(std::string(kLarge, 'a')));
    wire::BufferPart part;
    return front.handover()->hand(buffer, false, part) && part == first_of(kLarge);
  });
  const auto ads = Rings::expect(ends.ads);
  ASSERT_EQ(heard(*ads), "-");
  ASSERT_TRUE(owner.does());
  Buffer there;
  ASSERT_EQ(ads->handover()->take(first_of(kLarge), there), Handover::Taken::yes);
  owner.kill();
  EXPECT_EQ(there.view(), std::string(kLarge, 'a'));
  there.writable().front() = std::byte{'b'};
  EXPECT_EQ(there.view().substr(0, 2), "ba");
}

TEST(RingsOfAProcess, Fault36WhoHoldsABufferIsKilledAndThePoolHasRoomAgain) {
  BufferPool& pool = BufferPool::of_process();
  const std::size_t before = pool.counts().bytes;
  {
    const Ends ends;
    Other reader(ends, [](Carrier& front) {
      static Buffer there;
      return front.handover()->take(first_of(kLarge), there) == Handover::Taken::yes;
    });
    const auto ads = Rings::expect(ends.ads);
    ASSERT_EQ(heard(*ads), "-");
    Buffer buffer(*pool.make(kLarge), kLarge);
    wire::BufferPart part;
    ASSERT_TRUE(ads->handover()->hand(buffer, false, part));
    ASSERT_EQ(part, first_of(kLarge));
    ASSERT_TRUE(reader.does());
    reader.kill();
  }
  EXPECT_LE(pool.counts().bytes, before);
}

}  // namespace
}  // namespace penstock::net::rings_test
