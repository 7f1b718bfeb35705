#include "penstock/edge/exposed_call.hpp"

#include <memory>
#include <utility>

#include "penstock/call/activation/activation.hpp"
#include "penstock/codec/unknown_names.hpp"

namespace penstock::edge {

namespace {

http::Reply stopping() { return twirp_error(ErrorCode::unavailable, "The binary is stopping."); }

}  // namespace

ExposedCall::ExposedCall(exec::Worker& worker, Request request, std::unique_ptr<Asker> asker)
    : worker_(&worker), request_(std::move(request)), asker_(std::move(asker)) {
  run = [](exec::Job& job) noexcept {
    std::unique_ptr<ExposedCall> coming(&static_cast<ExposedCall&>(job));
    while (coming != nullptr) {
      ExposedCall* const self = coming.release();
      coming = std::move(self->along_);
      try {
        // Another thread: the worker had left its pool, and who noticed runs its jobs. This one
        // needs a worker, that the answer comes to and that waits for no room.
        if (exec::Worker::current() != self->worker_) {
          self->move_on();
        } else {
          self->ask();
        }
      } catch (...) {
        delete self;  // no memory: the request's time limit answers
      }
    }
  };
  arrived = [](call::Waiter& waiter, call::Frame& frame) noexcept {
    auto& self = static_cast<ExposedCall&>(waiter);
    try {
      self.asker_->take(self.reply_of(frame));
    } catch (...) {
      // As above.
    }
    frame.destroy(frame);
    delete &self;
  };
}

void ExposedCall::ask_here(Request request, std::unique_ptr<Asker> asker) {
  auto call = make_for(*exec::Worker::current(), std::move(request), std::move(asker));
  ExposedCall* const self = call.release();
  try {
    self->ask();
  } catch (...) {
    delete self;
    throw;
  }
}

std::unique_ptr<ExposedCall> ExposedCall::make(Request request, unsigned place,
                                               std::unique_ptr<Asker> asker) {
  exec::Pool& pool = *request.service.pool;
  const unsigned size = pool.size();
  if (size != 0) return make_for(pool.worker(place % size), std::move(request), std::move(asker));
  asker->take(stopping());
  return nullptr;
}

std::unique_ptr<ExposedCall> ExposedCall::make_for(exec::Worker& worker, Request request,
                                                   std::unique_ptr<Asker> asker) {
  return std::unique_ptr<ExposedCall>(
      new ExposedCall(worker, std::move(request), std::move(asker)));
}

void ExposedCall::take_along(std::unique_ptr<ExposedCall> other) {
  ExposedCall* const added = other.get();
  (last_ != nullptr ? last_->along_ : along_) = std::move(other);
  last_ = added;
}

void ExposedCall::send(std::unique_ptr<ExposedCall> call) noexcept {
  exec::Worker& worker = *call->worker_;
  worker.post(*call.release());
}

void ExposedCall::move_on() {
  exec::Pool& pool = *request_.service.pool;
  if (pool.size() != 0) {
    worker_ = &pool.worker(0);
    return worker_->post(*this);
  }
  asker_->take(stopping());
  delete this;
}

void ExposedCall::ask() {
  JsonError error;
  call::Frame* const frame = read(error);
  if (frame == nullptr) {
    asker_->take(request_.format == Format::json
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
