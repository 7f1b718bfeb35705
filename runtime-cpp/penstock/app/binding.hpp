#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "penstock/app/ask_binding.hpp"
#include "penstock/call/await/stub.hpp"
#include "penstock/call/frame/serve.hpp"
#include "penstock/flow/run/compose.hpp"
#include "penstock/flow/source/file_source.hpp"
#include "penstock/flow/source/http_source.hpp"
#include "penstock/flow/source/inlet.hpp"
#include "penstock/flow/source/own_source.hpp"
#include "penstock/flow/source/rate_source.hpp"
#include "penstock/flow/source/read_json.hpp"
#include "penstock/net/remote/calls/row_type.hpp"
#include "penstock/net/remote/calls/stage_type.hpp"
#include "penstock/service.hpp"

/// What registration takes out of the user's types, so that the rest of `app` knows none of them.
namespace penstock::app {

/// Something on the heap, owned without its type: a std::shared_ptr of each takes the compiler
/// nearly as long as all else of a service.
using Owned = std::unique_ptr<void, void (*)(void*)>;

template <class Made>
[[nodiscard]] Owned make_owned() {
  return {new Made(), [](void* made) { delete static_cast<Made*>(made); }};
}

/// A handler class, seen without its type.
struct HandlerBinding {
  const call::Implementation::Type* type = nullptr;
  Owned (*make_shared)() = nullptr;  ///< null when its objects share nothing
  /// Tells the class of the flows it pushes into apart, and finds them; null: it pushes nowhere.
  const void* flows_tag = nullptr;
  void* (*flows_of)(void* handler) = nullptr;
  const AskBinding* ask = nullptr;
};

template <class H>
[[nodiscard]] HandlerBinding bind_handler() {
  HandlerBinding binding;
  binding.ask = &kAsk<typename H::request_type, typename H::response_type>;
  binding.type = &call::type_of<H>();
  if constexpr (requires { typename H::flows_type; }) {
    binding.flows_tag = &call::type_tag<typename H::flows_type>;
    binding.flows_of = [](void* handler) -> void* { return &static_cast<H*>(handler)->flows; };
  }
  if constexpr (requires(H& handler) { handler.shared; }) {
    using SharedType = std::remove_pointer_t<decltype(H::shared)>;
    binding.make_shared = &make_owned<SharedType>;
  }
  return binding;
}

/// A drawn call: how it gets into a caller's stubs.
struct CallBinding {
  std::string from;
  std::string to;
  const void* calls_tag = nullptr;
  call::Wire wire;  ///< without its site
};

template <class Calls, class Request, class Response>
[[nodiscard]] CallBinding bind_call(std::string from, std::string to,
                                    Stub<Request, Response> Calls::*member) {
  return {std::move(from), std::move(to), &call::type_tag<Calls>, call::wire_to(member)};
}

/// What a branch is chosen by: `&Priced::tier`, a field that is an enum, or an optional one.
template <auto member>
struct Decider;
template <class Message, class Field, Field Message::*member>
struct Decider<member> {
  static constexpr bool kOptional = requires(const Field& field) { field.has_value(); };
  static auto plain(const Field& field) {
    if constexpr (kOptional) {
      return *field;
    } else {
      return field;
    }
  }
  using Enum = decltype(plain(std::declval<const Field&>()));
  /// No value of an enum: what an optional field without a value has.
  static constexpr std::int64_t kNone = std::int64_t{1} << 40U;

