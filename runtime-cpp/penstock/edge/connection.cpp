#include "penstock/edge/connection.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include "penstock/http/bearer.hpp"
#include "penstock/http/context_headers.hpp"

namespace penstock::edge {
namespace {

/// `application/json`, also with `; charset=utf-8`.
bool is_plain_json(std::string_view type) {
  std::string rest;
  for (const char c : type.substr(std::min(type.find(';'), type.size()))) {
    if (c != ' ') rest += c;
  }
  return http::format_of(type) == Format::json &&
         (rest.empty() || http::same_without_case(rest, ";charset=utf-8"));
}

std::string_view code_of(int status) {
  switch (status) {
    case 401:
      return "unauthenticated";
    case 403:
      return "permission_denied";
    case 404:
    case 405:
      return "bad_route";
    case 408:
      return "deadline_exceeded";
    case 429:
      return "resource_exhausted";
    case 500:
      return "internal";
    case 503:
      return "unavailable";
    default:
      return "malformed";
  }
}

}  // namespace

http::Reply Connection::refusal(const http::Denial& denial) const {
  if (service_ != nullptr && denial.status == 413) {
    http::Reply too_long = twirp_error(ErrorCode::resource_exhausted, "The body is too long.",
                                       {{"max_bytes", kMostRequestText}});
    add_page(too_long);
    return too_long;
  }
  http::Reply reply{denial.status, std::string(http::type_of(Format::json)),
                    flow::http_error_body(code_of(denial.status), denial.reason)};
  if (denial.status == 401) reply.fields = {{"WWW-Authenticate", "Bearer"}};
  if (denial.status == 405) reply.fields = {{"Allow", "POST"}};
  if (denial.status == 429 || denial.status == 503) reply.fields = {{"Retry-After", "1"}};
  add_page(reply);
  return reply;
}

void Connection::deny(int status, std::string reason) {
  // What follows on it is not trusted; a body that was not read would be taken for a request.
  reply(refusal({status, std::move(reason)}), false);
}

void Connection::on_request(const http::RequestHead& head) {
  ++request_;
  service_ = nullptr;
  origin_.clear();
  const auto found =
      std::find_if(shared_.sources.begin(), shared_.sources.end(),
                   [&](const auto* source) { return source->settings().path == head.target; });
  source_ = found != shared_.sources.end() ? *found : nullptr;
  const ServerOptions& options = shared_.options;
  // The same for each path: who has no token is not to learn which of them are flows.
  const bool pages = !shared_.exposed.services.empty();
  if (const auto denial =
          http::check_form(head, {.port = shared_.port,
                                  .secured = options.security != nullptr,
                                  .beyond = options.beyond,
                                  .pages = pages ? &shared_.exposed.origins : nullptr,
                                  .old = true})) {
    return deny(denial->status, denial->reason);
  }
  // It was let through: its origin is one that may read the answer.
  if (const auto origin = http::field(head, "Origin")) origin_ = *origin;
  // Before it can send a token, a page is asked whether it may.
  if (!origin_.empty() && head.method == "OPTIONS" && !head.has_body) return tell_page();
  // On this machine everybody may read how the services are asked.
  if (source_ == nullptr && pages && !options.beyond && take_for_page(head)) return;
  // Before its path is looked for: who is a stranger does not hear what is served.
  if (options.tokens) {
    if (const auto denial = http::check_bearer(head, *options.tokens)) {
      return deny(denial->status, denial->reason);
    }
  }
  if (source_ != nullptr && http::is_of_page(head)) {
    return deny(403, "Requests of web pages are refused.");
  }
  if (source_ != nullptr) return take_for_flow(head);
  if (pages) return take_for_service(head);
  deny(404, "There is no flow at this path.");
}

void Connection::take_for_flow(const http::RequestHead& head) {
  if (head.method != "POST") return deny(405, "Events are posted.");
  if (!is_plain_json(http::field(head, "Content-Type").value_or(""))) {
    return deny(415, "The Content-Type must be application/json.");
  }
  if (http::field(head, "Content-Encoding")) {
    return deny(415, "The body must not be compressed.");
  }
  if (shared_.draining || !source_->is_open()) return deny(503, "The binary is stopping.");
  context_ = http::context_of(head);
  read_body(source_->settings().max_bytes);
}

void Connection::on_body(std::string body) {
  if (service_ != nullptr) return ask(std::move(body));
  const http::Limits::Time limit(source_->settings().timeout_ms);
  // The time it waits for room counts.
  context_.deadline_ns = answer_due(limit);
  going_ = std::make_shared<FlowRequest>(*source_, std::move(body), std::exchange(context_, {}),
                                         deliver_here());
  await_answer(limit);
  // Events enter a flow on one thread.
  if (at_worker_ != nullptr) {
    shared_.post([&shared = shared_, going = going_] {
      if (auto at_once = shared.flows.take(going)) going->deliver(std::move(*at_once));
    });
  } else if (const auto at_once = shared_.flows.take(going_)) {
    answer(*at_once, true);
  }
}

namespace {

/// What is told on a worker.
template <class Tell>
struct ToWorker final : exec::Job {
  ToWorker(exec::Worker& its_worker, Tell its_tell)
      : worker(its_worker), tell(std::move(its_tell)) {
    run = [](exec::Job& job) noexcept {
      const std::unique_ptr<ToWorker> self(&static_cast<ToWorker&>(job));
      // Another thread: the worker has left its pool, which who waits for something does not.
      if (exec::Worker::current() != &self->worker) return;
      try {
        self->tell();
      } catch (const std::exception&) {
        // No memory: the request's time limit answers.
      }
    };
  }
  exec::Worker& worker;
  Tell tell;
};

}  // namespace

flow::HttpSource::Deliver Connection::deliver_here() {
  const auto weak = std::weak_ptr(std::static_pointer_cast<Connection>(shared_from_this()));
  const auto tell = [weak, request = request_](const flow::HttpAnswer& answer) {
    const auto self = weak.lock();
    if (self != nullptr && self->is_here()) self->take_flow_answer(request, answer);
  };
  if (at_worker_ == nullptr) {
    return [&shared = shared_, tell](flow::HttpAnswer answer) {
      shared.post([tell, answer = std::move(answer)] { tell(answer); });
    };
  }
  return [&worker = at_worker_->worker(), tell](flow::HttpAnswer answer) {
    auto told = [tell, answer = std::move(answer)] { tell(answer); };
    auto job = std::make_unique<ToWorker<decltype(told)>>(worker, std::move(told));
    worker.post(*job.release());
  };
}

void Connection::take_flow_answer(std::uint64_t request, const flow::HttpAnswer& answer) {
  // Of an earlier request, or too late.
  if (request_ == request && source_ != nullptr) this->answer(answer, true);
}

// True: it had not come into the flow.
bool Connection::stop_waiting() {
  const auto going = std::exchange(going_, nullptr);
  return going != nullptr && going->give_up();
}

void Connection::answer(const flow::HttpAnswer& answer, bool keep_alive) {
  source_ = nullptr;
  going_.reset();
  http::Reply content{answer.status, std::string(http::type_of(Format::json)), answer.body};
  if (answer.status == 429 || answer.status == 503) content.fields = {{"Retry-After", "1"}};
  reply(content, keep_alive && !shared_.draining && client_keeps_alive());
}

void Connection::on_answer_late() {
  if (service_ != nullptr) {
    cancel_asked();
    return answer_page(
        twirp_error(ErrorCode::deadline_exceeded,
                    "The service took longer than " + std::to_string(timeout_ms_) + " ms."),
        false);
  }
  const std::string limit = std::to_string(source_->settings().timeout_ms) + " ms";
  const bool waited = stop_waiting();
  // What runs of its event runs on, what has not begun yet does not begin; whoever asks again sends
  // another one.
  answer(waited ? flow::http_error(ErrorCode::unavailable,
                                   "The flow's queue had no room within " + limit + ".")
                : flow::http_error(ErrorCode::deadline_exceeded,
                                   "The flow took longer than " + limit + "."),
         false);
}

void Connection::drop() {
  stop_waiting();
  cancel_asked();
  http::Connection::drop();
}

void Connection::poked() {
  if (shared_.over || (shared_.draining && awaits_request())) return drop();
  http::Connection::poked();
}

}  // namespace penstock::edge
