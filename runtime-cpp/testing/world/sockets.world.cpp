// The sockets of a world: what is sent comes whole and in order, however late and in whatever
// pieces, and who waits is told of it; a break takes what was on its way, and both ends hear of it.
#include "world/sockets.hpp"

#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

#include "penstock/net/socket/place.hpp"
#include "world/explore.hpp"

namespace penstock::world {
namespace {

using net::Descriptor;
using net::Place;

constexpr std::uint16_t kPort = 7400;

/// Waits until something is told of the socket, as edges; what is told.
class Waiter {
 public:
  explicit Waiter(const Descriptor& socket) : epoll_(epoll_create1(0)) {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    EXPECT_EQ(epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, socket.number(), &event), 0);
  }
  std::uint32_t wait() {
    epoll_event event{};
    EXPECT_EQ(epoll_wait(epoll_.number(), &event, 1, -1), 1);
    return event.events;
  }

 private:
  Descriptor epoll_;
};

Descriptor accepted(const Descriptor& listening) {
  Waiter waiter(listening);
  for (;;) {
    Descriptor next = net::accept_from(listening);
    if (next.is_open()) return next;
    waiter.wait();
  }
}

// All that comes until the end, or until it breaks.
std::string read_all(const Descriptor& socket, int& error) {
  Waiter waiter(socket);
  std::string all;
  for (;;) {
    std::array<char, 100> some{};
    const ssize_t count = recv(socket.number(), some.data(), some.size(), 0);
    if (count > 0) {
      all.append(some.data(), static_cast<std::size_t>(count));
    } else if (count < 0 && errno == EAGAIN) {
      waiter.wait();
    } else {
      error = count == 0 ? 0 : errno;
      return all;
    }
  }
}

void write_all(const Descriptor& socket, std::string_view bytes, int& error) {
  Waiter waiter(socket);
  while (!bytes.empty()) {
    const ssize_t count = send(socket.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      waiter.wait();
    } else {
      error = errno;
      return;
    }
  }
}

std::string drawn_text(Random& random) {
  std::string text(1 + random.below(500), ' ');
  for (char& each : text) each = static_cast<char>('a' + random.below(26));
  return text;
}

TEST(SocketsWorld, BringWhatIsSentWholeUnlessTheyBreak) {
  explore([](World& world) {
    Random& random = world.random();
    Sockets sockets(random);
    const std::string text = drawn_text(random);
    const bool breaks = random.once_in(3);
    int wrong_there = 0;
    int wrong_here = 0;
    std::string came;
    {
      const Place place = Place::tcp("127.0.0.1", kPort);
      const Descriptor listening = place.listen();
      std::thread there([&] {
        const Descriptor socket = accepted(listening);
        came = read_all(socket, wrong_there);
      });
      {
        const Descriptor socket = place.connect();
        std::thread breaker([&] {
          std::this_thread::sleep_for(std::chrono::microseconds(random.between(0, 400)));
          if (random.once_in(2)) sockets.hold(kPort, now() + random.between(1, 1'000'000));
          if (breaks) sockets.break_links(kPort);
        });
        write_all(socket, text, wrong_here);
        breaker.join();
      }
      there.join();
    }
    EXPECT_EQ(sockets.open(), 0U);
    if (sockets.broken() == 0) {
      EXPECT_EQ(came, text);
      EXPECT_EQ(wrong_here, 0);
      EXPECT_EQ(wrong_there, 0);
    } else {
      EXPECT_TRUE(text.starts_with(came));
      EXPECT_TRUE(wrong_there == ECONNRESET || came == text) << wrong_there;
    }
  });
}

TEST(SocketsWorld, RefuseWhereNobodyListens) {
  explore([](World& world) {
    Sockets sockets(world.random());
    const Place place = Place::tcp("127.0.0.1", kPort);
    int error = 0;
    try {
      const Descriptor socket = place.connect();
      EXPECT_EQ(read_all(socket, error), "");
    } catch (const std::system_error& refused) {
      error = refused.code().value();
    }
    EXPECT_EQ(error, ECONNREFUSED);
    EXPECT_EQ(sockets.open(), 0U);
  });
}

}  // namespace
}  // namespace penstock::world
