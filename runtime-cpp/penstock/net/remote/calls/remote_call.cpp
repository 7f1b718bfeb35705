#include "penstock/net/remote/calls/remote_call.hpp"

#include <new>
#include <utility>

#include "penstock/call/service/service.hpp"
#include "penstock/net/remote/calls/client.hpp"
#include "penstock/net/remote/calls/replica.hpp"

namespace penstock::net {

const SentCallType RemoteCall::kType{&size_of, &write_to, &envelope_of, &on_end, &part};

RemoteCall& RemoteCall::make(call::Frame& frame, const RemoteService& service, Client& client) {
  void* const memory = concurrent::allocate(sizeof(RemoteCall));
  auto& made = *::new (memory) RemoteCall(frame, service, client);
  made.stop_here({}, &on_interrupt);
  return made;
}

std::size_t RemoteCall::size_of(const SentCall& call) {
  const auto& self = static_cast<const RemoteCall&>(call);
  return self.service().type->request_bytes(self.frame_);
}

void RemoteCall::write_to(const SentCall& call, char* at) {
  const auto& self = static_cast<const RemoteCall&>(call);
  const RemoteType& type = *self.service().type;
  type.write_request(self.frame_, at, type.request_bytes(self.frame_));
}

// What is sent again is whole still.
void RemoteCall::part(const SentCall& call, PartedMessage& to) {
  const auto& self = static_cast<const RemoteCall&>(call);
  to.keep = self.service().idempotent;
  const codec::WritesBeside writes(to.buffers);
  to.bytes.resize(size_of(call));
  write_to(call, to.bytes.data());
}

wire::CallEnvelope RemoteCall::envelope_of(const SentCall& call, Nanos now) noexcept {
  return wire::CallEnvelope::of(
      static_cast<const RemoteCall&>(call).frame_.callee.activation.context, now);
}

void RemoteCall::on_end(SentCall& call, const CallEnd& end) noexcept {
  auto& self = static_cast<RemoteCall&>(call);
  Replica& replica = *std::exchange(self.replica, nullptr);
  switch (end.kind) {
    case CallEnd::Kind::answer:
      try {
        const codec::ReadsBeside reads(end.buffers);
        const bool read = self.service().type->read_answer(self.frame_, end.bytes);
        replica.did(read ? Replica::Did::well : Replica::Did::ill);
        if (!read) return self.fail(ErrorCode::data_loss, "its answer is malformed");
      } catch (const std::bad_alloc&) {
        return self.fail(ErrorCode::resource_exhausted, "there is no memory for its answer");
      }
      return self.finish();
    case CallEnd::Kind::error: {
      call::Frame& frame = self.frame_;
      replica.did(Replica::judged(end.code));
      if (end.code == ErrorCode::unimplemented) self.client_.is_gone(replica);
      frame.error = keep_error(end.code, [&end] { return std::string(end.bytes); });
      frame.failed = true;
      return self.finish();
    }
    case CallEnd::Kind::lost:
      if (!self.service().idempotent || !self.client_.lost(self)) {
        self.fail(ErrorCode::unavailable, [&self] {
          return "the link to " + self.service().peer->binary +
                 " broke while it was under way; it may have been run";
        });
      }
  }
}

Sending RemoteCall::send_over(Replica& to) { return client_.send_to(to, *this); }

void RemoteCall::give_up(ErrorCode code, std::string_view text) noexcept {
  fail(code, [text] { return std::string(text); });
}

void RemoteCall::on_interrupt(call::Suspended& suspended) noexcept {
  auto& self = static_cast<RemoteCall&>(suspended);
  self.client_.cancel(self);
  self.fail(ErrorCode::cancelled, "nobody waits for it any more");
}

void RemoteCall::finish() noexcept {
  call::Frame& frame = frame_;
  Client& client = client_;
  give_room();
  // Before the frame, which it is suspended in.
  this->~RemoteCall();
  concurrent::release(this, sizeof(RemoteCall));
  {
    const call::Activating activating(&frame.callee.activation);
    call::finish(frame);
  }
  client.ended();
}

}  // namespace penstock::net
