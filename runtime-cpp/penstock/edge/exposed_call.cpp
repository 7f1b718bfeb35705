#include "penstock/edge/exposed_call.hpp"

#include <memory>
#include <utility>

#include "penstock/call/activation/activation.hpp"
#include "penstock/codec/memory.hpp"
#include "penstock/codec/unknown_names.hpp"

namespace penstock::edge {

ExposedCall::ExposedCall(Request request, std::unique_ptr<Asker> asker)
    : request_(std::move(request)), asker_(std::move(asker)) {
  arrived = [](call::Waiter& waiter, call::Frame& frame) noexcept {
    const std::unique_ptr<ExposedCall> self(&static_cast<ExposedCall&>(waiter));
    try {
      self->asker_->take(self->reply_of(frame));
    } catch (...) {
      // No memory: the request's time limit answers.
    }
    call::end_cancellable(frame);
  };
}

ExposedCall* ExposedCall::ask(Request request, std::unique_ptr<Asker> asker) {
  std::unique_ptr<ExposedCall> self(new ExposedCall(std::move(request), std::move(asker)));
  http::Reply refusal;
  call::Frame* const frame = self->read(refusal);
  if (frame == nullptr) {
    self->asker_->take(std::move(refusal));
    return nullptr;
  }
  std::string().swap(self->request_.body);
  self->frame_ = frame;
  frame->waiter = self.get();  // the answer comes as a job of this worker
  call::Activation asking;
  asking.context = std::move(self->request_.context);
  {
    const call::Activating activating(&asking);
    call::send(*frame, *self->request_.service.site, nullptr);
  }
  return self.release();
}

call::Frame* ExposedCall::read(http::Reply& refusal) const {
  const Exposed::Type& type = request_.service.type;
  const codec::BoundsMemory bound(codec::kMostMessageMemory);
  JsonError error;
  call::Frame* frame = nullptr;
  if (request_.format == Format::protobuf) {
    frame = type.read_protobuf(request_.body);
  } else {
    const codec::IgnoringUnknownNames lenient;
    frame = type.read_json(request_.body, error);
  }
  if (frame != nullptr) {
    if (asker_->holds(bound.taken())) return frame;
    frame->destroy(*frame);
    refusal = twirp_no_memory();
  } else if (bound.is_passed()) {
    refusal =
        twirp_error(ErrorCode::resource_exhausted, "The message takes more than 16 MiB of memory.",
                    {{"max_memory_bytes", kMostMessageMemoryText}});
  } else if (request_.format == Format::json) {
    refusal = request_.body.empty()
                  ? twirp_malformed("The body is empty; a message without values is {} in JSON.")
                  : twirp_malformed(error);
  } else {
    refusal = twirp_malformed("The body is no message of this service in protobuf.");
  }
  return nullptr;
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
