#pragma once

#include <boost/intrusive/list.hpp>
#include <memory>
#include <string>
#include <vector>

#include "penstock/call/activation/suspended.hpp"
#include "penstock/call/frame/frame.hpp"
#include "penstock/exec/pool.hpp"
#include "penstock/exec/timer_wheel.hpp"
#include "penstock/exec/worker.hpp"
#include "penstock/net/link/sent_calls.hpp"
#include "penstock/net/remote/peer.hpp"
#include "penstock/net/socket/connection.hpp"

namespace penstock::net {

class Client;
class Replica;

/// A call on its way to another binary: what its frame waits in, as a handler's coroutine would.
class RemoteCall final : public SentCall,
                         call::Suspended,
                         public boost::intrusive::list_base_hook<
                             boost::intrusive::link_mode<boost::intrusive::normal_link>> {
 public:
  /// Throws std::bad_alloc.
  [[nodiscard]] static RemoteCall& make(call::Frame& frame, const RemoteService& service,
                                        Client& client);

  [[nodiscard]] const RemoteService& service() const noexcept { return service_; }
  [[nodiscard]] const call::Frame& frame() const noexcept { return frame_; }
  /// What waits here on behalf of an event holds back its source.
  void keep_room() noexcept { exec::Pool::keep_room(frame_); }
  void give_room() noexcept { exec::Pool::took_room(frame_); }
  /// It ends with an error, and is gone. `text` gives the text, and may throw std::bad_alloc.
  template <class Text>
  void fail(ErrorCode code, const Text& text) noexcept {
    frame_.error = keep_error(code, [this, &text] {
      return "call to " + frame_.implementation->service->name + ": " + text();
    });
    frame_.failed = true;
    finish();
  }

  Replica* replica = nullptr;  ///< which has it; null: it waits
  Nanos waits_since = 0;

 private:
  RemoteCall(call::Frame& frame, const RemoteService& service, Client& client) noexcept
      : SentCall(kType), frame_(frame), service_(service), client_(client) {}

  static std::size_t size_of(const SentCall& call);
  static void write_to(const SentCall& call, char* at);
  static wire::CallEnvelope envelope_of(const SentCall& call, Nanos now) noexcept;
  static void on_end(SentCall& call, const CallEnd& end) noexcept;
  static void on_interrupt(call::Suspended& suspended) noexcept;
  static const SentCallType kType;
  void finish() noexcept;

  call::Frame& frame_;
  const RemoteService& service_;
  Client& client_;
};

/// What one worker has to do with one peer: its links to the processes of that binary, and the
/// calls that wait for one. On its thread.
class Client {
 public:
  /// Of the calling worker; made at its first use. Throws std::bad_alloc, std::system_error.
  [[nodiscard]] static Client& here(Peer& peer);

  explicit Client(Peer& peer);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  /// Sends it to one of two replicas, the one with fewer calls under way, or has it wait until one
  /// takes it: until its deadline, without one as long as the peer says where no process of the
  /// binary is reached, and where its site is patient until this binary stops.
  void send(RemoteCall& call) noexcept;
  /// Nobody wants its answer any more.
  void cancel(RemoteCall& call) noexcept;
  /// Of a link that broke. True: it is sent again.
  [[nodiscard]] bool lost(RemoteCall& call) noexcept;
  /// It has ended.
  void ended() noexcept;

 private:
  friend class Replica;
  using Waiting = boost::intrusive::list<RemoteCall, boost::intrusive::constant_time_size<true>>;
  /// A process of the peer's binary, whether there is a link to it or not.
  struct Known {
    Directory::Instance instance;
    Replica* replica = nullptr;
    unsigned failures = 0;  ///< in a row
    Nanos not_before = 0;   ///< of the next try
    bool listed = true;
  };
  struct Look : exec::Timer {
    Client* client = nullptr;
  };
  struct Reap : exec::Job {
    Client* client = nullptr;
  };

  static constexpr Nanos kMs = 1'000'000;
  /// Between two looks at who is there: while calls wait for somebody, while there are calls.
  static constexpr Nanos kUrgentLook = 20 * kMs;
  static constexpr Nanos kLookForReplicas = 500 * kMs;
  static constexpr Nanos kFirstPause = 50 * kMs;
  static constexpr Nanos kLongestPause = 2'000 * kMs;

  void look() noexcept;
  void look_for_replicas(Nanos now);
  void connect(Known& known, Nanos now);
  void pause_after_failure(Known& known, Nanos now) noexcept;
  [[nodiscard]] Replica* choose(std::size_t outlet) noexcept;
  void wait(RemoteCall& call) noexcept;
  /// False: it waits.
  [[nodiscard]] bool send_now(RemoteCall& call);
  void send_waiting(std::size_t outlet) noexcept;
  void give_up_waiting(Nanos now) noexcept;
  [[nodiscard]] bool is_patient(const RemoteCall& call) const noexcept;
  void arm(Nanos at) noexcept;
  void broke(Replica& replica) noexcept;
  void reap() noexcept;
  void leave() noexcept;
  void close_if_unused() noexcept;
  [[nodiscard]] bool waits() const noexcept;
  [[nodiscard]] bool is_reached() const noexcept;
  [[nodiscard]] std::string why_unreached() const;
  [[nodiscard]] std::string why_not_offered(std::size_t outlet) const;

  Peer& peer_;
  exec::Worker& worker_;
  std::vector<Known> known_;
  std::vector<std::unique_ptr<Replica>> replicas_;  // also those that are closed, until reap()
  std::vector<Waiting> waiting_;                    // by outlet
  std::size_t under_way_ = 0;                       // calls that wait or were sent
  Look look_;
  Nanos looked_for_ = 0;  // the time that it is armed for
  Nanos looked_ = 0;
  bool used_ = false;  // since then
  bool leaves_ = false;
  Reap reap_;
  bool reap_posted_ = false;
  std::string last_failure_;
};

}  // namespace penstock::net
