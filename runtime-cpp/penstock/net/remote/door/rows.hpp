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
  /// Some are to run still: it outlives them, also where the link is closed.
  [[nodiscard]] bool waits() const noexcept { return waiting_ != 0; }

 private:
  struct Call {
    const Offer* offer = nullptr;
    call::Implementation* implementation = nullptr;
    CallNumber number;
    bool sampled = false;
    std::size_t begin = 0;  ///< of its request, in the row's bytes
    std::size_t bytes = 0;
    Nanos came_ns = 0;  ///< of one that is sampled or has a deadline
    Nanos deadline_ns = 0;
  };
  struct Row final : exec::Job {
    Rows* rows = nullptr;
    std::vector<Call> calls;
    std::string bytes;
    Nanos takes_ns = 0;  ///< all of them, by what was sampled
    bool takes_more = true;
  };

  [[nodiscard]] Row* row_for(Nanos takes_ns, bool alone);
  [[nodiscard]] Row& begin_row();
  void run(Row& row) noexcept;
  void run(const Row& row, const Call& call) noexcept;
  /// `is_asked`: the handler, also where it throws.
  void serve(const Row& row, const Call& call, AnswerPlace& answer, bool& is_asked);
  void fail(const Call& call, call::Times times) noexcept;

  Connection& connection_;
  exec::Worker& worker_;
  call::Activation activation_;  // of whichever runs
  Row* open_ = nullptr;          // the last one that was begun and has not run
  std::size_t waiting_ = 0;      // that were begun and have not run
  std::unique_ptr<Row> spare_;
};

}  // namespace penstock::net