  static std::int64_t read(const void* message) {
    const Field& field = static_cast<const Message*>(message)->*member;
    if constexpr (kOptional) {
      if (!field) return kNone;
    }
    return static_cast<std::int64_t>(plain(field));
  }
};

/// A flow that a service may push into: how it gets into the handlers' members.
struct InletBinding {
  std::string service;
  std::string flow;
  const void* flows_tag = nullptr;
  std::function<void(void* flows, flow::ServiceSource* source)> set;
};

template <class Flows, class Event>
[[nodiscard]] InletBinding bind_inlet(std::string service, std::string flow,
                                      Inlet<Event> Flows::*member) {
  return {std::move(service), std::move(flow), &call::type_tag<Flows>,
          [member](void* flows, flow::ServiceSource* source) {
            static_cast<Flows*>(flows)->*member = Inlet<Event>(source);
          }};
}

/// A stage of a flow.
struct StageBinding {
  std::string id;
  std::string service;
  flow::Role role = flow::Role::map;
  std::vector<flow::Stage::Run> run;  ///< one an implementation
  flow::Stage::Plain steps;           ///< of the only one
  const flow::ValueType* takes = nullptr;
  const flow::ValueType* gives = nullptr;
  bool has_response = false;
  bool may_end = false;
  std::size_t value_bytes = 0;
};

template <flow::Role role, class... H>
[[nodiscard]] StageBinding bind_stage(std::string id, std::string service) {
  StageBinding binding;
  binding.id = std::move(id);
  binding.service = std::move(service);
  binding.role = role;
  binding.run = {&flow::run_stage<H, role>...};
  binding.may_end = (call::may_end<H> || ...);
  // All implementations of a service take and give the same.
  ((binding.steps = flow::plain_steps<H, role>(),
    binding.takes = binding.gives = &flow::value_type<typename H::request_type>),
   ...);
  const auto fit = [&binding](std::size_t bytes) {
    if (bytes > binding.value_bytes) binding.value_bytes = bytes;
  };
  (fit(sizeof(typename H::request_type)), ...);
  const auto fit_response = [&]<class Response>(std::type_identity<Response>) {
    if constexpr (!std::is_void_v<Response>) {
      binding.has_response = true;
      if (role != flow::Role::side_effect) binding.gives = &flow::value_type<Response>;
      fit(sizeof(Response));
    }
  };
  (fit_response(std::type_identity<typename H::response_type>{}), ...);
  return binding;
}

/// The handler of a stage that another binary runs, and whose flow goes on with what that gives: it
/// asks there. `outlives`: its event goes on without a deadline (outlives_deadline).
template <class Request, class Response, bool outlives = false>
struct RemoteStage final : Handler {
  using request_type = Request;
  using response_type = Response;
  using Answer = net::Given<Response>;
  struct calls_type {
    Stub<Request, Answer> there;
  } calls;

  Task<std::optional<Response>> handle(const Request& event) {
    if constexpr (outlives) call::current_activation()->context.deadline_ns = 0;
    Answer answer = co_await calls.there(event);
    co_return std::move(answer.value);
  }
};
template <class Request, bool outlives>
struct RemoteStage<Request, void, outlives> final : Handler {
  using request_type = Request;
  using response_type = void;
  using Answer = void;
  struct calls_type {
    Stub<Request, void> there;
  } calls;

  Task<void> handle(const Request& event) { co_await calls.there(event); }
};

/// The same of one whose flow goes on with its event.
template <class Event>
struct RemoteSideEffect final : Handler {
  using request_type = Event;
  using response_type = void;
  using Answer = net::Passed<Event>;
  struct calls_type {
    Stub<Event, Answer> there;
  } calls;

