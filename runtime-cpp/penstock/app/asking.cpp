#include "penstock/app/asking.hpp"

#include <memory>

#include "penstock/base/time.hpp"
#include "penstock/control/problem_codes.hpp"

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

}  // namespace

control::Outcome<control::Asked> ask(Model& model, const control::Asking& asking) {
  const AskTarget* const target = model.ask_target(asking.service);
  if (target == nullptr || target->binding.make == nullptr) {
    return control::Refusal{
        control::problem::kCannotBeAsked,
        "service.call: " + asking.service + " was built without JSON for its messages",
        "Generate and build the project again."};
  }
  JsonError error;
  call::Frame* const made = target->binding.make(asking.request, error);
  if (made == nullptr) {
    return control::Refusal{control::problem::kNoRequest,
                            "The request of " + asking.service + " " + error.text(),
                            "Use JSON by the fields of the message that it takes."};
  }
  const Entered entered(model.registry());
  const Nanos begin = now_ns();
  made->deadline_ns = after(begin, Nanos{asking.deadline_ms} * 1'000'000);
  call::send(*made, target->site, nullptr);
  const std::unique_ptr<call::Frame, Drop> frame(made);
  control::Asked asked;
  take_answer(target->binding, *frame, asked);
  asked.took_ms = static_cast<double>(now_ns() - begin) / 1e6;
  return asked;
}

}  // namespace penstock::app
