#pragma once

/// Public: services that a binary offers, and looks for, while it runs, beside those of its
/// drawing. Their messages are the project's: include `messages_codec.hpp` as well. A binary with
/// code that includes this has places for 16 services that it publishes and for 16 that it
/// resolves.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "penstock/app/ask_binding.hpp"
#include "penstock/call/frame/serve.hpp"
#include "penstock/net/remote/names/own_names.hpp"
#include "penstock/service.hpp"

namespace penstock {

struct PublishOptions {
  /// Names of the binaries that may call it; none: all of the project.
  std::optional<std::vector<std::string>> callers = std::nullopt;
};

struct ResolveOptions {
  std::int64_t deadline_ms = 0;  ///< for one answer; 0: none but the caller's
  bool idempotent = false;       ///< a call that may have been run may be sent again
};

/// What is published, for as long as this is there: when it goes nobody can call it any more, and
/// those who have are answered. One thread at a time.
class [[nodiscard]] Published {
 public:
  Published() noexcept = default;
  explicit Published(std::shared_ptr<net::Publication> publication) noexcept
      : publication_(std::move(publication)) {}
  Published(Published&& other) noexcept = default;
  Published& operator=(Published&& other) noexcept {
    if (this != &other) {
      withdraw({});
      publication_ = std::move(other.publication_);
    }
    return *this;
  }
  Published(const Published&) = delete;
  Published& operator=(const Published&) = delete;
  ~Published() { withdraw({}); }

  [[nodiscard]] bool is_there() const noexcept { return publication_ != nullptr; }

 private:
  friend Task<void> unpublish(Published published);
  void withdraw(std::optional<Completion<void>::Callback> told) noexcept {
    if (publication_ == nullptr) return;
    net::take_from_board(publication_, std::move(told));
    publication_.reset();
  }

  std::shared_ptr<net::Publication> publication_;
};

namespace net {

/// Includers want places for their names.
inline const bool kWantsNames = want_names();

/// Of one message; of none: 0.
template <class Message>
inline constexpr std::uint64_t kSchemaOf = codec::Message<Message>::kSchema;
template <>
inline constexpr std::uint64_t kSchemaOf<void> = 0;

/// A publication whose handler is a function.
template <class Request, class Response, class Function>
class Answers final : public Publication {
 public:
  using request_type = Request;
  using response_type = Response;

  explicit Answers(Function function) : function_(std::move(function)) {}

  // The request is the handler's: it may move from it. Nothing of this is used once it has ended.
  Task<Response> handle(Request& request) {
    const std::shared_ptr<Publication> kept = shared_from_this();
    const Function& function = function_;
    using Given = std::invoke_result_t<const Function&, Request&>;
    if constexpr (call::is_task<Given>) {
      co_return co_await function(request);
    } else if constexpr (std::is_void_v<Response>) {
      function(request);
      co_return;
    } else {
      co_return function(request);
    }
  }
  void serve(call::Frame& frame) override { call::serve<Answers>(frame, this); }

 private:
  const Function function_;
};

/// Of the calls that only look.
struct Nothing {};

}  // namespace net

/// Offers `handler` as `Bundle/Service` to other binaries, from now on. It is a function of the
/// request, `Response(const Request&)`, that may be a coroutine, `Task<Response>(const Request&)`,
/// and may not block: workers of the pool of links call it, several at once. It throws Error as
/// handlers do; deadline, trace and baggage of who asks are its context(). Any thread of the
/// binary. Throws Error(already_exists) where the binary offers that name,
/// Error(resource_exhausted) where 16 are published, Error(invalid_argument) for no such name,
/// Error(failed_precondition) while the binary does not run.
template <class Request, class Response, class Function>
Published publish(std::string name, Function handler, PublishOptions options = {}) {
  auto made = std::make_shared<net::Answers<Request, Response, Function>>(std::move(handler));
  made->name = std::move(name);
  made->request_schema = net::kSchemaOf<Request>;
  made->answer_schema = net::kSchemaOf<Response>;
  made->type = &net::kRemoteType<Request, Response>;
  made->callers = std::move(options.callers);
  constexpr app::AskBinding ask = app::bind_ask<Request, Response>();
  made->make = ask.make;
  made->append = ask.append;
  net::put_on_board(made);
  return Published(std::move(made));
}

/// Ends it, and waits until the calls that are under way have ended and its handler is gone. Not in
/// that handler, which would wait for itself.
inline Task<void> unpublish(Published published) {
  if (!published.is_there()) co_return;
  Completion<void> ended;
  published.withdraw(ended.callback());
  co_await ended;
}

/// A service that is being looked for. Belongs to the thread that asked.
template <class Request, class Response>
class [[nodiscard]] Resolving {
 public:
  using comes_home = void;
  using Remote = Stub<Request, Response>;

  Resolving(Future<void> looks, Remote remote) noexcept
      : looks_(std::move(looks)), remote_(remote) {}

  /// As Future::get().
  Remote get() {
    looks_.get();
    return remote_;
  }

  class Awaiter {
   public:
    explicit Awaiter(Resolving& resolving) : looks_(resolving.looks_), remote_(resolving.remote_) {}
    [[nodiscard]] bool await_ready() { return looks_.await_ready(); }
    void await_suspend(std::coroutine_handle<> awaiting) noexcept {
      looks_.await_suspend(awaiting);
    }
    Remote await_resume() {
      looks_.await_resume();
      return remote_;
    }

   private:
    typename Future<void>::Awaiter looks_;
    Remote remote_;
  };
  [[nodiscard]] Awaiter operator co_await() & { return Awaiter(*this); }
  [[nodiscard]] Awaiter operator co_await() && { return Awaiter(*this); }

 private:
  Future<void> looks_;
  Remote remote_;
};

/// Looks for a service of another binary of the project: `binary://BINARY/Bundle/Service`, which is
/// found where the drawing says that the binary is; or at an address, `tcp://HOST:PORT/`, `tls://`,
/// `udp://`, or `local://BINARY/` for one of this host that listens at none. What comes is what a
/// drawn call is, `co_await remote(request)`, and may be kept and copied; who asks for the same one
/// again gets the same one, of 16 in the time of a process. Ends with Error(unavailable) where
/// nobody is reached there within 2 s, Error(deadline_exceeded) where the caller's deadline, or
/// that of `options`, is earlier, and Error(unimplemented) where the service is not there or its
/// messages have another definition; the text says why. Throws Error(invalid_argument) for what is
/// no such address, Error(resource_exhausted) where all places are taken,
/// Error(failed_precondition) where it takes keys that this binary does not have, and while it does
/// not run. Any thread of the binary.
template <class Request, class Response>
Resolving<Request, Response> resolve(std::string uri, ResolveOptions options = {}) {
  const net::Found found = net::find_remote({.uri = std::move(uri),
                                             .request_schema = net::kSchemaOf<Request>,
                                             .answer_schema = net::kSchemaOf<Response>,
                                             .type = &net::kRemoteType<Request, Response>,
                                             .deadline_ns = options.deadline_ms * 1'000'000,
                                             .idempotent = options.idempotent});
  auto* const looks = call::CallFrame<net::Nothing, void>::make({});
  call::send(*looks, *found.looks, found.looking);
  return {Future<void>(looks), Stub<Request, Response>(found.calls)};
}

}  // namespace penstock
