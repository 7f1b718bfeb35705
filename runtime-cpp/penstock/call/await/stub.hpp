#pragma once

#include <cstring>

#include "penstock/call/await/future.hpp"
#include "penstock/call/frame/direct.hpp"

namespace penstock {

/// A drawn call: asks another service, wherever it runs. Any thread; copies share the target.
template <class Request, class Response>
class Stub {
 public:
  using Frame = call::CallFrame<Request, Response>;

  Stub() noexcept = default;
  explicit Stub(const call::CallSite* site) noexcept : site_(site) {}

  /// Asks one implementation, by placement and weight. Errors come through the future. On a thread
  /// that may block, a full queue with overflow `block` blocks here.
  Future<Response> operator()(Request request) const {
    if (site_ == nullptr) call::throw_not_wired();
    Frame* const frame = Frame::make(std::move(request));
    call::send(*frame, *site_, nullptr);
    return Future<Response>(frame);
  }

  /// Asks every implementation.
  CallGroup<Response> each(const Request& request) const {
    if (site_ == nullptr) call::throw_not_wired();
    CallGroup<Response> group;
    const auto implementations = site_->callee->each();
    group.reserve(implementations.size());
    for (call::Implementation* const implementation : implementations) {
      Frame* const frame = Frame::make(Request(request));
      call::send(*frame, *site_, implementation);
      group.add(Future<Response>(frame));
    }
    return group;
  }

  /// Runs the callee here and now, on the caller's stack. Throws Error(failed_precondition) unless
  /// it is placed on this very thread, and the callee's own Error.
  Response inline_call(const Request& request) const {
    if constexpr (std::is_void_v<Response>) {
      if (site_ != nullptr && call::run_here(*site_, &request, nullptr)) [[likely]]
        return;
    } else {
      call::Answer<Response> answer;
      if (site_ != nullptr && call::run_here(*site_, &request, answer.place())) [[likely]]
        return answer.take();
    }
    return inline_call_fully(request);
  }

 private:
  // Out of line: callers of inline_call() get the short way only.
  [[gnu::noinline]] Response inline_call_fully(const Request& request) const {
    if (site_ == nullptr) call::throw_not_wired();
    call::Implementation* coroutine = nullptr;
    if constexpr (std::is_void_v<Response>) {
      coroutine = call::run_here_fully(*site_, &request, nullptr);
      if (coroutine == nullptr) return;
    } else {
      call::Answer<Response> answer;
      coroutine = call::run_here_fully(*site_, &request, answer.place());
      if (coroutine == nullptr) return answer.take();
    }
    Future<Response> future(Frame::make(Request(request)));
    call::run_inline(*future.frame(), *site_, *coroutine);
    call::check(*future.frame());
    return future.take();
  }

  const call::CallSite* site_ = nullptr;
};

namespace call {

/// A wire for this member of the caller's stubs; its site may be set later.
template <class Calls, class Request, class Response>
[[nodiscard]] Wire wire_to(Stub<Request, Response> Calls::*member,
                           const CallSite* site = nullptr) noexcept {
  Wire wire{.set =
                [](void* calls, const Wire& self) {
                  Stub<Request, Response> Calls::*place = nullptr;
                  std::memcpy(&place, self.member.data(), sizeof(place));
                  static_cast<Calls*>(calls)->*place = Stub<Request, Response>(self.site);
                },
            .site = site};
  static_assert(sizeof(member) == sizeof(wire.member));
  std::memcpy(wire.member.data(), &member, sizeof(member));
  return wire;
}

}  // namespace call
}  // namespace penstock
