#pragma once

#include <string>
#include <string_view>

#include "penstock/call/activation/suspended.hpp"
#include "penstock/call/frame/frame.hpp"
#include "penstock/exec/pool.hpp"
#include "penstock/net/link/sent_calls.hpp"
#include "penstock/net/remote/calls/asking.hpp"

namespace penstock::net {

class Client;
class Replica;

/// A call on its way to another binary: what its frame waits in, as a handler's coroutine would.
class RemoteCall final : public SentCall, public Asking, call::Suspended {
 public:
  /// Throws std::bad_alloc.
  [[nodiscard]] static RemoteCall& make(call::Frame& frame, const RemoteService& service,
                                        Client& client);

  [[nodiscard]] const call::Frame& frame() const noexcept { return frame_; }
  [[nodiscard]] std::uint64_t key() const noexcept override { return service().type->key(frame_); }
  [[nodiscard]] Nanos deadline_ns() const noexcept override { return frame_.deadline_ns; }
  [[nodiscard]] const call::CallSite* site() const noexcept override { return frame_.site; }
  [[nodiscard]] std::uint32_t unsent() const noexcept override { return 1; }
  [[nodiscard]] Sending send_over(Replica& to) override;
  void give_up(ErrorCode code, std::string_view text) noexcept override;
  void keep_room() noexcept override { exec::Pool::keep_room(frame_); }
  void change_room() noexcept override {}
  void give_room() noexcept override { exec::Pool::took_room(frame_); }
  /// It ends with an error, and is gone. `text` gives the text, and may throw std::bad_alloc.
  template <class Text>
  void fail(ErrorCode code, const Text& text) noexcept {
    frame_.error = keep_error(code, [this, &text] {
      return "call to " + frame_.implementation->service->name + ": " + text();
    });
    frame_.failed = true;
    finish();
  }
  void fail(ErrorCode code, const char* text) noexcept {
    fail(code, [text] { return std::string(text); });
  }

  /// It ends without an answer: that of a service that gives none.
  void end_well() noexcept { finish(); }

  Replica* replica = nullptr;  ///< which has it; null: it waits
  unsigned losses = 0;         ///< links that broke while they had it

 private:
  RemoteCall(call::Frame& frame, const RemoteService& service, Client& client) noexcept
      : SentCall(kType, service.type->has_buffers),
        Asking(service),
        frame_(frame),
        client_(client) {}

  static std::size_t size_of(const SentCall& call);
  static void write_to(const SentCall& call, char* at);
  static void part(const SentCall& call, PartedMessage& to);
  static wire::CallEnvelope envelope_of(const SentCall& call, Nanos now) noexcept;
  static void on_end(SentCall& call, const CallEnd& end) noexcept;
  static void on_interrupt(call::Suspended& suspended) noexcept;
  static const SentCallType kType;
  void finish() noexcept;

  call::Frame& frame_;
  Client& client_;
};

}  // namespace penstock::net
