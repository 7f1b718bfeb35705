#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace penstock::http {

/// What a connection has to do with the world: the bytes of a socket, with what secures them, and
/// the time. On the thread that owns the socket, but is_here() and poke().
///
/// What it owes to its user it tells there, never from two threads; where it goes from one thread
/// to another it takes everything along. The connection asks for one thing at a time, a read or a
/// write, and is told when it is done; what it asks for last in one of its functions may be done
/// before that returns.
class Line {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// The connection that it is the line of.
  class User {
   public:
    User() = default;
    User(const User&) = delete;
    User& operator=(const User&) = delete;
    virtual ~User() = default;

    /// Somebody owns the line now; once.
    virtual void begin() = 0;
    /// So many bytes came to where they were wanted. Not `good`: it has ended, or was cancelled.
    virtual void received(bool good, std::size_t bytes) = 0;
    /// All that was given has gone, or never will.
    virtual void sent(bool good) = 0;
    /// The time of wake_at() has come, or more.
    virtual void woken() = 0;
    /// The other end has stopped writing, or is gone, while nothing was asked for. By lines that
    /// look for it, once for each of the two, or more often.
    virtual void peer_ended() {}
    /// Somebody poke()d it.
    virtual void poked() = 0;
    /// Ends it now.
    virtual void drop() = 0;
    /// The line may go to another thread: what is waited for is not an answer of this one.
    [[nodiscard]] virtual bool may_move() const = 0;
    /// There is no other thread that could own it, and this one would like to leave.
    virtual void left_alone() = 0;
    /// Who has it keeps it.
    [[nodiscard]] virtual std::shared_ptr<User> keep() = 0;
  };

  /// Of text that is sent one behind the other.
  using Pieces = std::array<std::string_view, 2>;

  Line() = default;
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  virtual ~Line() = default;

  /// First, and once: `user` has it, and so outlives it.
  void serve(User& user) noexcept { user_ = &user; }

  virtual void read(std::span<char> room) = 0;
  virtual void write(Pieces pieces) = 0;
  /// A read or write that waits ends.
  virtual void cancel() = 0;
  /// Instead of what was set before.
  virtual void wake_at(Time time) = 0;
  /// Says that nothing more comes. What the other end still sends may be read, as it comes.
  virtual void end() = 0;
  /// All is over, also for who waits. Who is not kept by somebody else is gone then.
  virtual void close() = 0;

  [[nodiscard]] virtual bool is_secured() const noexcept = 0;
  /// What is written can be read by the other end: of a secured one, it has said something.
  [[nodiscard]] virtual bool is_heard() const noexcept = 0;
  /// There is somebody to serve it after the present answer.
  [[nodiscard]] virtual bool lasts() const noexcept { return true; }

  /// The other end is known to write no more, by lines that look for it.
  [[nodiscard]] virtual bool has_ended() const noexcept { return false; }

  /// The calling thread owns it.
  [[nodiscard]] virtual bool is_here() const noexcept = 0;
  /// Has the thread that owns it call poked(), soon, unless it is gone then. May throw.
  virtual void poke() = 0;

 protected:
  [[nodiscard]] User& user() const noexcept { return *user_; }

 private:
  User* user_ = nullptr;
};

}  // namespace penstock::http
