#pragma once

/// Public: what a generated main() is made of.

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "penstock/app/binding.hpp"
#include "penstock/net/remote/calls/remote_type.hpp"
#include "penstock/service.hpp"

namespace penstock {

namespace app {
class Model;
}
namespace http {
struct KeyFiles;
class Security;
}  // namespace http
namespace net {
struct Identity;
class Security;
}  // namespace net

/// What the generator knows about the binary.
struct AppOptions {
  std::string binary;
  std::string project;
  std::string topology_hash;  ///< `sha256:` and 64 hex digits
  std::string config;         ///< default configuration file; `--config` takes another one
  /// What secures connections to other hosts, from the binary's keys in a folder: `&penstock::tls`
  /// of <penstock/tls.hpp>; null: there are none.
  std::unique_ptr<net::Security> (*security)(const net::Identity& self,
                                             const std::string& folder) = nullptr;
  /// What secures its HTTP address, from files there: `&penstock::http_tls`; null: nothing can.
  std::unique_ptr<http::Security> (*http_security)(const net::Identity& self,
                                                   const std::string& folder,
                                                   const http::KeyFiles& files) = nullptr;
};

struct ServiceOptions {
  std::int64_t deadline_ms = 0;  ///< 0: none; the configuration may set another one
  std::vector<std::string> implementations =
      {};  ///< names, as many as handler classes if more than one
};

/// How two binaries of a drawing agree on a service (docs/wire.md).
struct WireService {
  std::string name;  ///< `Bundle/Service`
  /// The first 64 bits of the SHA-256 of the definitions of its messages; of no answer: 0.
  std::uint64_t request_schema = 0;
  std::uint64_t answer_schema = 0;
};

/// What else is known of a service that another binary runs.
struct RemoteOptions {
  std::int64_t deadline_ms = 0;  ///< for one answer; 0: none
  bool idempotent = false;       ///< a call that may have been run may be sent again
  std::vector<std::string> implementations = {};  ///< names; empty: it has one
};

namespace app {

/// A registration on its way to the model.
struct RemoteBinding {
  const std::string& binary;
  const WireService& wire;
  const RemoteOptions& options;
  const net::RemoteType& type;
};

}  // namespace app

/// What a handler class is to the flow in a composition.
template <class H>
using Map = flow::As<H, flow::Role::map>;
template <class H>
using SideEffect = flow::As<H, flow::Role::side_effect>;

/// Adds the stages of a flow, in their order. Name all handler classes of the stage's service. A
/// stage follows the one added before it, the first one the source, unless after() says otherwise.
class FlowBuilder {
 public:
  FlowBuilder(app::Model& model, std::size_t flow) noexcept : model_(model), flow_(flow) {}

  template <class... H>
  FlowBuilder& map(std::string id, std::string service) {
    return add(app::bind_stage<flow::Role::map, H...>(std::move(id), std::move(service)));
  }
  template <class... H>
  FlowBuilder& side_effect(std::string id, std::string service) {
    return add(app::bind_stage<flow::Role::side_effect, H...>(std::move(id), std::move(service)));
  }
  template <class... H>
  FlowBuilder& catch_failure(std::string id, std::string service) {
    return add(app::bind_stage<flow::Role::catch_failure, H...>(std::move(id), std::move(service)));
  }
  /// Stages that another binary runs, whose service remote() has named. Their events are this
  /// binary's until they are answered, and wait for as long as nobody can be asked.
  /// `answer_schema`: of its answers as a stage (docs/wire.md). `partition_by` as with remote();
  /// `outlives`: what it gives has no deadline (outlives_deadline).
  template <class Request, class Response, auto partition_by = nullptr, bool outlives = false>
  FlowBuilder& remote_map(std::string id, std::string service, std::uint64_t answer_schema) {
    using Stage = app::RemoteStage<Request, Response, outlives>;
    return add(app::bind_remote_stage<flow::Role::map, Stage, partition_by>(
        std::move(id), std::move(service), answer_schema));
  }
  template <class Event, auto partition_by = nullptr>
  FlowBuilder& remote_side_effect(std::string id, std::string service,
                                  std::uint64_t answer_schema) {
    using Stage = app::RemoteSideEffect<Event>;
    return add(app::bind_remote_stage<flow::Role::side_effect, Stage, partition_by>(
        std::move(id), std::move(service), answer_schema));
  }
  template <class Response>
  FlowBuilder& remote_catch_failure(std::string id, std::string service,
                                    std::uint64_t answer_schema) {
    using Stage = app::RemoteStage<Failure, Response>;
    return add(app::bind_remote_stage<flow::Role::catch_failure, Stage>(
        std::move(id), std::move(service), answer_schema));
  }
  /// The stage just added follows these earlier ones.
  FlowBuilder& after(std::initializer_list<const char*> stages);
  /// The stage just added is for those events whose value, as the stage before it gives it, has one
  /// of these in the field `member`.
  template <auto member>
  FlowBuilder& when(std::initializer_list<typename app::Decider<member>::Enum> values) {
    flow::Choice choice{&app::Decider<member>::read, {}};
    for (const auto value : values) choice.values.push_back(static_cast<std::int64_t>(value));
    return choose(std::move(choice));
  }
  /// The stage `first` and those added behind it, as many as are named, each of which is all that
  /// follows the one before it, are made one function: `.compose<Map<Decode>, SideEffect<Store>>`.
  /// It is run while no join divides them. Only where link-time optimisation (Penstock_compose)
  /// inlines the handlers; else stage by stage is faster.
  template <class... Stages>
  FlowBuilder& compose([[maybe_unused]] std::string first) {
#ifdef Penstock_compose
    return add(app::bind_composition<Stages...>(std::move(first)));
#else
    return *this;
#endif
  }

