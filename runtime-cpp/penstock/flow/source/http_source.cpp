#include "penstock/flow/source/http_source.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "penstock/codec/memory.hpp"
#include "penstock/json/writer.hpp"

namespace penstock::flow {

namespace {

HttpAnswer error_answer(int status, std::string_view code, std::string_view message,
                        HttpErrorMeta meta) {
  return {status, http_error_body(code, message, meta)};
}

HttpAnswer malformed(const JsonError& error) {
  const std::string line = std::to_string(error.line);
  const std::string column = std::to_string(error.column);
  return error_answer(400, "malformed", error.text(),
                      {{"pointer", error.pointer}, {"line", line}, {"column", column}});
}

/// Of one event; where the drawing lets bodies be long, in proportion to them.
std::size_t most_memory(const HttpSource::Settings& settings) noexcept {
  return std::max(codec::kMostMessageMemory, std::size_t{16} * settings.max_bytes);
}

HttpAnswer takes_too_much(std::size_t most) {
  const std::string bytes = std::to_string(most);
  return error_answer(413, "malformed", "The event takes more than " + bytes + " bytes of memory.",
                      {{"max_memory_bytes", bytes}});
}

HttpAnswer answer_of(const Event& event, const void* value, End how) {
  if (how == End::dropped) {
    return http_error(ErrorCode::unavailable, "A queue of the flow is full.");
  }
  if (event.failure != nullptr) {
    const Failure& failure = *event.failure;
    return error_answer(http_status(failure.code), to_string(failure.code), failure.message,
                        {{"flow", failure.flow}, {"stage", failure.stage}});
  }
  if (how == End::failed) return http_error(ErrorCode::resource_exhausted, "out of memory");
  if (event.type == nullptr || event.type->append_json == nullptr) return {204, {}};
  HttpAnswer answer;
  event.type->append_json(value, answer.body);
  return answer;
}

/// What an event takes that is not worth counting.
constexpr std::size_t kSmall = std::size_t{16} << 10;

/// What events in a flow hold, counted until they have ended.
class Holds {
 public:
  Holds(std::shared_ptr<std::atomic<std::size_t>> all, std::size_t bytes) noexcept
      : all_(std::move(all)), bytes_(bytes) {
    all_->fetch_add(bytes_, std::memory_order_relaxed);
  }
  Holds(const Holds&) = delete;
  Holds& operator=(const Holds&) = delete;
  ~Holds() { all_->fetch_sub(bytes_, std::memory_order_relaxed); }

 private:
  const std::shared_ptr<std::atomic<std::size_t>> all_;
  const std::size_t bytes_;
};

/// An event that nobody waits for, and that holds much.
struct Counted final : Completion {
  Counted(std::shared_ptr<std::atomic<std::size_t>> all, std::size_t bytes)
      : Completion(&on_end), holds(std::move(all), bytes) {}

  static void on_end(Completion& self, Event& /*event*/, End /*how*/) noexcept {
    // Release, and acquire for the last one: it ends it after all that the others did.
    if (self.pieces.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete &static_cast<Counted&>(self);
  }

  const Holds holds;
};

/// A request in the flow. Its pieces end on any threads; the answer is a failure if one of them
/// failed, else the last value that was given, else nothing.
struct Pending final : Completion {
  explicit Pending(HttpSource::Deliver deliver_)
      : Completion(&on_end), deliver(std::move(deliver_)) {}

  void take(HttpAnswer piece) {
    const std::lock_guard hold(mutex);
    const bool failed = piece.status >= 400;
    if (answer.status >= 400 && !failed) return;
    if (piece.status == 204 && answer.status == 200) return;
    answer = std::move(piece);
  }

  static void on_end(Completion& self, Event& event, End how) noexcept {
    auto& pending = static_cast<Pending&>(self);
    try {
      pending.take(answer_of(event, event.storage(), how));
    } catch (...) {
      pending.failed_to_answer.store(true, std::memory_order_relaxed);
    }
    // Release, and acquire for the last one: it sees the answers of all pieces.
    if (pending.pieces.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    const std::unique_ptr<Pending> last(&pending);
    try {
      if (pending.failed_to_answer.load(std::memory_order_relaxed)) {
        pending.answer = http_error(ErrorCode::internal, "The answer could not be written.");
      }
      pending.deliver(std::move(pending.answer));
    } catch (...) {
      // No memory for the answer: the request's time limit answers.
    }
  }

  const HttpSource::Deliver deliver;
  std::optional<Holds> holds;
  std::mutex mutex;
  HttpAnswer answer{204, {}};
  std::atomic<bool> failed_to_answer{false};
};

}  // namespace

int http_status(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::out_of_range:
      return 400;
    case ErrorCode::unauthenticated:
      return 401;
    case ErrorCode::permission_denied:
      return 403;
    case ErrorCode::not_found:
      return 404;
    case ErrorCode::cancelled:
      return 408;
    case ErrorCode::already_exists:
    case ErrorCode::aborted:
      return 409;
    case ErrorCode::failed_precondition:
      return 412;
    case ErrorCode::resource_exhausted:
      return 429;
    case ErrorCode::unimplemented:
      return 501;
    case ErrorCode::unavailable:
      return 503;
    case ErrorCode::deadline_exceeded:
      return 504;
    default:
      return 500;
  }
}

HttpAnswer http_error(ErrorCode code, std::string_view message) {
  return error_answer(http_status(code), to_string(code), message, {});
}

std::string http_error_body(std::string_view code, std::string_view message, HttpErrorMeta meta) {
  std::string body;
  json::JsonWriter out(body);
  out.open('{');
  out.name("code");
  out.text(code);
  out.name("msg");
  out.text(message);
  if (meta.size() != 0) {
    out.name("meta");
    out.open('{');
    for (const auto& [name, value] : meta) {
      out.name(name);
      out.text(value);
    }
    out.close('}');
  }
  out.close('}');
  return body;
}

std::optional<HttpAnswer> HttpSource::submit(std::string_view body, Context context,
                                             Deliver deliver) {
  std::unique_ptr<Pending> pending;
  if (!settings_.accepted) pending = std::make_unique<Pending>(std::move(deliver));
  Event& event = flow().make_event();
  JsonError error;
  bool good = false;
  bool too_large = false;
  std::size_t bytes = 0;
  try {
    const codec::BoundsMemory bound(most_memory(settings_));
    good = settings_.read(body, event, error);
    too_large = bound.is_passed();
    bytes = bound.taken();
  } catch (...) {
    flow().free_event(event);
    throw;
  }
  if (!good) {
    flow().free_event(event);
    flow().count_failed_source();
    return too_large ? takes_too_much(most_memory(settings_)) : malformed(error);
  }
  if (bytes > kSmall && held_->load(std::memory_order_relaxed) + bytes > kMostHeld) {
    flow().free_event(event);
    flow().count_refused();
    return http_error(ErrorCode::unavailable, "There is no memory for more events; try again.");
  }
  if (pending != nullptr) {
    if (bytes > kSmall) pending->holds.emplace(held_, bytes);
    event.set_deadline(context.deadline_ns);
    event.tell(*pending.release());
  } else if (bytes > kSmall) {
    event.tell(*std::make_unique<Counted>(held_, bytes).release());
  }
  event.set_context(std::move(context));
  flow().emit(event);
  if (settings_.accepted) return HttpAnswer{202, {}};
  return std::nullopt;
}

}  // namespace penstock::flow
