#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "penstock/call/frame/direct.hpp"
#include "penstock/call/frame/frame.hpp"
#include "penstock/call/service/partition_key.hpp"
#include "penstock/codec/definitions.hpp"
#include "penstock/codec/message.hpp"
#include "penstock/codec/read.hpp"
#include "penstock/codec/write.hpp"

namespace penstock::net {

/// Where the answer of a call goes that has no frame.
class AnswerPlace {
 public:
  AnswerPlace() = default;
  AnswerPlace(const AnswerPlace&) = delete;
  AnswerPlace& operator=(const AnswerPlace&) = delete;

  /// Once: memory for an answer of so many bytes; null: nobody hears it.
  [[nodiscard]] virtual char* take(std::size_t bytes) noexcept = 0;

 protected:
  ~AnswerPlace() = default;
};

/// A plain handler that is asked without a frame.
struct DirectHandler {
  const call::Implementation::Type& type;
  void* object = nullptr;
};

/// How the messages of a service get onto the wire and from it: the caller's half and the callee's.
/// Lives as long as the program.
struct RemoteType {
  std::size_t (*request_bytes)(const call::Frame& frame);
  /// Fills as many bytes.
  void (*write_request)(const call::Frame& frame, char* at, std::size_t bytes);
  /// False: malformed. Throws std::bad_alloc.
  bool (*read_answer)(call::Frame& frame, std::string_view bytes);

  /// A call with that request; null: malformed. Throws std::bad_alloc.
  call::Frame* (*read_request)(std::string_view bytes);
  /// Reads a request, asks the handler and writes what that gives, all at once and without a frame.
  /// False: malformed, and the handler was not asked. Throws what the handler throws, and
  /// std::bad_alloc, before it takes the place. Null: calls need frames.
  bool (*run)(const DirectHandler& handler, std::string_view bytes, AnswerPlace& answer) = nullptr;
  /// Of a call that went well.
  std::size_t (*answer_bytes)(const call::Frame& frame);
  void (*write_answer)(const call::Frame& frame, char* at, std::size_t bytes);

  /// Of its messages, as docs/wire.md has them. Throw std::bad_alloc.
  std::string (*request_definitions)();
  std::string (*answer_definitions)();
  /// What is answered replaces the request: the event of a flow.
  bool answer_is_kept = false;

  /// The request or the answer holds Buffers: they are written and read with the large ones beside
  /// them (codec/beside.hpp).
  bool has_buffers = false;

  /// Of a service that is divided by a value: the number that stands for it. Null: it is not.
  std::uint64_t (*key)(const call::Frame& frame) noexcept = nullptr;
};

template <class Message>
void answer_with(const Message& message, AnswerPlace& answer) {
  const std::size_t bytes = codec::Message<Message>::size(message);
  if (char* const at = answer.take(bytes)) {
    codec::Writer writer(at + bytes);
    codec::Message<Message>::write(writer, message);
  }
}

template <class Request, class Response>
bool run_direct(const DirectHandler& handler, std::string_view bytes, AnswerPlace& answer) {
  Request request;
  if (!codec::parse(bytes, request)) return false;
  if constexpr (std::is_void_v<Response>) {
    handler.type.direct(handler.object, &request, nullptr);
    static_cast<void>(answer.take(0));
  } else {
    call::Answer<Response> made;
    handler.type.direct(handler.object, &request, made.place());
    answer_with(made.take(), answer);
  }
  return true;
}

/// `partition_by`: the field of the request that divides the service, `&Order::customer`.
template <class Request, class Response, auto partition_by = nullptr>
[[nodiscard]] constexpr RemoteType make_remote_type() {
  using Frame = call::CallFrame<Request, Response>;
  RemoteType type{};
  type.has_buffers = codec::has_buffers<Request>();
  if constexpr (!std::is_void_v<Response>) type.has_buffers |= codec::has_buffers<Response>();
  if (!type.has_buffers) type.run = &run_direct<Request, Response>;
  type.request_definitions = &codec::definitions<Request>;
  type.answer_definitions = &codec::definitions<Response>;
  type.answer_is_kept = requires { codec::Message<Response>::kIsKept; };
  type.request_bytes = [](const call::Frame& frame) {
    return codec::Message<Request>::size(static_cast<const Frame&>(frame).request);
  };
  type.write_request = [](const call::Frame& frame, char* at, std::size_t bytes) {
    codec::Writer writer(at + bytes);
    codec::Message<Request>::write(writer, static_cast<const Frame&>(frame).request);
  };
  type.read_request = [](std::string_view bytes) -> call::Frame* {
    Request request;
    return codec::parse(bytes, request) ? Frame::make(std::move(request)) : nullptr;
  };
  if constexpr (!std::is_null_pointer_v<decltype(partition_by)>) {
    type.key = [](const call::Frame& frame) noexcept {
      return call::key_of(static_cast<const Frame&>(frame).request.*partition_by);
    };
  }
  if constexpr (std::is_void_v<Response>) {
    type.read_answer = [](call::Frame&, std::string_view bytes) { return bytes.empty(); };
    type.answer_bytes = [](const call::Frame&) { return std::size_t{0}; };
    type.write_answer = [](const call::Frame&, char*, std::size_t) {};
  } else {
    type.read_answer = [](call::Frame& frame, std::string_view bytes) {
      return codec::parse(bytes, static_cast<Frame&>(frame).response.emplace());
    };
    // An answer without error has a value.
    type.answer_bytes = [](const call::Frame& frame) {
      return codec::Message<Response>::size(*static_cast<const Frame&>(frame).response);
    };
    type.write_answer = [](const call::Frame& frame, char* at, std::size_t bytes) {
      codec::Writer writer(at + bytes);
      codec::Message<Response>::write(writer, *static_cast<const Frame&>(frame).response);
    };
  }
  return type;
}

template <class Request, class Response, auto partition_by = nullptr>
inline constexpr RemoteType kRemoteType = make_remote_type<Request, Response, partition_by>();

}  // namespace penstock::net
