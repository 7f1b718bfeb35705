#include "penstock/edge/exposed_call.hpp"

#include <memory>
#include <utility>

#include "penstock/call/activation/activation.hpp"
#include "penstock/codec/unknown_names.hpp"

namespace penstock::edge {

namespace {

http::Reply stopping() { return twirp_error(ErrorCode::unavailable, "The binary is stopping."); }

}  // namespace

ExposedCall::ExposedCall(exec::Worker& worker, Request request, Deliver deliver)
    : worker_(&worker), request_(std::move(request)), deliver_(std::move(deliver)) {
  run = [](exec::Job& job) noexcept {
    auto& self = static_cast<ExposedCall&>(job);
    try {
      // Another thread: the worker had left its pool, and who noticed runs its jobs. This one needs
      // a worker, that the answer comes to and that waits for no room.
      if (exec::Worker::current() != self.worker_) return self.move_on();
      self.ask();
    } catch (...) {
      delete &self;  // no memory: the request's time limit answers
    }
  };
  arrived = [](call::Waiter& waiter, call::Frame& frame) noexcept {
    auto& self = static_cast<ExposedCall&>(waiter);
    try {
      self.deliver_(self.reply_of(frame));
    } catch (...) {
      // As above.
    }
    frame.destroy(frame);
    delete &self;
  };
}

void ExposedCall::send(Request request, unsigned place, Deliver deliver) {
  exec::Pool& pool = *request.service.pool;
  const unsigned size = pool.size();
  if (size == 0) return deliver(stopping());
  send_by(pool.worker(place % size), std::move(request), std::move(deliver));
}

void ExposedCall::send_by(exec::Worker& worker, Request request, Deliver deliver) {
  std::unique_ptr<ExposedCall> call(
      new ExposedCall(worker, std::move(request), std::move(deliver)));
  worker.post(*call.release());
}

void ExposedCall::move_on() {
  exec::Pool& pool = *request_.service.pool;
  if (pool.size() != 0) {
    worker_ = &pool.worker(0);
    return worker_->post(*this);
  }
  deliver_(stopping());
  delete this;
}

void ExposedCall::ask() {
  JsonError error;
  call::Frame* const frame = read(error);
  if (frame == nullptr) {
    deliver_(request_.format == Format::json
                 ? twirp_malformed(error)
                 : twirp_malformed("The body is no message of this service in protobuf."));
    delete this;
    return;
  }
  std::string().swap(request_.body);
  call::Activation asker;
  asker.context = std::move(request_.context);
  {
    const call::Activating asking(&asker);
    call::send(*frame, *request_.service.site, nullptr);
  }
  frame->waiter = this;  // the answer comes as a job of this worker
}

call::Frame* ExposedCall::read(JsonError& error) const {
  const Exposed::Type& type = request_.service.type;
  if (request_.format == Format::protobuf) return type.read_protobuf(request_.body);
  const codec::IgnoringUnknownNames lenient;
  return type.read_json(request_.body, error);
}

http::Reply ExposedCall::reply_of(const call::Frame& frame) const {
  if (frame.failed) return twirp_error(frame.error->code(), frame.error->message());
  const Exposed::Type& type = request_.service.type;
  http::Reply reply{200, std::string(http::type_of(request_.format)), {}};
  if (request_.format == Format::protobuf) {
    reply.body.resize(type.answer_bytes(frame));
    type.write_answer(frame, reply.body.data(), reply.body.size());
  } else if (type.append_json == nullptr) {
    reply.body = "{}";
  } else {
    type.append_json(frame, reply.body);
  }
  return reply;
}

}  // namespace penstock::edge