 private:
  FlowBuilder& add(app::StageBinding stage);
  FlowBuilder& add(app::RemoteStageBinding stage);
  FlowBuilder& add(const app::CompositionBinding& composition);
  FlowBuilder& choose(flow::Choice choice);

  app::Model& model_;
  std::size_t flow_;
};

/// One binary: its services, calls and flows, brought to life by run(). One thread until then.
class App {
 public:
  explicit App(AppOptions options);
  App(const App&) = delete;
  App& operator=(const App&) = delete;
  ~App();

  template <class... H>
  void service(const std::string& name, Kind kind, ServiceOptions options = {}) {
    add_service(name, kind, std::move(options), {app::bind_handler<H>()...});
  }

  /// A service that `binary` of the same drawing runs, and services of this one call.
  /// `partition_by`: the field whose values each have a process there, `&Order::customer`.
  template <class Request, class Response, auto partition_by = nullptr>
  void remote(const std::string& name, const std::string& binary, const WireService& wire,
              const RemoteOptions& options = {}) {
    add_remote(name, {binary, wire, options, net::kRemoteType<Request, Response, partition_by>});
  }
  /// A service of this binary that others call.
  template <class Request, class Response>
  void offer(const std::string& service, const WireService& wire) {
    add_offer(service, wire, net::kRemoteType<Request, Response>);
  }

  /// A service of this binary that is asked over HTTP. `route`, behind the configuration's prefix:
  /// `ads.AdBundle/GetAd`.
  template <class Request, class Response>
  void expose(const std::string& service, const std::string& route) {
    add_exposed(service, route, net::kRemoteType<Request, Response>);
  }

  /// The OpenAPI document of those, which the door gives at `/openapi.json`. Outlives the run.
  void describe_exposed(std::string_view openapi);

  /// What a service of this binary is to a flow of another one: a stage, whose name on the wire is
  /// `Flow.stage`. Name all handler classes of the service. Behind a map, or a catch, the flow goes
  /// on with what they give, behind a side-effect with its event as they leave it.
  template <class... H>
  void offer_map(const std::string& service, const WireService& wire) {
    add_offered_stage(service, wire, net::kStageType<net::StageGives::response, H...>);
  }
  template <class... H>
  void offer_side_effect(const std::string& service, const WireService& wire) {
    add_offered_stage(service, wire, net::kStageType<net::StageGives::event, H...>);
  }

  /// A drawn call. For several implementations of the caller, one line each.
  template <class Calls, class Request, class Response>
  void call(std::string from, std::string to, Stub<Request, Response> Calls::*member) {
    add_call(app::bind_call(std::move(from), std::move(to), member));
  }

  /// Whose events the user's class makes, at a rate.
  template <class Source>
  FlowBuilder flow(std::string name) {
    return add_flow(std::move(name), app::bind_rate_source<Source>());
  }
  /// Whose events are posted over HTTP.
  template <class Event>
  FlowBuilder http_flow(std::string name) {
    return add_flow(std::move(name), app::bind_http_source<Event>());
  }
  /// Whose events are the lines of a file.
  template <class Event>
  FlowBuilder file_flow(std::string name) {
    return add_flow(std::move(name), app::bind_file_source<Event>());
  }
  /// Whose events are pushed by handlers.
  template <class Event>
  FlowBuilder service_flow(std::string name) {
    return add_flow(std::move(name), app::bind_service_source<Event>());
  }
  /// Whose events come from a source of the project's own: its class and its settings.
  template <class Source, class Settings>
  FlowBuilder source_flow(std::string name) {
    return add_flow(std::move(name), app::bind_own_source<Source, Settings>());
  }
  /// A service that may push into a flow. For several implementations, one line each.
  template <class Flows, class Event>
  void inlet(std::string service, std::string flow, Inlet<Event> Flows::*member) {
    add_inlet(app::bind_inlet(std::move(service), std::move(flow), member));
  }

  /// Reads the configuration, starts everything, serves until SIGTERM or SIGINT, drains. Returns
  /// the exit code: 0; 2 for a wrong command line; 71 when the system refuses threads or memory;
  /// 78 for a configuration that cannot be used. A signal before it is ready ends it at once.
  int run(int argc, char** argv);

 private:
  void add_service(const std::string& name, Kind kind, ServiceOptions options,
                   std::vector<app::HandlerBinding> handlers);
  void add_remote(const std::string& name, const app::RemoteBinding& remote);
  void add_offer(const std::string& service, const WireService& wire, const net::RemoteType& type);
  void add_offered_stage(const std::string& service, const WireService& wire,
                         const net::RemoteType& type);
  void add_exposed(const std::string& service, const std::string& route,
                   const net::RemoteType& type);
  void add_call(app::CallBinding call);
  FlowBuilder add_flow(std::string name, app::SourceBinding source);
  void add_inlet(app::InletBinding inlet);

  std::unique_ptr<app::Model> model_;
};

}  // namespace penstock