  Task<Verdict> handle(Event& event) {
    Answer answer = co_await calls.there(event);
    if (answer.changed) event = std::move(*answer.changed);
    co_return keep_if(!answer.ended);
  }
};

/// A stage that another binary runs, and how it gets to ask there.
struct RemoteStageBinding {
  StageBinding stage;
  const call::Implementation::Type* type = nullptr;
  call::Wire wire;  ///< without its site
  const net::RemoteType* asks = nullptr;
  std::uint64_t answer_schema = 0;
  const net::RowType* rows = nullptr;  ///< null: each event asks by itself
};

/// How the events of such a stage go together; null: they do not.
template <class Stage>
inline constexpr const net::RowType* kRowsOf = nullptr;
template <class Request, class Response, bool outlives>
inline constexpr const net::RowType* kRowsOf<RemoteStage<Request, Response, outlives>> =
    net::given_rows<Request, Response>();
template <class Event>
inline constexpr const net::RowType* kRowsOf<RemoteSideEffect<Event>> = net::passed_rows<Event>();

/// `Stage` asks there; `partition_by` as with App::remote().
template <flow::Role role, class Stage, auto partition_by = nullptr>
[[nodiscard]] RemoteStageBinding bind_remote_stage(std::string id, std::string service,
                                                   std::uint64_t answer_schema) {
  // Where a value divides the service each goes to the process that has its value; and a catch has
  // few.
  constexpr bool kTogether =
      std::is_null_pointer_v<decltype(partition_by)> && role != flow::Role::catch_failure;
  const net::RowType* rows = nullptr;
  if constexpr (kTogether) rows = kRowsOf<Stage>;
  return {bind_stage<role, Stage>(std::move(id), std::move(service)),
          &call::type_of<Stage>(),
          call::wire_to(&Stage::calls_type::there),
          &net::kRemoteType<typename Stage::request_type, typename Stage::Answer, partition_by>,
          answer_schema,
          rows};
}

/// Stages that are one function.
struct CompositionBinding {
  std::string first;
  flow::Stage::Composed composed;
  std::vector<flow::Stage::Run> runs;  ///< of each
};

template <class... Stages>
[[nodiscard]] CompositionBinding bind_composition(std::string first) {
  using Composition = flow::Composition<Stages...>;
  const auto runs = Composition::runs();
  return {std::move(first), Composition::composed(), {runs.begin(), runs.end()}};
}

/// Makes a stage of its binding; its id, role and service are then what they stay.
inline void set_up(flow::Stage& stage, call::Service& service, StageBinding binding) {
  stage.id = std::move(binding.id);
  stage.role = binding.role;
  stage.service = &service;
  stage.run = std::move(binding.run);
  stage.steps = binding.steps;
  stage.takes = binding.takes;
  stage.gives = binding.gives;
  stage.has_response = binding.has_response;
  stage.may_end = binding.may_end;
}

/// What a source is made with, besides its flow.
struct SourceParts {
  const void* settings = nullptr;  ///< of its class; null: as that has them
  void* shared = nullptr;          ///< what make_shared() made
  /// Takes a line of text for people; any thread.
  std::function<void(const std::string& text)> say;
};

/// Where a flow's events come from: how its class reads its settings and is made of them.
struct SourceBinding {
  const char* kind = nullptr;
  std::size_t value_bytes = 0;
  std::shared_ptr<const void> (*read)(SourceReader& in) = nullptr;
  std::unique_ptr<flow::Source> (*make)(flow::Flow& flow, const SourceParts& parts) = nullptr;
  Owned (*make_shared)() = nullptr;
  void* shared = nullptr;  ///< what make_shared() made; owned by the binary
};

/// The settings of a source of class `C`.
template <class C>
[[nodiscard]] typename C::Settings settings_of(const SourceParts& parts) {
  return parts.settings == nullptr ? typename C::Settings{}
                                   : *static_cast<const typename C::Settings*>(parts.settings);
}

template <class Event, class C>
[[nodiscard]] SourceBinding bind_settings(const char* kind) {
  SourceBinding binding;
  binding.kind = kind;
  binding.value_bytes = sizeof(Event);
  binding.read = [](SourceReader& in) -> std::shared_ptr<const void> {
    return std::make_shared<typename C::Settings>(C::read_from(in));
  };
  return binding;
}

/// The user's class that makes the events of a `rate` source.
template <class S>
[[nodiscard]] flow::RateSource::Type source_type_of() {
  return {.create = []() -> void* { return new S; },
          .destroy = [](void* handler) noexcept { delete static_cast<S*>(handler); },
          .make =
              [](void* handler, std::uint64_t sequence, flow::Event& event) {
                event.set_value(static_cast<S*>(handler)->event(sequence));
              }};
}

template <class S>
[[nodiscard]] SourceBinding bind_rate_source() {
  using Value = std::remove_cvref_t<decltype(std::declval<S&>().event(std::uint64_t{}))>;
  SourceBinding binding = bind_settings<Value, flow::RateSource>("rate");
  binding.make = [](flow::Flow& flow, const SourceParts& parts) -> std::unique_ptr<flow::Source> {
    auto source = std::make_unique<flow::RateSource>(
        flow, source_type_of<S>(), settings_of<flow::RateSource>(parts).per_second);
    if constexpr (requires(S& made) { made.shared; }) {
      using SharedType = std::remove_pointer_t<decltype(S::shared)>;
      source->add_wiring(
          [](void* handler, void* shared) {
            static_cast<S*>(handler)->shared = static_cast<SharedType*>(shared);
          },
          parts.shared);
    }
    return source;
  };
  if constexpr (requires(S& made) { made.shared; }) {
    using SharedType = std::remove_pointer_t<decltype(S::shared)>;
    binding.make_shared = &make_owned<SharedType>;
  }
  return binding;
}

template <class Event>
[[nodiscard]] SourceBinding bind_http_source() {
  SourceBinding binding = bind_settings<Event, flow::HttpSource>("http");
  binding.make = [](flow::Flow& flow, const SourceParts& parts) -> std::unique_ptr<flow::Source> {
    auto settings = settings_of<flow::HttpSource>(parts);
    settings.read = &flow::read_json<Event>;
    return std::make_unique<flow::HttpSource>(flow, std::move(settings));
  };
  return binding;
}

template <class Event>
[[nodiscard]] SourceBinding bind_file_source() {
  SourceBinding binding = bind_settings<Event, flow::FileSource>("file");
  binding.make = [](flow::Flow& flow, const SourceParts& parts) -> std::unique_ptr<flow::Source> {
    auto settings = settings_of<flow::FileSource>(parts);
    settings.read = &flow::read_json<Event>;
    settings.say = parts.say;
    return std::make_unique<flow::FileSource>(flow, std::move(settings));
  };
  return binding;
}

template <class Event>
[[nodiscard]] SourceBinding bind_service_source() {
  SourceBinding binding = bind_settings<Event, flow::ServiceSource>("service");
  binding.make = [](flow::Flow& flow, const SourceParts&) -> std::unique_ptr<flow::Source> {
    return std::make_unique<flow::ServiceSource>(flow);
  };
  return binding;
}

/// A source that a project brings: `S` is its class, made of its `Set`, which says its kind and how
/// it is read.
template <class S, class Set>
[[nodiscard]] SourceBinding bind_own_source() {
  using Value = typename std::remove_cvref_t<decltype(std::declval<S&>().next(
      std::declval<const SourceStop&>()))>::value_type;
  SourceBinding binding;
  binding.kind = Set::source_kind;
  binding.value_bytes = sizeof(Value);
  binding.read = [](SourceReader& in) -> std::shared_ptr<const void> {
    return std::make_shared<Set>(Set::read_from(in));
  };
  binding.make = [](flow::Flow& flow, const SourceParts& parts) -> std::unique_ptr<flow::Source> {
    const Set settings =
        parts.settings == nullptr ? Set{} : *static_cast<const Set*>(parts.settings);
    double per_second = flow::PacedSource::kNoLimit;
    if constexpr (requires { settings.events_per_second(); }) {
      per_second = settings.events_per_second().value_or(per_second);
    }
    return std::make_unique<flow::OwnSource<S>>(flow, Set::source_kind,
                                                std::make_unique<S>(settings), per_second);
  };
  return binding;
}

}  // namespace penstock::app

/// As that of the handlers that it stands for.
template <class Request, class Response>
inline constexpr bool
    penstock::outlives_deadline<penstock::app::RemoteStage<Request, Response, true>> = true;
