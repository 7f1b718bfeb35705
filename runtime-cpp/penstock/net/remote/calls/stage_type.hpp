#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "penstock/call/coroutine/handler_result.hpp"
#include "penstock/net/remote/calls/remote_type.hpp"

/// How a stage in another binary answers: an answer says as well whether the event goes on, and
/// what became of it.
namespace penstock::net {

/// The answer where the flow goes on with what the stage gives: `message { Response value = 1; }`,
/// without a value where the event ends.
template <class Response>
struct Given {
  std::optional<Response> value;
};

/// The answer where the event goes on as it came: `message { bool ended = 1; Event changed = 2; }`.
template <class Event>
struct Passed {
  bool ended = false;
  std::optional<Event> changed;  ///< none: the stage has only looked at it
};

/// Of an answer with that response, or event. Throw std::bad_alloc.
template <class Response>
[[nodiscard]] std::string definitions_of_given() {
  return codec::definitions_around("message 1=value:#1?", codec::definitions<Response>());
}
template <class Event>
[[nodiscard]] std::string definitions_of_passed() {
  return codec::definitions_around("message 1=ended:bool 2=changed:#1?",
                                   codec::definitions<Event>());
}

template <class Event>
[[nodiscard]] std::string definitions_of_ending() {
  return codec::definitions<Event>().empty() ? std::string() : "message 1=ended:bool\n";
}

/// Whether the flow goes on with what the stage gives, or with its event.
enum class StageGives : bool { response, event };

/// The callee's half of a stage that these handler classes run, all of one service. Its answers are
/// written from what the handlers leave in the frame, without a message of their own.
template <StageGives gives, class First, class... Others>
[[nodiscard]] constexpr RemoteType make_stage_type() {
  using Request = typename First::request_type;
  using Response = typename First::response_type;
  using Frame = call::CallFrame<Request, Response>;
  RemoteType type = make_remote_type<Request, Response>();
  type.read_request = [](std::string_view bytes) -> call::Frame* {
    Request request;
    if (!codec::parse(bytes, request)) return nullptr;
    Frame* const frame = Frame::make(std::move(request));
    frame->event = call::Frame::Event::goes_on;
    return frame;
  };
  if constexpr (gives == StageGives::event) {
    constexpr bool kChanges =
        call::changes_request<First> || (call::changes_request<Others> || ...);
    // Where no handler changes its event none is sent back, whatever it has.
    type.answer_definitions =
        kChanges ? &definitions_of_passed<Request> : &definitions_of_ending<Request>;
    type.answer_bytes = [](const call::Frame& frame) -> std::size_t {
      if (frame.event == call::Frame::Event::ends) return codec::size(1, true);
      if (!kChanges) return 0;
      return codec::present_size(2, static_cast<const Frame&>(frame).request);
    };
    type.write_answer = [](const call::Frame& frame, char* at, std::size_t bytes) {
      codec::Writer writer(at + bytes);
      if (frame.event == call::Frame::Event::ends) return codec::write(writer, 1, true);
      if (kChanges) codec::write_present(writer, 2, static_cast<const Frame&>(frame).request);
    };
  } else if constexpr (!std::is_void_v<Response>) {
    type.answer_definitions = &definitions_of_given<Response>;
    type.answer_bytes = [](const call::Frame& frame) -> std::size_t {
      return frame.event == call::Frame::Event::ends
                 ? 0
                 : codec::present_size(1, *static_cast<const Frame&>(frame).response);
    };
    type.write_answer = [](const call::Frame& frame, char* at, std::size_t bytes) {
      if (frame.event == call::Frame::Event::ends) return;
      codec::Writer writer(at + bytes);
      codec::write_present(writer, 1, *static_cast<const Frame&>(frame).response);
    };
  }
  return type;
}

template <StageGives gives, class... H>
inline constexpr RemoteType kStageType = make_stage_type<gives, H...>();

}  // namespace penstock::net

namespace penstock::codec {

template <class Response>
struct Message<net::Given<Response>> {
  static constexpr bool kHasBuffers = has_buffers<Response>();
  static std::string definitions() { return net::definitions_of_given<Response>(); }
  static std::size_t size(const net::Given<Response>& given) { return codec::size(1, given.value); }
  static void write(Writer& out, const net::Given<Response>& given) {
    codec::write(out, 1, given.value);
  }
  static bool read(Reader in, net::Given<Response>& given) {
    while (in.next()) {
      if (in.tag() == 1 ? !codec::read(in, given.value) : (in.skip(), false)) return false;
    }
    return true;
  }
};

template <class Event>
struct Message<net::Passed<Event>> {
  static constexpr bool kHasBuffers = has_buffers<Event>();
  static constexpr bool kIsKept = true;
  static std::string definitions() { return net::definitions_of_passed<Event>(); }
  static std::size_t size(const net::Passed<Event>& passed) {
    return codec::size(1, passed.ended) + codec::size(2, passed.changed);
  }
  static void write(Writer& out, const net::Passed<Event>& passed) {
    codec::write(out, 2, passed.changed);
    codec::write(out, 1, passed.ended);
  }
  static bool read(Reader in, net::Passed<Event>& passed) {
    while (in.next()) {
      bool good = true;
      switch (in.tag()) {
        case 1:
          good = codec::read(in, passed.ended);
          break;
        case 2:
          good = codec::read(in, passed.changed);
          break;
        default:
          in.skip();
      }
      if (!good) return false;
    }
    return true;
  }
};

}  // namespace penstock::codec
