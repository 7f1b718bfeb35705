#pragma once

#include <sys/epoll.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/base/time.hpp"
#include "world/random.hpp"

namespace penstock::world {

/// The stream sockets of a world and what waits for them, as the kernel keeps them: what is sent
/// comes late and in pieces, there is room for so much, and connections break when the test says
/// so. What the runtime asks the kernel for comes here (system_calls.cpp): its own poller,
/// listeners and connections run on it as they stand. Its functions give and set what the system's
/// do. In a world, for its threads.
class Sockets {
 public:
  /// Draws how far all are from each other, and how much room there is between them.
  explicit Sockets(Random& random);
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;
  ~Sockets();
  /// Null: there are none here.
  [[nodiscard]] static Sockets* current() noexcept;
  /// A descriptor of a world's.
  [[nodiscard]] static bool has(int number) noexcept {
    return number >= kFirst && current() != nullptr;
  }
  /// A world has ended, or was given up, with those that it had.
  static void forget() noexcept;

  // --- what happens to the network ---

  /// Connections to that port break, for one end sooner than for the other one, and what had not
  /// come by then is lost.
  void break_links(std::uint16_t port);
  /// Nobody listens there any more, and connections break: its process was killed.
  void kill(std::uint16_t port);
  /// Nothing comes from there or goes there until then; nothing of it is lost.
  void hold(std::uint16_t port, Nanos until);
  /// Descriptors that are not closed.
  [[nodiscard]] std::size_t open() const noexcept;
  /// Connections that broke while both ends had them.
  [[nodiscard]] unsigned broken() const noexcept { return broken_; }

  // --- what is asked of the kernel ---

  int socket();
  int bind(int number, std::uint16_t port);
  int listen(int number);
  int connect(int number, std::uint16_t port);
  int accept(int number);
  [[nodiscard]] std::uint16_t port(int number) const;
  ssize_t send(int number, std::string_view bytes);
  ssize_t receive(int number, char* to, std::size_t room);
  int make_event();
  ssize_t raise(int event);
  int make_epoll();
  int control(int epoll, int what, int number, const epoll_event* event);
  /// `until` as of the world's clock; 0: for ever.
  int wait(int epoll, epoll_event* events, std::size_t most, Nanos until);
  int close(int number);

 private:
  static constexpr int kFirst = 1 << 20;

  /// What is on its way to a socket.
  struct Coming {
    enum class What : std::uint8_t { connection, bytes, end, failure };
    Nanos at = 0;
    What what = What::bytes;
    std::string bytes;
    int error = 0;   ///< of a failure
    int number = 0;  ///< of a connection that a listener gets
  };
  struct File {
    enum class Kind : std::uint8_t { stream, listener, epoll, event };
    Kind kind = Kind::stream;
    std::uint16_t port = 0;  ///< of the listener, at both ends
    int other = -1;          ///< the end that a stream is connected to; -1: it has gone
    std::deque<Coming> coming;
    std::size_t bytes_coming = 0;
    std::string here;  ///< came, and was not read
    bool connected = false;
    bool ended = false;
    int error = 0;
    bool failed = false;
    bool wants_room = false;  ///< a send found none
    std::deque<int> to_accept;
    bool raised = false;

    int epoll = -1;  ///< that watches it
    std::uint32_t asked = 0;
    epoll_data_t data{};
    bool news = false;  ///< since it was last told

    std::vector<int> watched;  ///< by an epoll
  };

  [[nodiscard]] File& at(int number) const;
  int add(File::Kind kind);
  [[nodiscard]] Nanos arrival(const File& to);
  void put(int to, Coming coming);
  void fail(int number, int error);
  void settle(File& file);
  void tell(File& file);
  [[nodiscard]] std::size_t room_to(const File& other) const noexcept;
  [[nodiscard]] std::uint32_t state_of(const File& file) const noexcept;
  [[nodiscard]] std::size_t collect(const File& epoll, epoll_event* events, std::size_t most);
  [[nodiscard]] Nanos next(const File& epoll) const noexcept;
  void each_at(std::uint16_t port, const std::function<void(int, File&)>& what);

  Random& random_;
  std::vector<std::unique_ptr<File>> files_;
  std::map<std::uint16_t, Nanos> held_;
  Nanos delay_ = 0;
  Nanos jitter_ = 0;
  std::size_t room_ = 0;
  std::uint64_t pieces_in_ = 0;  ///< what is sent comes in two, once in so many times
  unsigned broken_ = 0;
};

}  // namespace penstock::world
