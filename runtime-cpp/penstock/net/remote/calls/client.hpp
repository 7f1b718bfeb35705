#pragma once

#include <boost/intrusive/list.hpp>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "penstock/exec/timer_wheel.hpp"
#include "penstock/exec/worker.hpp"
#include "penstock/net/remote/calls/peer.hpp"
#include "penstock/net/remote/calls/remote_call.hpp"
#include "penstock/net/remote/calls/row_call.hpp"
#include "penstock/net/socket/connection.hpp"

namespace penstock::net {

class Replica;

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

  /// Sends it to one of two replicas, the one with fewer calls under way, or, where values divide
  /// its service, to the one that its value has; or has it wait until one takes it: until its
  /// deadline, without one as long as the peer says where no process of the binary is reached, and
  /// where its site is patient until this binary stops.
  void send(RemoteCall& call) noexcept;
  /// The same of the values of a row that are not sent yet. The first time.
  void send(RowCall& row) noexcept;
  /// Of values that were added to one.
  void send_more(RowCall& row) noexcept;
  /// The row that values of this stage may be added to; null: none.
  [[nodiscard]] RowCall*& open_row(std::size_t outlet) noexcept { return open_rows_[outlet]; }
  /// Nothing would be overtaken by what is added to the row.
  [[nodiscard]] bool is_last(const RowCall& row) const noexcept;
  [[nodiscard]] exec::Worker& worker() const noexcept { return worker_; }
  [[nodiscard]] const Peer& peer() const noexcept { return peer_; }
  /// Sends it to this one, if it takes it. Throws std::bad_alloc.
  [[nodiscard]] Sending send_to(Replica& replica, RemoteCall& call);
  /// Nobody wants its answer any more.
  void cancel(RemoteCall& call) noexcept;
  /// Of a link that broke, of a call that may be run twice. True: it is sent again; false: it has
  /// been often enough, and may be what breaks them.
  [[nodiscard]] bool lost(RemoteCall& call) noexcept;
  /// A call that may be run twice is sent so often when its link breaks.
  static constexpr unsigned kSentAgain = 3;
  /// Of a row: some of its values are to be sent again.
  void wait_again(RowCall& row) noexcept;
  /// What it asked for is not there any more, where that may change.
  void is_gone(Replica& replica) noexcept;
  /// It has ended.
  void ended() noexcept;

 private:
  friend class Replica;
  using Waiting = boost::intrusive::list<Asking, boost::intrusive::constant_time_size<true>>;
  /// A process of the peer's binary, whether there is a link to it or not.
  struct Known {
    Directory::Instance instance;
    Replica* replica = nullptr;
    unsigned failures = 0;  ///< in a row
    Nanos opened = 0;       ///< the link to it; 0: it has not
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
  static constexpr Nanos kNever = std::numeric_limits<Nanos>::max();
  /// Between two looks at who is there: while calls wait for somebody, while there are calls.
  static constexpr Nanos kUrgentLook = 20 * kMs;
  static constexpr Nanos kLookForReplicas = 500 * kMs;
  /// So long after a call first waited for somebody it is said that nobody is reached.
  static constexpr Nanos kToldAfter = 300 * kMs;
  static constexpr Nanos kFirstPause = 50 * kMs;
  static constexpr Nanos kLongestPause = 2'000 * kMs;
  /// A link that was open for less is one that failed, as one that did not open at all.
  static constexpr Nanos kShortest = 1'000 * kMs;

  void look() noexcept;
  void look_for_replicas(Nanos now);
  /// It gets no more calls over the link that it has.
  void retire(Known& known) noexcept;
  void connect(Known& known, Nanos now);
  [[nodiscard]] std::unique_ptr<Carrier> carrier_over(const Place& place,
                                                      const Descriptor& socket) const;
  void pause_after_failure(Known& known, Nanos now) noexcept;
  /// Who takes it now; null: nobody.
  [[nodiscard]] Replica* choose(const Asking& call) noexcept;
  [[nodiscard]] Replica* less_busy(std::size_t outlet) noexcept;
  [[nodiscard]] Replica* of_value(std::uint64_t key, std::size_t outlet) noexcept;
  void wait(Asking& call) noexcept;
  void wait_until_taken(Asking& call) noexcept;
  void begin(Asking& call) noexcept;
  /// Whoever waits for a process that is not asked any more goes elsewhere before others do.
  void send_moved() noexcept;
  void count_waiting(Asking& call) noexcept;
  void recount(Asking& call) noexcept;
  void send_waiting(std::size_t outlet) noexcept;
  void give_up_waiting(Nanos now) noexcept;
  /// When it waits no longer to be taken, by its deadline; kNever: it has none.
  [[nodiscard]] static Nanos end_of(const Asking& call) noexcept;
  void waits_no_more(Asking& call) noexcept {
    peer_.figures.waiting.fetch_sub(std::exchange(call.waits, 0), std::memory_order_relaxed);
  }
  void tell_if_down(Nanos now) noexcept;
  [[nodiscard]] bool is_patient(const Asking& call) const noexcept;
  void arm(Nanos at) noexcept;
  /// Whose link it is; null: its process has another one, or is to have.
  [[nodiscard]] Known* known_of(const Replica& replica) noexcept;
  /// Another link to its process may be made. As known_of().
  [[nodiscard]] Known* let_go(const Replica& replica) noexcept;
  void opened(Replica& replica) noexcept;
  void drains(Replica& replica) noexcept;
  void look_soon() noexcept;
  void broke(Replica& replica) noexcept;
  void reap() noexcept;
  void leave() noexcept;
  void close_if_unused() noexcept;
  [[nodiscard]] bool waits() const noexcept;
  [[nodiscard]] bool is_reached() const noexcept;
  [[nodiscard]] bool is_taken(std::size_t outlet) const noexcept;
  [[nodiscard]] std::string why_unreached() const;
  [[nodiscard]] std::string why_not_offered(std::size_t outlet) const;

  Peer& peer_;
  exec::Worker& worker_;
  std::vector<Known> known_;
  std::vector<std::unique_ptr<Replica>> replicas_;  // also those that are closed, until reap()
  std::vector<Waiting> waiting_;                    // by outlet
  std::vector<RowCall*> open_rows_;                 // likewise
  std::uint64_t asked_ = 0;                         // calls and rows so far
  std::size_t under_way_ = 0;                       // calls and rows that wait or were sent
  Look look_;
  Nanos looked_for_ = 0;  // the time that it is armed for
  Nanos looked_ = 0;
  Nanos listed_ = 0;           // the last look for others
  Nanos next_end_ = kNever;    // of those that wait, by the last look
  Nanos unreached_since_ = 0;  // by a look that found calls waiting; 0: not
  bool used_ = false;          // since then
  bool waited_ = false;        // somebody, after the last look
  bool moved_ = false;         // the process of a value may be another one since then
  bool leaves_ = false;
  Reap reap_;
  bool reap_posted_ = false;
  std::string last_failure_;
};

}  // namespace penstock::net
