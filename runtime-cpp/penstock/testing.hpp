#pragma once

/// Public: asks one handler in a small binary of its own, its calls answered by fakes. For the
/// tests and benchmarks of a user's project.

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "penstock/app/binding.hpp"
#include "penstock/service.hpp"

namespace penstock::testing {

/// What was left of a handler's work once all that it was asked had been answered, and it had ended
/// itself: more than nothing is a hint at a leak.
struct Left {
  std::uint64_t calls = 0;       ///< that it was asked
  std::uint64_t unanswered = 0;  ///< of those, and of those that it made
  /// Call frames, coroutine frames and messages, of up to 2 kB each. A thread of its own that frees
  /// some of them, and still runs, keeps them for its next ones: they count as well.
  std::uint64_t blocks = 0;
};

/// The part that knows no types; in the library.
class TestBinary {
 public:
  /// A service whose call site the handler's stub gets. `answer` runs on a thread of the fakes.
  struct Fake {
    call::Implementation::Type type;
    call::Service service;
    call::CallSite site;
    std::shared_ptr<void> answer;
  };

  explicit TestBinary(app::HandlerBinding handler);
  TestBinary(const TestBinary&) = delete;
  TestBinary& operator=(const TestBinary&) = delete;
  ~TestBinary();

  /// Adds a fake; before the first call.
  Fake& add_fake(void (*serve)(call::Frame& frame, void* handler), std::shared_ptr<void> answer,
                 call::Wire wire);
  /// Wires the handler's flows; `kept` lives as long as it does. Before the first call.
  void add_taker(std::shared_ptr<void> kept, std::function<void(void* flows)> set);
  /// The service under test, started at its first use.
  [[nodiscard]] const call::CallSite& site();
  /// The one handler object, made at the first use.
  [[nodiscard]] void* handler();
  /// A partitioned service's handler object for this request; waits until it is not at work.
  [[nodiscard]] void* handler_for(const void* request);
  /// Ends it: nobody asks any more. What it leaves behind; nothing the second time, or where
  /// another one was there meanwhile. Waits for handlers at work, and for a second for coroutines
  /// that nobody waits for: where one has not ended then, its thread stays.
  std::optional<Left> end();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

template <class H>
class ServiceTest {
 public:
  using Request = typename H::request_type;
  using Response = typename H::response_type;

  ServiceTest() : binary_(app::bind_handler<H>()) {}

  /// Answers the handler's calls through this stub: `answer(const Request&) -> Response`, which may
  /// throw. Runs on another thread than the handler. A call that was given no answer fails with
  /// `unimplemented`; `each` asks once. Before the first request.
  template <class Calls, class Asked, class Answered, class Answer>
  void on(Stub<Asked, Answered> Calls::*member, Answer answer) {
    using Function = std::function<Answered(const Asked&)>;
    binary_.add_fake(&serve_fake<Asked, Answered>, std::make_shared<Function>(std::move(answer)),
                     call::wire_to(member));
  }

  /// Takes what the handler pushes into this flow: `take(const Event&)`, on the handler's thread. A
  /// push into a flow that was given nobody fails with `unavailable`. Before the first request.
  template <class Flows, class Event, class Take>
  void on(Inlet<Event> Flows::*member, Take take) {
    using Function = std::function<void(const Event&)>;
    auto taker = std::make_shared<Function>(std::move(take));
    const Function* const address = taker.get();
    binary_.add_taker(std::move(taker), [member, address](void* flows) {
      static_cast<Flows*>(flows)->*member = Inlet<Event>(address);
    });
  }

  /// Asks the handler and waits for its answer. Throws its Error.
  Response operator()(Request request) {
    return Stub<Request, Response>(&binary_.site())(std::move(request)).get();
  }

  /// Asks without waiting.
  [[nodiscard]] Future<Response> start(Request request) {
    return Stub<Request, Response>(&binary_.site())(std::move(request));
  }

  /// The handler object under test, to look at its state between requests.
  [[nodiscard]] H& handler()
    requires(!call::Partitioned<H>)
  {
    return *static_cast<H*>(binary_.handler());
  }
  /// A partitioned service has several: the one that serves requests with this one's value.
  [[nodiscard]] H& handler(const Request& request)
    requires(call::Partitioned<H>)
  {
    return *static_cast<H*>(binary_.handler_for(&request));
  }

  /// Ends the handler and its threads, which the destructor does otherwise, and says what is left
  /// of its work: a hint at a leak. Nothing the second time, and where another ServiceTest was
  /// there meanwhile. Answers that are kept count. The thread that made it.
  std::optional<Left> end() { return binary_.end(); }

 private:
  template <class Asked, class Answered>
  static void serve_fake(call::Frame& base, void* handler) {
    auto& frame = static_cast<call::CallFrame<Asked, Answered>&>(base);
    const auto& answer = *static_cast<std::function<Answered(const Asked&)>*>(handler);
    if constexpr (std::is_void_v<Answered>) {
      answer(frame.request);
    } else {
      frame.response.emplace(answer(frame.request));
    }
    call::finish(frame);
  }

  TestBinary binary_;
};

}  // namespace penstock::testing
