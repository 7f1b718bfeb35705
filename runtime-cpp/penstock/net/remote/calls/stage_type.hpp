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

/// What a stage whose flow goes on with its event answers. Where no handler changes the event none
/// is sent back, whatever it has.
template <class Event, bool changes>
struct EventAnswer {
  static std::size_t size(bool ends, const Event& event) {
    if (ends) return codec::size(1, true);
    return changes ? codec::present_size(2, event) : 0;
  }
  static void write(codec::Writer& out, bool ends, const Event& event) {
    if (ends) return codec::write(out, 1, true);
    if (changes) codec::write_present(out, 2, event);
  }
};

/// What one answers whose flow goes on with the response, which is there unless the event ends.
template <class Response>
struct ResponseAnswer {
  // NOLINTBEGIN(bugprone-unchecked-optional-access): it is there
  static std::size_t size(bool ends, const std::optional<Response>& response) {
    return ends ? 0 : codec::present_size(1, *response);
  }
  static void write(codec::Writer& out, bool ends, const std::optional<Response>& response) {
    if (!ends) codec::write_present(out, 1, *response);
  }
  // NOLINTEND(bugprone-unchecked-optional-access)
};

/// Writes the answer of a stage: `what` becomes of the event, or the response.
template <class As, class What>
void answer_as(bool ends, const What& what, AnswerPlace& answer) {
  const std::size_t bytes = As::size(ends, what);
  if (char* const at = answer.take(bytes)) {
    codec::Writer writer(at + bytes);
    As::write(writer, ends, what);
  }
}

/// RemoteType::run of a stage of one class of plain handlers.
template <StageGives gives, class H>
bool run_stage_direct(const DirectHandler& handler, std::string_view bytes, AnswerPlace& answer) {
  using Request = typename H::request_type;
  using Response = typename H::response_type;
  using Given = call::Outcome<H>;
  H& object = *static_cast<H*>(handler.object);
  Request request;
  if (!codec::parse(bytes, request)) return false;
  if constexpr (gives == StageGives::event) {
    bool ends = false;
    if constexpr (std::is_same_v<Given, Verdict>) {
      ends = object.handle(call::hand_over<H>(request)) == Verdict::end;
    } else if constexpr (call::may_end<H>) {
      ends = !object.handle(call::hand_over<H>(request)).has_value();
    } else {
      static_cast<void>(object.handle(call::hand_over<H>(request)));
    }
    answer_as<EventAnswer<Request, call::changes_request<H>>>(ends, request, answer);
  } else if constexpr (std::is_void_v<Response>) {
    static_cast<void>(object.handle(call::hand_over<H>(request)));
    static_cast<void>(answer.take(0));
  } else {
    const std::optional<Response> given = object.handle(call::hand_over<H>(request));
    answer_as<ResponseAnswer<Response>>(!given.has_value(), given, answer);
  }
  return true;
}

/// The callee's half of a stage that these handler classes run, all of one service. Its answers are
/// written from what the handlers leave in the frame, without a message of their own.
template <StageGives gives, class First, class... Others>
[[nodiscard]] constexpr RemoteType make_stage_type() {
  using Request = typename First::request_type;
  using Response = typename First::response_type;
  using Frame = call::CallFrame<Request, Response>;
  RemoteType type = make_remote_type<Request, Response>();
  if constexpr (sizeof...(Others) != 0 || call::is_task<call::HandleResult<First>>) {
    type.run = nullptr;
  } else if (!type.has_buffers) {
    type.run = &run_stage_direct<gives, First>;
  }
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
    using Answer = EventAnswer<Request, kChanges>;
    type.answer_definitions =
        kChanges ? &definitions_of_passed<Request> : &definitions_of_ending<Request>;
    type.answer_bytes = [](const call::Frame& frame) {
      return Answer::size(frame.event == call::Frame::Event::ends,
                          static_cast<const Frame&>(frame).request);
    };
    type.write_answer = [](const call::Frame& frame, char* at, std::size_t bytes) {
      codec::Writer writer(at + bytes);
      Answer::write(writer, frame.event == call::Frame::Event::ends,
                    static_cast<const Frame&>(frame).request);
    };
  } else if constexpr (!std::is_void_v<Response>) {
    using Answer = ResponseAnswer<Response>;
    type.answer_definitions = &definitions_of_given<Response>;
    type.answer_bytes = [](const call::Frame& frame) {
      return Answer::size(frame.event == call::Frame::Event::ends,
                          static_cast<const Frame&>(frame).response);
    };
    type.write_answer = [](const call::Frame& frame, char* at, std::size_t bytes) {
      codec::Writer writer(at + bytes);
      Answer::write(writer, frame.event == call::Frame::Event::ends,
                    static_cast<const Frame&>(frame).response);
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
