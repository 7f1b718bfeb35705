#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "penstock/base/time.hpp"
#include "penstock/call/activation/activation.hpp"
#include "penstock/exec/worker.hpp"
#include "penstock/net/link/link.hpp"
#include "penstock/net/remote/names/board.hpp"
#include "penstock/net/socket/connection.hpp"

namespace penstock::net {

/// Calls of quick plain handlers that came together over one link: they run one after another as
/// one job of its worker, without a frame each. On its thread.
class Rows {
 public:
  /// Which outlives it.
  explicit Rows(Connection& connection) noexcept;
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  ~Rows();

  /// Within LinkUser::called(): takes a call along. False: it needs a frame, and those that come
  /// behind it do not overtake it where its service has but one thread.
  /// Throws std::bad_alloc.
  [[nodiscard]] bool take(const Offer& offer, const Incoming& call);
  /// Within LinkUser::called_together(), likewise: how many of them, from the first on.
  [[nodiscard]] std::uint32_t take(const Offer& offer, const IncomingRow& calls);
  /// Some are to run still: it outlives them, also where the link is closed.
  [[nodiscard]] bool waits() const noexcept { return waiting_ != 0; }

 private:
  /// Calls of one service that came in one frame.
  struct Calls {
    const Offer* offer = nullptr;
    call::Implementation* implementation = nullptr;
    CallNumber first;
    std::uint32_t count = 1;
    bool together = false;      ///< else it is one that came alone
    std::uint64_t sampled = 0;  ///< one a bit
    std::size_t begin = 0;      ///< of their requests, in the row's bytes
    std::size_t bytes = 0;
    Nanos came_ns = 0;  ///< where some are sampled, or one has a deadline
    Nanos deadline_ns = 0;
  };
  struct Row final : exec::Job {
    Rows* rows = nullptr;
    std::vector<Calls> calls;
    std::uint32_t count = 0;  ///< of all of them
    std::string bytes;
    Nanos takes_ns = 0;  ///< all of them, by what was sampled
    bool takes_more = true;
  };

  class Running;

  [[nodiscard]] Row* row_for(Nanos takes_ns, bool alone);
  [[nodiscard]] Row& begin_row();
  Calls& add(Row& row, const Offer& offer, call::Implementation& implementation,
             std::string_view bytes, std::uint32_t count);
  void run(Row& row) noexcept;
  void run(const Calls& calls, std::string_view requests) noexcept;
  void run_one(Running& running, std::string_view request) noexcept;
  /// `is_asked`: the handler, also where it throws.
  void serve(Running& running, std::string_view request, bool& is_asked);
  void fail(const Running& running, call::Times times) noexcept;

  Connection& connection_;
  exec::Worker& worker_;
  call::Activation activation_;  // of whichever runs
  Row* open_ = nullptr;          // the last one that was begun and has not run
  std::size_t waiting_ = 0;      // that were begun and have not run
  std::unique_ptr<Row> spare_;
  std::string answers_;  // of calls that came together, as long as those run
};

}  // namespace penstock::net
