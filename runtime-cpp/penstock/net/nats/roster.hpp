#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/net/nats/announcement.hpp"
#include "penstock/net/nats/session.hpp"
#include "penstock/net/socket/transport.hpp"

namespace penstock::net::nats {

/// Who runs, as processes tell each other over a NATS server: each of a binary that is found there
/// says where it listens to the subject `penstock.PROJECT.BINARY`, as it starts, every kEvery and
/// when it ends; and answers who asks at `penstock.PROJECT.BINARY.who`. What was known holds while
/// there is no server. One thread, and no clock.
class Roster final : public SessionUser {
 public:
  static constexpr Nanos kEvery = 5 * Session::kSecond;
  /// One that has said nothing for so long has gone, where nothing else is asked for.
  static constexpr Nanos kForgotten = 3 * kEvery;
  static constexpr std::size_t kMostMembers = 256;

  /// Where this process listens.
  struct Door {
    Transport how;
    std::string host;  ///< a number; empty: that of this host which it asks the server from
    std::uint16_t port = 0;
  };

  /// `inbox`: letters and digits that nobody guesses.
  Roster(const std::string& project, const std::string& inbox, Nanos forgotten = kForgotten);
  ~Roster() = default;

  /// The number of a binary whose processes are looked for. Before the first session, or of one
  /// that has a number already.
  [[nodiscard]] std::size_t watch(const std::string& binary);
  /// Its processes that are known.
  [[nodiscard]] std::vector<Announcement> members(std::size_t watched) const;

  /// From now on this process says so of itself. Where there is a session that is ready, to it.
  void announce(const std::string& binary, const std::string& instance, std::vector<Door> doors,
                Session* session, Nanos now);
  /// It does no more.
  void withdraw(Session* session);

  /// Before a session: the number of this host that it is held from.
  void held_from(std::string host) { host_ = std::move(host); }
  void ready(Session& session, Nanos now) override;
  void heard(Session& session, const Message& message, Nanos now) override;
  /// As long as the session is ready.
  void look(Session& session, Nanos now);
  [[nodiscard]] Nanos next_look() const noexcept;

 private:
  struct Member {
    Announcement said;
    Nanos heard = 0;
  };
  struct Watched {
    std::string binary;
    std::vector<Member> members;
  };
  struct Own {
    std::string binary;
    std::string instance;
    std::vector<Door> doors;
  };
  /// Where the questions to this process come in; those of the binary at `n` say it at 2n + 2, and
  /// answer at 2n + 3.
  static constexpr std::uint64_t kQuestions = 1;

  [[nodiscard]] std::string subject_of(const std::string& binary) const;
  [[nodiscard]] std::string said_of(const Own& own) const;
  void enter(Session& session, const Own& own, Nanos now);
  static void note(Watched& watched, Announcement said, Nanos now);

  const std::string prefix_;
  const std::string inbox_;
  const Nanos forgotten_;
  std::string host_;
  std::vector<Watched> watched_;
  std::optional<Own> own_;
  Nanos announced_ = 0;
};

}  // namespace penstock::net::nats
