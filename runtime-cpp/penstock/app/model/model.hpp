#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "penstock/app.hpp"
#include "penstock/app/joins/joins.hpp"
#include "penstock/app/model/quiet.hpp"
#include "penstock/app/model/read_source.hpp"
#include "penstock/app/peers/peers.hpp"
#include "penstock/app/pools/pool_controller.hpp"
#include "penstock/app/pools/pool_list.hpp"
#include "penstock/call/service/service.hpp"
#include "penstock/call/watch/watchdog.hpp"
#include "penstock/config/config.hpp"
#include "penstock/edge/exposed.hpp"
#include "penstock/flow/graph/flow.hpp"
#include "penstock/flow/source/http_source.hpp"
#include "penstock/flow/source/source.hpp"
#include "penstock/metrics/registry.hpp"
#include "penstock/net/remote/calls/row_call.hpp"

namespace penstock::app {

/// The configuration names something the binary does not have, or cannot be carried out.
class StartError final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A drawn call with its counters; ids are positions in Model::calls.
struct Call {
  std::uint32_t from = 0;  ///< position in Model::services
  std::uint32_t to = 0;
  call::CallSite site;
};

/// What a binary consists of: filled by registration, then by its configuration. Ids of the live
/// protocol are positions in these lists.
class Model {
 public:
  explicit Model(AppOptions options) : options_(std::move(options)) {}
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  ~Model();

  // Registration. Throws std::logic_error for what no generated code does.
  void add_service(const std::string& name, Kind kind, ServiceOptions options,
                   std::vector<HandlerBinding> handlers);
  void add_remote(const std::string& name, const RemoteBinding& remote);
  void add_offer(const std::string& service, const WireService& wire, const net::RemoteType& type);
  void add_offered_stage(const std::string& service, const WireService& wire,
                         const net::RemoteType& type);
  void add_exposed(const std::string& service, std::string route, const net::RemoteType& type);
  void describe_exposed(std::string_view openapi) noexcept { openapi_ = openapi; }
  void add_call(CallBinding binding);
  std::size_t add_flow(std::string name, SourceBinding source);
  void add_stage(std::size_t flow, StageBinding stage);
  void add_remote_stage(std::size_t flow, RemoteStageBinding remote);
  void compose(std::size_t flow, const CompositionBinding& composition);
  /// Of the stage added last.
  void follow(std::size_t flow, const std::vector<std::string>& stages);
  void choose(std::size_t flow, flow::Choice choice);
  /// After all flows.
  void add_inlet(InletBinding binding);

  /// What reads the sources of a configuration for it: the classes of the flows that it has.
  [[nodiscard]] config::ReadSource source_reader() const;

  /// Places everything as the configuration says, makes the pools (not their threads) and starts
  /// the counters. `file` is where it was read from, beside those of the other binaries. Throws
  /// StartError.
  void configure(const config::Config& config, const std::string& file = "");

  [[nodiscard]] const AppOptions& options() const noexcept { return options_; }
  [[nodiscard]] const auto& services() const noexcept { return services_; }
  [[nodiscard]] const auto& calls() const noexcept { return calls_; }
  [[nodiscard]] const auto& flows() const noexcept { return flows_; }
  /// One a flow, in their order; made by configure().
  [[nodiscard]] const auto& sources() const noexcept { return sources_; }
  [[nodiscard]] const auto& pools() const noexcept { return pools_; }
  /// Those of the sources that take requests.
  [[nodiscard]] const auto& http_sources() const noexcept { return http_sources_; }
  [[nodiscard]] metrics::Registry& registry() noexcept { return registry_; }
  /// A pool that is drawn with bounds.
  struct Adaptive {
    exec::Pool* pool = nullptr;
    Bounds bounds;
  };
  [[nodiscard]] const auto& adaptive() const noexcept { return adaptive_; }
  /// Those drawn; what they name is there.
  [[nodiscard]] const auto& rules() const noexcept { return rules_; }
  [[nodiscard]] Peers& peers() noexcept { return peers_; }
  /// After configure().
  [[nodiscard]] Joins& joins() noexcept { return *joins_; }
  /// Grows when a join, or the threads of one, changed. Any thread.
  [[nodiscard]] std::uint64_t join_changes() const noexcept {
    return join_changes_.load(std::memory_order_relaxed);
  }

