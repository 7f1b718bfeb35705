#pragma once

#include <sys/epoll.h>
#include <sys/types.h>

#include <algorithm>
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

/// The sockets of a world and what waits for them, as the kernel keeps them: what is sent over a
/// stream comes late and in pieces, there is room for so much, and connections break when the test
/// says so; those of this host come at once, with files beside them; datagrams come late, in any
/// order, and, when the test says so, not at all or twice, changed, or from somebody who has seen
/// others. What the runtime asks the kernel for comes here (system_calls.cpp): its own poller,
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

  /// Draws how many of all datagrams get lost from now on, and how many come twice.
  void lose_some();
  /// Draws how many of all datagrams are changed on their way from now on, and how many more come
  /// that nobody sent from where they seem to be: those that went there before, as they were or
  /// changed, and others that say nothing.
  void forge_some();
  /// Those that came so.
  [[nodiscard]] const std::vector<std::string>& forged() const noexcept { return forged_; }
  /// Some of what goes over streams from now on is changed, a few times in all.
  void change_some();
  /// There is no less between two ends of a stream.
  void make_room(std::size_t bytes) noexcept { room_ = std::max(room_, bytes); }
  /// Pieces of those that were.
  [[nodiscard]] unsigned changed() const noexcept { return changed_; }
  /// Connections to that port break, for one end sooner than for the other one, and what had not
  /// come by then is lost. Of datagrams that is all.
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

  /// `local`: of a Unix socket.
  int socket(bool stream, bool local);
  int bind(int number, std::uint16_t port);
  int listen(int number);
  int connect(int number, std::uint16_t port);
  int accept(int number);
  [[nodiscard]] std::uint16_t port(int number) const;
  [[nodiscard]] bool is_local(int number) const { return at(number).local; }
  [[nodiscard]] bool is_stream(int number) const { return at(number).kind == File::Kind::stream; }
  /// `beside`: a descriptor of the kernel's, of which the other end gets another one; -1: none.
  ssize_t send(int number, std::string_view bytes, int beside = -1);
  /// `beside` is a descriptor that came with what is read, or -1; without it that is closed.
  ssize_t receive(int number, char* to, std::size_t room, int* beside = nullptr);
  /// Of a socket for datagrams that is not connected: from, and to, that port.
  ssize_t receive_from(int number, std::uint16_t& port, char* to, std::size_t room);
  ssize_t send_to(int number, std::uint16_t port, std::string_view bytes);
  int make_event();
  ssize_t raise(int event);
  int make_epoll();
  int control(int epoll, int what, int number, const epoll_event* event);
  /// `until` as of the world's clock; 0: for ever.
  int wait(int epoll, epoll_event* events, std::size_t most, Nanos until);
  int close(int number);

 private:
  static constexpr int kFirst = 1 << 20;

  struct Datagram {
    std::uint16_t from = 0;
    std::uint16_t to = 0;
    std::string bytes;
  };
  /// What is on its way to a socket.
  struct Coming {
    enum class What : std::uint8_t { connection, bytes, end, failure };
    Nanos at = 0;
    What what = What::bytes;
    std::string bytes;
    int error = 0;           ///< of a failure
    int number = 0;          ///< of a connection that a listener gets
    std::uint16_t from = 0;  ///< of a datagram
    int beside = -1;         ///< a descriptor
  };
  /// A descriptor that came with bytes, by their places in all that ever came.
  struct Beside {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    int number = -1;
  };
  struct File {
    enum class Kind : std::uint8_t { stream, listener, datagrams, epoll, event };
    Kind kind = Kind::stream;
    std::uint16_t port = 0;  ///< of the listener, at both ends
    int other = -1;          ///< the end that a stream is connected to; -1: it has gone
    std::deque<Coming> coming;
    std::size_t bytes_coming = 0;
    std::string here;           ///< came, and was not read
    std::deque<Beside> beside;  ///< with that
    std::uint64_t read = 0;     ///< bytes
    bool local = false;
    std::deque<Coming> datagrams;  ///< likewise
    std::uint16_t own = 0;         ///< port, of one for datagrams
    std::uint16_t peer = 0;        ///< that it is connected to; 0: to none
    bool dead = false;             ///< its process was killed
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
  [[nodiscard]] int number_of(const File& file) const noexcept;
  int add(File::Kind kind);
  [[nodiscard]] Nanos arrival(const File& to);
  void put(int to, Coming coming);
  void fail(int number, int error);
  void send_datagram(File& from, std::uint16_t port, std::string_view bytes);
  void put_datagram(File& to, std::uint16_t from, std::string_view bytes);
  [[nodiscard]] File* who_gets(std::uint16_t port, std::uint16_t from) const noexcept;
  void turn_bits(std::string& bytes);
  void change(std::string& bytes);
  void put_bytes(int to, std::string_view bytes);
  [[nodiscard]] static std::size_t take_beside(File& file, std::size_t count, int* beside);
  void forge();
  [[nodiscard]] File* datagrams_at(std::uint16_t port, std::uint16_t peer) const noexcept;
  /// Why it gives and takes none now; 0: it does.
  [[nodiscard]] int error_of(File& datagrams);
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
  std::uint64_t lost_in_ = 0;    ///< datagrams get lost, once in so many
  std::uint64_t twice_in_ = 0;
  std::uint64_t changed_in_ = 0;
  std::uint64_t forged_in_ = 0;
  std::deque<Datagram> went_;  ///< the last ones, where some are forged
  std::vector<std::string> forged_;
  std::uint64_t pieces_changed_in_ = 0;
  unsigned most_changed_ = 0;
  unsigned changed_ = 0;
  std::uint16_t next_port_ = 40'000;
  unsigned broken_ = 0;
};

}  // namespace penstock::world
