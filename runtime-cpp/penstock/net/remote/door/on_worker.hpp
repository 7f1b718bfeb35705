#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <semaphore>
#include <utility>

#include "penstock/exec/worker.hpp"

namespace penstock::net {

/// Runs `body` on a worker, and waits for it: for set-up and end, on a thread that is no worker.
/// One that has left its pool passes it on. Throws what `body` throws. False: it
/// has not come to it by the deadline, and runs `body` later, unless the process ends.
template <class Body>
[[nodiscard]] bool on_worker(exec::Worker& worker, Nanos deadline, Body body) {
  struct Call : exec::Job {
    explicit Call(Body its_body) : body(std::move(its_body)) {
      run = [](exec::Job& job) noexcept {
        // Whoever waits may be gone.
        const std::shared_ptr<Call> self = std::move(static_cast<Call&>(job).kept);
        try {
          self->body();
        } catch (...) {
          self->thrown = std::current_exception();
        }
        self->done.release();
      };
    }
    Body body;
    std::exception_ptr thrown;
    std::binary_semaphore done{0};
    std::shared_ptr<Call> kept;
  };
  const auto call = std::make_shared<Call>(std::move(body));
  call->kept = call;
  worker.post_as_visitor(*call);
  if (!call->done.try_acquire_for(std::chrono::nanoseconds(deadline - now_ns()))) return false;
  if (call->thrown) std::rethrow_exception(call->thrown);
  return true;
}

}  // namespace penstock::net
