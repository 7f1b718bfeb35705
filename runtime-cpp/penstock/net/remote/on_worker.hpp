#pragma once

#include <atomic>
#include <exception>
#include <utility>

#include "penstock/exec/worker.hpp"

namespace penstock::net {

/// Runs `body` on a worker that serves its pool, and waits for it: for set-up and end, on a thread
/// that is no worker. Throws what `body` throws.
template <class Body>
void on_worker(exec::Worker& worker, Body body) {
  struct Call : exec::Job {
    explicit Call(Body& its_body) : body(its_body) {}
    Body& body;
    std::exception_ptr thrown;
    std::atomic<bool> done{false};
  };
  Call call(body);
  call.run = [](exec::Job& job) noexcept {
    auto& self = static_cast<Call&>(job);
    try {
      self.body();
    } catch (...) {
      self.thrown = std::current_exception();
    }
    // Release: pairs with the acquire below. Notified under no lock: the waiter may be gone then,
    // and only its address is used.
    self.done.store(true, std::memory_order_release);
    self.done.notify_one();
  };
  worker.post_as_visitor(call);
  call.done.wait(false, std::memory_order_acquire);
  if (call.thrown) std::rethrow_exception(call.thrown);
}

}  // namespace penstock::net
