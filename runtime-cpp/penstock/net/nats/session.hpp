#pragma once

#include <string>
#include <string_view>

#include "penstock/base/time.hpp"
#include "penstock/net/nats/reader.hpp"

namespace penstock::net::nats {

/// What a server asks whoever connects to it for. All empty: nothing.
struct Login {
  std::string user;
  std::string password;
  std::string token;
};

class Session;

/// What a session tells whoever it belongs to, within receive().
class SessionUser {
 public:
  SessionUser() = default;
  SessionUser(const SessionUser&) = delete;
  SessionUser& operator=(const SessionUser&) = delete;
  /// The server has let this client in, which has no subscription yet.
  virtual void ready(Session& session, Nanos now) = 0;
  virtual void heard(Session& session, const Message& message, Nanos now) = 0;

 protected:
  ~SessionUser() = default;
};

/// One connection to a NATS server, without its socket and without a clock: it is given bytes and
/// the time, and gives bytes and the time at which it wants to be asked again. One thread. What
/// throws (std::bad_alloc) leaves it of no use.
class Session final : Reader::Listener {
 public:
  static constexpr Nanos kSecond = 1'000'000'000;
  static constexpr Nanos kGreet = 5 * kSecond;     ///< for the server to let it in
  static constexpr Nanos kSilence = 10 * kSecond;  ///< then a ping; as long again: it is lost
  /// Who does not read what it is told is left.
  static constexpr std::size_t kMostUnsent = std::size_t{1} << 20U;

  /// `name` is shown by the server's monitoring.
  Session(SessionUser& user, Login login, std::string name, Nanos now)
      : user_(user),
        login_(std::move(login)),
        name_(std::move(name)),
        reader_(*this),
        now_(now),
        begun_(now),
        heard_(now) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() override = default;

  void receive(std::string_view bytes, Nanos now);
  void look(Nanos now);
  /// When to call look().
  [[nodiscard]] Nanos next_look() const noexcept;
  /// To be sent, and then taken out of it.
  [[nodiscard]] std::string& outgoing() noexcept { return outgoing_; }

  [[nodiscard]] bool is_ready() const noexcept { return state_ == State::ready; }
  [[nodiscard]] bool is_over() const noexcept { return state_ == State::over; }
  /// It is over; or what the server did not let it do.
  [[nodiscard]] const std::string& why() const noexcept { return why_; }

  /// Once it is ready. `subject` and `reply` have no blanks.
  void subscribe(std::string_view subject, std::uint64_t subscription);
  void publish(std::string_view subject, std::string_view reply, std::string_view payload);

 private:
  enum class State : std::uint8_t { greeting, asked, ready, over };

  void info(std::string_view json) override;
  void message(const Message& message) override;
  void ping() override;
  void pong() override;
  void error(std::string_view text) override;
  void end(std::string why);
  void say(std::string_view text);

  SessionUser& user_;
  const Login login_;
  const std::string name_;
  Reader reader_;
  State state_ = State::greeting;
  std::string outgoing_;
  std::string why_;
  Nanos now_;
  const Nanos begun_;
  Nanos heard_;       // when something came last
  Nanos pinged_ = 0;  // since then; 0: not
};

}  // namespace penstock::net::nats