  /// Position of a pool or service; throws StartError.
  [[nodiscard]] std::uint32_t pool_id(const exec::Pool* pool) const;
  [[nodiscard]] std::uint32_t service_id(const call::Service* service) const;

  /// After configure().
  [[nodiscard]] call::Watchdog& watchdog() noexcept { return *watchdog_; }

  /// What is asked over HTTP, and how. After configure().
  [[nodiscard]] edge::ExposedServices exposed(const config::Config& config) const;

  /// A way in for those outside, with counters of its own on each thread. Before configure().
  const call::CallSite& add_outside(const std::string& service);
  /// How a service of this binary is asked once in JSON. Null: it has no such service.
  [[nodiscard]] const AskBinding* ask_binding(const std::string& service) const;
  /// Where such questions are asked: made by the first one, and counted in the service's `asked` by
  /// who asks. After configure(). Any thread. Throws std::bad_alloc.
  [[nodiscard]] const call::CallSite& ask_site(const std::string& service);

  /// No call and no event is under way, where none comes from outside any more. Any thread.
  [[nodiscard]] bool quiet() const;
  /// What is not done yet, and who is at work: `Sink 2, thread front-0 at work`. Empty: nothing.
  [[nodiscard]] std::string left() const;

 private:
  [[nodiscard]] Tally tally() const;
  [[nodiscard]] call::Service& find_service(const std::string& name) const;
  [[nodiscard]] exec::Pool& pool_named(const std::string& name, const config::Config& config);
  void place(call::Service& service, const config::Config& config);
  void place_flow(std::size_t index, const config::Config& config);
  void make_source(std::size_t index, const config::Config& config);
  void open_door(flow::HttpSource& source, const config::Config& config);
  void wire_inlets();
  void place_join(flow::Flow& flow, const config::Join& join, const config::Config& config);
  void place_offered(const config::Join& join, const config::Config& config);
  void check_places(const flow::Flow& flow, const config::Config& config) const;
  void check_rule(const config::Rule& rule, std::size_t index) const;
  [[nodiscard]] exec::Pool& pool_of_links(const config::Config& config);
  void place_exposed(const config::Config& config);
  void hook(exec::Pool& pool);
  void list_waits();

  AppOptions options_;
  metrics::Registry registry_;
  std::vector<Owned> shared_;                 // before its users
  std::unique_ptr<call::Watchdog> watchdog_;  // before the threads that it looks after
  Peers peers_{options_};                     // handler objects and workers use it
  std::vector<std::unique_ptr<call::Service>> services_;
  std::deque<Call> calls_;                    // stubs point at them
  std::vector<const AskBinding*> asks_;       // by position in services_; null, or beyond: none
  std::deque<call::CallSite> outside_sites_;  // those who ask point at them
  /// Sites of questions by hand, which have their counters in common.
  struct {
    std::mutex mutex;
    std::deque<call::CallSite> sites;
    metrics::SampledCounter count;
    metrics::RareCounter errors;
  } asked_;
  /// A service that is asked over HTTP, behind the prefix of its configuration.
  struct Exposing {
    std::string service;
    std::string route;
    const net::RemoteType* type = nullptr;
    exec::Pool* pool = nullptr;  ///< whose workers ask it
    const call::CallSite* site = nullptr;
  };
  std::vector<Exposing> exposed_;
  std::string_view openapi_;
  std::deque<call::CallSite> stage_sites_;  // one a stage that another binary runs
  std::deque<net::RowStage> row_stages_;    // likewise, where events go together
  std::vector<std::unique_ptr<flow::Flow>> flows_;
  PoolList pools_;
  std::vector<Adaptive> adaptive_;
  std::vector<config::Rule> rules_;
  std::atomic<std::uint64_t> join_changes_{0};
  std::unique_ptr<Joins> joins_;                // before the pools it changes go
  std::vector<SourceBinding> source_bindings_;  // one a flow
  std::vector<SourceRegistration> source_registrations_;
  /// A handler class that pushes into flows.
  struct Pusher {
    call::Implementation* implementation = nullptr;
    const void* flows_tag = nullptr;
    void* (*flows_of)(void* handler) = nullptr;
  };
  std::vector<Pusher> pushers_;
  std::vector<InletBinding> inlets_;
  std::vector<std::unique_ptr<flow::Source>> sources_;  // last: they use all of the above
  std::vector<flow::HttpSource*> http_sources_;
};

}  // namespace penstock::app
