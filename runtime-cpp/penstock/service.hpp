#pragma once

/// Public: what a handler is made of. Light on purpose: every file of a user's project includes it.

#include "penstock/call/activation/local.hpp"
#include "penstock/call/await/gather.hpp"
#include "penstock/call/await/stub.hpp"
#include "penstock/call/coroutine/completion.hpp"
#include "penstock/call/coroutine/handler_result.hpp"
#include "penstock/call/coroutine/task.hpp"
#include "penstock/error.hpp"
#include "penstock/exec/this_worker.hpp"
#include "penstock/flow/source/inlet.hpp"
#include "penstock/message.hpp"
#include "penstock/version.hpp"

namespace penstock {

/// Per handler object state. Specialise it in `src/services/<service>.state.hpp`; one handler
/// object lives on each worker thread that runs the service, so it needs no locks.
template <class HandlerType>
struct State {};

/// State of all objects of a handler, one for each binary. Specialise it where State is; the user
/// keeps it thread-safe.
template <class HandlerType>
struct Shared {};

/// Base of every handler.
class Handler {
 public:
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;

  /// Deadline, trace ids and baggage of the request being served.
  [[nodiscard]] static const Context& context() noexcept { return ::penstock::context(); }

 protected:
  Handler() = default;
  ~Handler() = default;
};

}  // namespace penstock
