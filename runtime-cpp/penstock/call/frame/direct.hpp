#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "penstock/call/frame/frame.hpp"

/// The shortest way of an inline call: what a call of a plain handler on this very thread has to
/// look up, found once for each call site and kept.
namespace penstock::call {

/// What an inline call of a site does on the one thread where its callee lives. Belongs to the site
/// and never changes: that thread is its pool's first one, or the callee is bound to it, and
/// neither leaves before the pool ends.
struct Direct {
  const exec::Worker* worker = nullptr;  ///< null: nobody's
  void* handler = nullptr;
  void (*run)(void* handler, const void* request, void* response) = nullptr;
  // Of the thread's own shard.
  metrics::Shard::Sampling* calls = nullptr;
  metrics::Shard::Cell* done = nullptr;
  const exec::Pool* pool = nullptr;
  /// Wherever the pool has several threads, it is this one.
  bool bound = false;
  bool may_block = false;
};

/// Runs the callee as its caller's own code when that is all there is to it: one plain handler on
/// this very thread, no deadline, not sampled. Throws the callee's Error. False: nothing was done.
[[nodiscard, gnu::always_inline]] inline bool run_here(const CallSite& site, const void* request,
                                                       void* response);

/// Any other inline call of a plain handler: looks at everything, and keeps what the next one may
/// go by. Null when it is done; else nothing was done, because this is a coroutine, which needs a
/// frame (run_inline). Throws Error(failed_precondition) when the service is not placed on this
/// very thread, or is busy with something else, and the callee's Error.
[[nodiscard]] Implementation* run_here_fully(const CallSite& site, const void* request,
                                             void* response);

/// Counts the failure of a call that run_here() made, and throws the exception that is being
/// handled on as the callee's Error.
[[noreturn]] void fail_here(const CallSite& site, Times times = {});

/// What a site has whose inline calls have found nothing yet.
inline constexpr Direct kNothingFound{};

/// Memory for an answer that is not there yet.
template <class Response>
class Answer {
 public:
  Answer() noexcept {}  // NOLINT(modernize-use-equals-default): leaves the union without a member
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;
  ~Answer() {}  // NOLINT(modernize-use-equals-default): take() ends the answer

  [[nodiscard]] void* place() noexcept { return &response_; }
  /// Once, when it is there.
  [[nodiscard]] Response take() noexcept(std::is_nothrow_move_constructible_v<Response>) {
    struct End {
      Response& response;
      ~End() { std::destroy_at(&response); }
    };
    const End end{response_};
    return std::move(response_);
  }

 private:
  union {
    Response response_;
  };
};

/// What holds for a call of the site that is made here and now; null: nothing that was found.
[[nodiscard, gnu::always_inline]] inline const Direct* found_here(const CallSite& site) noexcept {
  const Activation* const caller = current_activation();
  if (caller == nullptr) [[unlikely]]
    return nullptr;
  // Acquire: pairs with the release where it is made.
  const Direct* const direct = site.direct.load(std::memory_order_acquire);
  // What the callee would carry is what its caller carries: it needs no activation of its own.
  // A call that is to be written down needs one.
  const bool carries = (static_cast<std::uint64_t>(caller->context.deadline_ns) |
                        reinterpret_cast<std::uintptr_t>(caller->spans)) != 0;
  if (caller->worker.load(std::memory_order_relaxed) != direct->worker || carries ||
      caller->may_block != direct->may_block) [[unlikely]]
    return nullptr;
  return direct->pool->size() == 1 || direct->bound ? direct : nullptr;
}

bool run_here(const CallSite& site, const void* request, void* response) {
  const Direct* const direct = found_here(site);
  if (direct == nullptr || !direct->calls->pass_by()) [[unlikely]]
    return false;
  try {
    direct->run(direct->handler, request, response);
  } catch (...) {
    fail_here(site);
  }
  metrics::Shard::count_up(*direct->done);
  return true;
}

}  // namespace penstock::call
