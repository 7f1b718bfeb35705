#include "penstock/app/running/asking.hpp"

#include <memory>

#include "penstock/base/time.hpp"
#include "penstock/call/activation/activation.hpp"
#include "penstock/call/activation/spans.hpp"
#include "penstock/control/problem_codes.hpp"
#include "penstock/exec/pool.hpp"
#include "penstock/exec/worker.hpp"

namespace penstock::app {

namespace {

// A larger answer would hold up the figures of everybody who looks, and nobody reads it.
constexpr std::size_t kMostAnswerBytes = std::size_t{1} << 20;

/// The calling thread counts with the others.
class Entered {
 public:
  explicit Entered(metrics::Registry& registry) : registry_(registry) { registry_.enter(); }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  ~Entered() { registry_.leave(); }

 private:
  metrics::Registry& registry_;
};

struct LetGo {
  void operator()(call::Spans* spans) const noexcept { spans->let_go(); }
};

// It is followed as an event of a flow is, whatever is sampled: on behalf of an activation that is
// nobody's and has no span of its own, so that the question is a call of its first level.
void send_followed(call::Frame& frame, const call::CallSite& site, call::Spans& spans) {
  call::Activation asker;
  asker.context.deadline_ns = frame.deadline_ns;
  asker.spans = &spans;
  asker.span = call::Spans::kNone;
  const call::Activating asking(&asker);
  call::send(frame, site, nullptr);
}

// What is known of it now: what nobody waited for may still be on its way.
std::vector<control::AskedCall> trace_of(const call::Spans& spans) {
  std::vector<control::AskedCall> trace;
  const std::vector<call::Spans::Span> known = spans.read();
  for (const call::Spans::Span& span : known) {
    control::AskedCall call;
    if (span.parent != call::Spans::kNone) call.parent = span.parent;
    call.service = span.implementation->service->name;
    if (span.implementation->service->implementations.size() > 1) {
      call.implementation = span.implementation->name().str();
    }
    call.at_us = to_us(span.sent_ns - known.front().sent_ns);
    call.failed = span.failed;
    const bool begun = span.begun_ns != 0;
    if (begun) {
      call.thread = span.worker->pool().name() + "·" + std::to_string(span.worker->index());
    }
    const Nanos waited_until = begun ? span.begun_ns : span.ended_ns;
    if (waited_until != 0) call.wait_us = to_us(waited_until - span.sent_ns);
    if (begun && span.ended_ns != 0) call.run_us = to_us(span.ended_ns - span.begun_ns);
    trace.push_back(std::move(call));
  }
  return trace;
}

struct Drop {
  void operator()(call::Frame* frame) const noexcept { call::drop(*frame); }
};

void take_answer(const AskBinding& binding, call::Frame& frame, control::Asked& asked) {
  try {
    if (!call::wait(frame)) call::throw_deadline_exceeded(frame);
    call::check(frame);
    if (binding.append == nullptr) {
      asked.answer = "{}";
      return;
    }
    binding.append(frame, asked.answer);
    if (asked.answer.size() <= kMostAnswerBytes) return;
    const std::string size = std::to_string(asked.answer.size());
    asked.answer.clear();
    throw Error(ErrorCode::resource_exhausted, "the answer has " + size + " bytes, more than the " +
                                                   std::to_string(kMostAnswerBytes) +
                                                   " that are shown");
  } catch (...) {
    const Error error = Error::current();
    asked.error_code = to_string(error.code());
    asked.error_message = error.what();
  }
}

std::shared_ptr<net::Publication> published_as(Model& model, const std::string& name) {
  const net::Names* const names = model.peers().names();
  return names != nullptr ? names->board->find(name) : nullptr;
}

}  // namespace

control::Outcome<control::Asked> ask(Model& model, const control::Asking& asking) {
  const AskBinding* const drawn = model.ask_binding(asking.service);
  // It stays as long as this holds it.
  const std::shared_ptr<net::Publication> published =
      drawn == nullptr ? published_as(model, asking.service) : nullptr;
  if (drawn == nullptr && published == nullptr && asking.service.find('/') != std::string::npos) {
    return control::Refusal{control::problem::kNoSuchService,
                            "service.call: nothing is published as " + asking.service,
                            "What a binary publishes, and when, its own code says."};
  }
  const AskBinding binding = drawn != nullptr       ? *drawn
                             : published != nullptr ? AskBinding{published->make, published->append}
                                                    : AskBinding{};
  if (binding.make == nullptr) {
    return control::Refusal{
        control::problem::kCannotBeAsked,
        "service.call: " + asking.service + " was built without JSON for its messages",
        "Generate and build the project again."};
  }
  const Nanos begin = now_ns();
  const Nanos deadline =
      after(asking.asked_ns != 0 ? asking.asked_ns : begin, Nanos{asking.deadline_ms} * 1'000'000);
  if (begin >= deadline) {
    return control::Asked{"", std::string(to_string(ErrorCode::deadline_exceeded)),
                          "it was not asked: other questions took all its time",
                          static_cast<double>(begin - asking.asked_ns) / 1e6};
  }
  const std::unique_ptr<call::Spans, LetGo> spans(new call::Spans(8));
  JsonError error;
  call::Frame* const made = binding.make(asking.request, error);
  if (made == nullptr) {
    return control::Refusal{control::problem::kNoRequest,
                            "The request of " + asking.service + ": " + error.text(),
                            "Use JSON by the fields of the message that it takes."};
  }
  const call::CallSite& site = drawn != nullptr ? model.ask_site(asking.service) : *published->site;
  const Entered entered(model.registry());
  made->deadline_ns = deadline;
  if (drawn != nullptr) site.callee->asked.fetch_add(1, std::memory_order_relaxed);
  send_followed(*made, site, *spans);
  const std::unique_ptr<call::Frame, Drop> frame(made);
  control::Asked asked;
  take_answer(binding, *frame, asked);
  asked.took_ms = static_cast<double>(now_ns() - begin) / 1e6;
  asked.trace = trace_of(*spans);
  if (published != nullptr && !asked.trace.empty()) asked.trace.front().service = asking.service;
  return asked;
}

}  // namespace penstock::app
