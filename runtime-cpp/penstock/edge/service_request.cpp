#include <algorithm>
#include <memory>
#include <utility>

#include "penstock/edge/connection.hpp"
#include "penstock/edge/exposed_call.hpp"
#include "penstock/http/context_headers.hpp"

namespace penstock::edge {

namespace {

/// What a request takes beside its body, about.
constexpr std::size_t kAskedBeside = 1024;

/// A request that the drain waits for.
class Asking final : public ExposedCall::Asker {
 public:
  Asking(Shared& shared, std::size_t body, std::weak_ptr<Connection> to, std::uint64_t request)
      : shared_(shared), bytes_(body + kAskedBeside), to_(std::move(to)), request_(request) {
    // Relaxed: a bound that orders nothing.
    shared_.asked_bytes.fetch_add(bytes_, std::memory_order_relaxed);
    // Who drains sets the flag and then looks at the count, we do so the other way round: one of us
    // sees the other, in the one order of all seq_cst operations.
    shared_.asking.fetch_add(1, std::memory_order_seq_cst);
  }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;
  ~Asking() override {
    if (const auto to = to_.lock(); to != nullptr && to->is_here()) to->is_answered(request_);
    shared_.asked_bytes.fetch_sub(bytes_, std::memory_order_relaxed);
    shared_.asking.fetch_sub(1, std::memory_order_seq_cst);
  }

  [[nodiscard]] bool too_late() const {
    return shared_.asks_no_more.load(std::memory_order_seq_cst);
  }
  // Clients that wait shortly and ask again leave requests behind that no connection counts.
  [[nodiscard]] bool too_much() const {
    return shared_.asked_bytes.load(std::memory_order_relaxed) > shared_.options.limits.held_bytes;
  }

  bool holds(std::size_t bytes) override {
    bytes_ += bytes;
    shared_.asked_bytes.fetch_add(bytes, std::memory_order_relaxed);
    return !too_much();
  }
  void take(http::Reply reply) override {
    // It has gone on to another worker, or is nowhere: nobody waits for this one any more.
    const auto to = to_.lock();
    if (to != nullptr && to->is_here()) to->take_answer(request_, std::move(reply));
  }

 private:
  Shared& shared_;
  std::size_t bytes_;
  std::weak_ptr<Connection> to_;
  const std::uint64_t request_;
};

}  // namespace

void Connection::tell_page() {
  http::Reply allowed{204, {}, {}};
  allowed.fields = {{"Access-Control-Allow-Methods", "POST"},
                    {"Access-Control-Allow-Headers",
                     "Authorization, Content-Type, Twirp-Timeout, Traceparent, Baggage"},
                    {"Access-Control-Max-Age", "600"}};
  answer_page(std::move(allowed), client_keeps_alive());
}

void Connection::take_for_service(const http::RequestHead& head) {
  if (take_for_page(head)) return;  // of who had to show a token
  const auto served_at = [this](std::string_view path) {
    return std::find_if(shared_.exposed.services.begin(), shared_.exposed.services.end(),
                        [&](const Exposed& one) { return one.path == path; });
  };
  const auto found = served_at(head.target);
  if (found == shared_.exposed.services.end()) {
    const bool has_query = served_at(head.target.substr(0, head.target.find('?'))) != found;
    return answer_page(twirp_bad_route(head, has_query ? "A service is asked without a query (?)."
                                                       : "Nothing is served at this path."),
                       false);
  }
  if (head.method != "POST") {
    return answer_page(twirp_bad_route(head, "Services are asked by POST."), false);
  }
  const auto format = http::format_of(http::field(head, "Content-Type").value_or(""));
  if (!format) {
    return answer_page(twirp_bad_route(head,
                                       "The Content-Type must be application/json or "
                                       "application/protobuf."),
                       false);
  }
  if (http::field(head, "Content-Encoding")) {
    return answer_page(twirp_malformed("The body must not be compressed."), false);
  }
  const auto timeout = timeout_of(head);
  if (!timeout) {
    return answer_page(
        twirp_error(ErrorCode::invalid_argument, "Twirp-Timeout is in milliseconds, 1 to " +
                                                     std::to_string(http::kMostTimeoutMs) + "."),
        false);
  }
  if (shared_.draining) {
    return answer_page(twirp_error(ErrorCode::unavailable, "The binary is stopping."), false);
  }
  service_ = &*found;
  format_ = *format;
  timeout_ms_ = *timeout;
  context_ = http::context_of(head);
  read_body(kMostRequestBytes);
}

void Connection::ask(std::string body) {
  auto asking = std::make_unique<Asking>(
      shared_, body.size(), std::static_pointer_cast<Connection>(shared_from_this()), request_);
  // Without a worker their pool has stopped.
  if (asking->too_late() || at_worker_ == nullptr) {
    return answer_page(twirp_error(ErrorCode::unavailable, "The binary is stopping."), false);
  }
  if (asking->too_much()) return answer_page(twirp_no_memory(), true);
  // Who has closed its side may be gone, which is not heard of before something is sent to it.
  if (line().has_ended()) timeout_ms_ = std::min(timeout_ms_, kUsualMs);
  const http::Limits::Time limit(timeout_ms_);
  context_.deadline_ns = answer_due(limit);
  await_answer(limit);
  asked_ = ExposedCall::ask({*service_, format_, std::move(body), std::exchange(context_, {})},
                            std::move(asking));
}

void Connection::is_answered(std::uint64_t request) {
  if (request_ == request) asked_ = nullptr;
}

void Connection::cancel_asked() {
  if (ExposedCall* const asked = std::exchange(asked_, nullptr)) asked->cancel();
}

void Connection::take_answer(std::uint64_t request, http::Reply reply) {
  // Of an earlier request, or too late.
  if (request_ != request || awaits_peer()) return;
  answer_page(std::move(reply), true);
}

void Connection::add_page(http::Reply& reply) const {
  if (origin_.empty()) return;
  reply.fields.emplace_back("Access-Control-Allow-Origin", origin_);
  reply.fields.emplace_back("Vary", "Origin");
}

void Connection::answer_page(http::Reply reply, bool keep_alive) {
  asked_ = nullptr;
  add_page(reply);
  this->reply(std::move(reply), keep_alive && !shared_.draining && client_keeps_alive());
}

}  // namespace penstock::edge
